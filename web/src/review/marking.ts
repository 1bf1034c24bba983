/** What is marked in the hand of whoever decided: what was played, and where that was costly, what was best. */

import { t } from "../lib/words";
import type { DecisionShown } from "../tutor/types";
import { isCostly } from "./learning";

type Decided = Pick<DecisionShown, "seat" | "cards" | "grade"> & { options: readonly Pick<DecisionShown, "cards">[] };
type Mark = { text: string; tone: "good" | "bad"; ring: true };

export function markOf(decision: Decided | null, seat: number, card: string): Mark | undefined {
  if (decision?.seat !== seat) return undefined;
  if (decision.cards.includes(card))
    return { text: t("review.chosen"), tone: isCostly(decision) ? "bad" : "good", ring: true };
  if (isCostly(decision) && decision.options[0]?.cards.includes(card))
    return { text: t("hint.best"), tone: "good", ring: true };
  return undefined;
}
