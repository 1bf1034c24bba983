/** A Danish deal as it is tapped in: pure steps from one tap to the next, and the entry that follows. */

import type { Announceable, DanishDeal, Declaration } from "../protocol";

export const KINGS = ["SK", "HK", "CK", "DK"] as const;
export const PAGAT = "T1";
export const WHOLE = 78; // what the piles make together

/** What has been tapped so far; the counts of two players are four digits in a row. */
export interface Draft {
  readonly deal: DanishDeal;
  readonly digits: string;
  readonly scrapped: boolean;
}

export const BLANK: Draft = { deal: { game: "danish" }, digits: "", scrapped: false };

/** Who counts: all who play but the one who balances. */
export function counting(order: readonly number[], balances: number): readonly [number, number] {
  const [first = 0, second = 0] = order.filter((_, place) => place !== balances);
  return [first, second];
}

/** An entry that was written, to be changed. */
export function draftOf(deal: DanishDeal, order: readonly number[], balances: number): Draft {
  const counts = deal.counts ?? {};
  const known = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const digits = counting(order, balances).map((seat) => String(counts[seat] ?? WHOLE - known).padStart(2, "0"));
  const counted = Object.keys(counts).length > 0;
  return { deal, digits: counted ? digits.join("") : "", scrapped: (deal.winner ?? null) === null };
}

export const slotOf = (one: Declaration): string => one.of ?? one.kind;

/** Whether two declarations say the same. */
export const same = (one: Declaration, other: Declaration): boolean =>
  (["kind", "count", "pagat", "of", "missing"] as const).every((field) => (one[field] ?? null) === (other[field] ?? null));

/** A declaration made, or taken away where it was made; of each kind there is one. */
export function declared(draft: Draft, seat: number, one: Declaration): Draft {
  const made = draft.deal.declarations?.[seat] ?? [];
  const others = made.filter((other) => slotOf(other) !== slotOf(one));
  const { [seat]: _, ...rest } = draft.deal.declarations ?? {};
  const now = made.some((other) => same(one, other)) ? others : [...others, one];
  return withDeal(draft, { declarations: now.length > 0 ? { ...rest, [seat]: now } : rest });
}

/** A king lost by a player, or not; a king is lost once. */
export function kingLost(draft: Draft, seat: number, card: string): Draft {
  const lost = draft.deal.kings_lost ?? [];
  const others = lost.filter((one) => one.card !== card);
  const has = lost.some((one) => one.card === card && one.seat === seat);
  return cleared(withDeal(draft, { kings_lost: has ? others : [...others, { seat, card }] }));
}

/** The pagat lost, or brought home, before the last trick. */
export function pagatFell(draft: Draft, seat: number, home: boolean): Draft {
  const now = draft.deal.pagat_fate;
  const has = now?.seat === seat && now.home === home;
  return cleared(withDeal(draft, { pagat_fate: has ? null : { seat, home } }));
}

/** Who took the last trick; how it was won is asked anew. */
export function wonBy(draft: Draft, seat: number): Draft {
  const winner = draft.deal.winner === seat ? null : seat;
  const fallen = (draft.deal.fallen ?? []).filter((one) => one.seat !== winner);
  return { ...withDeal(draft, { winner, won_with: null, fallen, charged: null }), scrapped: false };
}

/** With which card the last trick was won: a king or the pagat makes an ultimo. */
export function wonWith(draft: Draft, card: string): Draft {
  const won_with = draft.deal.won_with === card ? null : card;
  return withDeal(draft, { won_with, charged: null, fallen: (draft.deal.fallen ?? []).filter((one) => one.card !== card) });
}

/** A king or the pagat lost in the last trick: bagud. */
export function bagud(draft: Draft, seat: number, card: string): Draft {
  const fallen = draft.deal.fallen ?? [];
  const has = fallen.some((one) => one.seat === seat && one.card === card);
  const others = fallen.filter((one) => one.seat !== seat && one.card !== card);
  return withDeal(draft, { fallen: has ? others : [...others, { type: "CardPlayed", seat, card }] });
}

export function nolo(draft: Draft, seat: number): Draft {
  const some = draft.deal.nolo ?? [];
  return withDeal(draft, { nolo: some.includes(seat) ? some.filter((one) => one !== seat) : [...some, seat] });
}

export const tout = (draft: Draft): Draft => withDeal(draft, { tout: !draft.deal.tout });

/** What somebody has announced; a player announces once. */
export function announced(draft: Draft, seat: number, { kind, before }: Announceable): Draft {
  const some = draft.deal.announcements ?? [];
  const has = some.some((one) => one.seat === seat && one.kind === kind && one.before === before);
  const others = some.filter((one) => one.seat !== seat);
  return withDeal(draft, { announcements: has ? others : [...others, { type: "Announced", seat, kind, before }] });
}

/** The deal was not played to its end. */
export function scrapped(draft: Draft): Draft {
  return { ...withDeal(draft, { winner: null, won_with: null, fallen: [], charged: null }), digits: "", scrapped: !draft.scrapped };
}

/** A digit of the counts, two for each of the two players. */
export const typed = (draft: Draft, digit: string): Draft =>
  draft.digits.length < 4 ? { ...draft, digits: draft.digits + digit } : draft;

export const erased = (draft: Draft): Draft => ({ ...draft, digits: draft.digits.slice(0, -1) });

/** What the three piles hold, as far as it is typed; the last one follows. */
export function counts(
  digits: string,
  order: readonly number[],
  balances: number,
): readonly { seat: number; text: string; follows: boolean }[] {
  const [first, second] = counting(order, balances);
  const rest = digits.length === 4 ? String(WHOLE - Number(digits.slice(0, 2)) - Number(digits.slice(2))) : "";
  const third = order[balances] ?? 0;
  return [
    { seat: first, text: digits.slice(0, 2), follows: false },
    { seat: second, text: digits.slice(2), follows: false },
    { seat: third, text: rest, follows: true },
  ];
}

/** The entry, once there is enough to ask what it pays. */
export function entryOf(draft: Draft, order: readonly number[], balances: number): DanishDeal | null {
  const { deal, digits } = draft;
  const winner = deal.winner ?? null;
  const uncounted = deal.tout || (deal.nolo ?? []).length > 0;
  if (!draft.scrapped && (winner === null || (digits.length < 4 && !(uncounted && digits === "")))) return null;
  const [first, second] = counting(order, balances);
  const counted = digits.length === 4 ? { [first]: Number(digits.slice(0, 2)), [second]: Number(digits.slice(2)) } : {};
  const whole = { ...deal, counts: counted };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => !isEmpty(value))) as DanishDeal;
}

/** Nobody has captured a card that nobody else has lost. */
function cleared(draft: Draft): Draft {
  const owner = new Map((draft.deal.kings_lost ?? []).map(({ seat, card }) => [card, seat]));
  const pagat = draft.deal.pagat_fate;
  if (pagat && !pagat.home) owner.set(PAGAT, pagat.seat);
  const captured = (draft.deal.captured ?? []).filter(({ by, card }) => (owner.get(card) ?? by) !== by);
  return withDeal(draft, { captured });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (typeof value === "object" && Object.keys(value).length === 0);

const withDeal = (draft: Draft, change: Partial<DanishDeal>): Draft => ({ ...draft, deal: { ...draft.deal, ...change } });
