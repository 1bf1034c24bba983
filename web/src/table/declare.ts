/** Composing declarations: of each slot one, or none. */

import type { Action, Declaration, DeclareOffer } from "../protocol";

/** Which option of each slot is chosen; -1 is none. */
export type Choice = readonly number[];

/** What the hand has to declare, as a choice. */
export function dueChoice({ slots, due }: DeclareOffer): number[] {
  return slots.map((slot) =>
    slot.options.findIndex((option) => due.some((one) => same(one, option.declaration))),
  );
}

/** What is chosen, in words. */
export function words({ slots }: DeclareOffer, choice: Choice): string[] {
  return slots.flatMap((slot, at) => slot.options[choice[at] ?? -1]?.label ?? []);
}

export function declareAction({ slots }: DeclareOffer, choice: Choice): Action {
  const chosen = slots.flatMap((slot, at) => slot.options[choice[at] ?? -1]?.declaration ?? []);
  return { type: "Declare", declarations: chosen };
}

function same(one: Declaration, other: Declaration): boolean {
  return (
    one.kind === other.kind &&
    (one.count ?? 0) === (other.count ?? 0) &&
    (one.pagat ?? null) === (other.pagat ?? null) &&
    (one.of ?? null) === (other.of ?? null) &&
    (one.missing ?? null) === (other.missing ?? null)
  );
}
