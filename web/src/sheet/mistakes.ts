/** Mistakes in a Danish deal as they are tapped in: pure steps. What a mistake costs and does, the server says. */

import type { DanishDeal, Declaration, MistakeChoice } from "../protocol";
import { type Draft, PAGAT, same, scrapped, slotOf } from "./danish";

/** Whether this player can have made the mistake: some are the dealer's alone, some need a declaration. */
export function possible(draft: Draft, order: readonly number[], seat: number, { by }: MistakeChoice): "yes" | "declareFirst" | "no" {
  if (by === "dealer") return seat === order[2] ? "yes" : "no";
  const declared = (draft.deal.declarations?.[seat] ?? []).length > 0;
  return by === "anybody" || declared ? "yes" : "declareFirst";
}

/** Somebody made a mistake. Where the dealer antes again for it, no fine is written. */
export function erred(draft: Draft, seat: number, { offence, ante, ends }: MistakeChoice): Draft {
  if (ante) return change(draft, { antes: (draft.deal.antes ?? 1) + 1 });
  const told = offence === "wrongDecl" ? { true_declarations: { ...draft.deal.true_declarations, [seat]: [] } } : {};
  const fined = change(draft, { fines: [...(draft.deal.fines ?? []), { seat, offence, overpaid: 0, false_ten: false }], ...told });
  return ends ? ended(fined, true) : fined;
}

/** A fine is taken away, with all that hung on it. */
export function unfined(draft: Draft, at: number, choices: readonly MistakeChoice[]): Draft {
  const { fines = [], true_declarations = {}, captured = [], charged } = draft.deal;
  const left = fines.filter((_, place) => place !== at);
  const asks = (question: MistakeChoice["asks"][number], seat: number): boolean =>
    left.some((one) => one.seat === seat && choices.some((other) => other.offence === one.offence && other.asks.includes(question)));
  const { seat, offence } = fines[at]!;
  const told = Object.entries(true_declarations).filter(([one]) => offence !== "wrongDecl" || Number(one) !== seat);
  const after = change(draft, {
    fines: left,
    true_declarations: Object.fromEntries(told),
    captured: captured.filter(({ by }) => asks("captured", by)),
    charged: charged !== null && charged !== undefined && asks("helped", charged) ? charged : null,
  });
  const still = left.some((one) => choices.some((other) => other.offence === one.offence && other.ends));
  const choice = choices.find((one) => one.offence === offence);
  return choice?.ends && !still ? ended(after, false) : after;
}

/** Whether the deal ended with a mistake, as some books have it. */
export const over = (deal: DanishDeal, choices: readonly MistakeChoice[]): boolean =>
  (deal.fines ?? []).some((one) => choices.some((other) => other.offence === one.offence && other.ends));

/** The deal was cancelled, or was played to its end. */
export const ended = (draft: Draft, yes: boolean): Draft => (draft.scrapped === yes ? draft : scrapped(draft));

/** The dealer antes once less again. */
export const anteLess = (draft: Draft): Draft => {
  const { antes = 1, ...deal } = draft.deal;
  return { ...draft, deal: antes > 2 ? { ...deal, antes: antes - 1 } : deal };
};

/** A false declaration was let pass: no fine, but it was paid. */
export function letPass(draft: Draft, at: number, choices: readonly MistakeChoice[]): Draft {
  const { seat } = draft.deal.fines![at]!;
  const free = unfined(draft, at, choices);
  return change(free, { let_pass: [...(free.deal.let_pass ?? []).filter((one) => one !== seat), seat] });
}

export const notLetPass = (draft: Draft, seat: number): Draft =>
  change(draft, { let_pass: (draft.deal.let_pass ?? []).filter((one) => one !== seat) });

/** What would have been true in the place of a declaration: another, the same, or nothing. */
export function truth(draft: Draft, seat: number, made: Declaration, instead: Declaration | null): Draft {
  const known = draft.deal.true_declarations ?? {};
  const others = (known[seat] ?? []).filter((one) => slotOf(one) !== slotOf(made));
  return change(draft, { true_declarations: { ...known, [seat]: instead ? [...others, instead] : others } });
}

/** What stands for true in the place of a declaration. */
export const trueOf = (draft: Draft, seat: number, made: Declaration): Declaration | null =>
  draft.deal.true_declarations?.[seat]?.find((one) => slotOf(one) === slotOf(made)) ?? null;

/** Whether it can be asked if somebody had a trump too few for a ten that was false. */
export const mayBeNine = (draft: Draft, seat: number, falseTen: Declaration | null): boolean =>
  falseTen !== null &&
  (draft.deal.declarations?.[seat] ?? []).some((one) => same(one, falseTen)) &&
  trueOf(draft, seat, falseTen) === null;

export const nine = (draft: Draft, at: number): Draft =>
  change(draft, { fines: draft.deal.fines?.map((one, place) => (place === at ? { ...one, false_ten: !one.false_ten } : one)) });

/** Kings and the pagat that others have lost, which a player can have captured by a mistake. */
export function capturable(draft: Draft, seat: number): readonly string[] {
  const kings = (draft.deal.kings_lost ?? []).filter((one) => one.seat !== seat).map(({ card }) => card);
  const pagat = draft.deal.pagat_fate;
  return pagat && !pagat.home && pagat.seat !== seat ? [...kings, PAGAT] : kings;
}

export function capture(draft: Draft, by: number, card: string): Draft {
  const some = draft.deal.captured ?? [];
  const has = some.some((one) => one.by === by && one.card === card);
  const others = some.filter((one) => one.card !== card);
  return change(draft, { captured: has ? others : [...others, { by, card }] });
}

/** Whether another has made an ultimo, which a mistake can have helped. */
export const mayHaveHelped = (draft: Draft, seat: number): boolean => Boolean(draft.deal.won_with) && draft.deal.winner !== seat;

export const helped = (draft: Draft, seat: number): Draft => change(draft, { charged: draft.deal.charged === seat ? null : seat });

const change = (draft: Draft, some: Partial<DanishDeal>): Draft => ({ ...draft, deal: { ...draft.deal, ...some } });
