/** A French deal as it is tapped in, and the entry that follows. */

import type { FrenchDeal } from "../protocol";

export type Side = "taker" | "defence";

/** What has been tapped so far; `partner` is null where the taker plays alone, undefined until it is known. */
export interface Draft {
  readonly passed: boolean;
  readonly taker: number | null;
  readonly bid: string;
  readonly partner: number | null | undefined;
  readonly bouts: number | null;
  readonly digits: string;
  readonly half: boolean;
  readonly counted: Side;
  readonly petit: Side | null;
  readonly poignees: readonly (readonly [Side, number])[];
  readonly slamAnnounced: Side | null;
  readonly slamMade: Side | null;
  readonly fault: Side | null;
}

export const BLANK: Draft = {
  passed: false,
  taker: null,
  bid: "",
  partner: undefined,
  bouts: null,
  digits: "",
  half: false,
  counted: "taker",
  petit: null,
  poignees: [],
  slamAnnounced: null,
  slamMade: null,
  fault: null,
};

/** An entry that was written, to be changed. */
export function draftOf(deal: FrenchDeal): Draft {
  if ((deal.taker ?? null) === null) return { ...BLANK, passed: true };
  const points = deal.half_points ?? 0;
  return {
    passed: false,
    taker: deal.taker ?? null,
    bid: deal.bid ?? "",
    partner: deal.partner ?? null,
    bouts: deal.bouts ?? 0,
    digits: String(Math.floor(points / 2)).padStart(2, "0"),
    half: points % 2 === 1,
    counted: deal.counted ?? "taker",
    petit: deal.petit_au_bout ?? null,
    poignees: deal.poignees ?? [],
    slamAnnounced: deal.slam_announced ?? null,
    slamMade: deal.slam_made ?? null,
    fault: deal.fault ?? null,
  };
}

export const typed = (draft: Draft, digit: string): Draft =>
  draft.digits.length < 2 ? { ...draft, digits: draft.digits + digit } : draft;

export const erased = (draft: Draft): Draft =>
  draft.half ? { ...draft, half: false } : { ...draft, digits: draft.digits.slice(0, -1) };

/** A poignée shown by a side, or not. */
export function shown(draft: Draft, side: Side, size: number): Draft {
  const others = draft.poignees.filter(([by, many]) => by !== side || many !== size);
  const same = others.length < draft.poignees.length;
  return { ...draft, poignees: same ? others : [...others, [side, size]] };
}

/** The entry, once there is enough to ask what it pays. */
export function entryOf(draft: Draft, called: boolean): FrenchDeal | null {
  if (draft.passed) return { game: "french" };
  const { taker, bid, partner, bouts, digits } = draft;
  if (taker === null || bid === "" || bouts === null || digits.length < 2) return null;
  if (called && partner === undefined) return null;
  return {
    game: "french",
    taker,
    bid,
    bouts,
    half_points: 2 * Number(digits) + (draft.half ? 1 : 0),
    ...(partner !== null && partner !== undefined && partner !== taker ? { partner } : {}),
    ...(draft.counted === "defence" ? { counted: draft.counted } : {}),
    ...(draft.petit ? { petit_au_bout: draft.petit } : {}),
    ...(draft.poignees.length > 0 ? { poignees: draft.poignees } : {}),
    ...(draft.slamAnnounced ? { slam_announced: draft.slamAnnounced } : {}),
    ...(draft.slamMade ? { slam_made: draft.slamMade } : {}),
    ...(draft.fault ? { fault: draft.fault } : {}),
  };
}
