/** What can be checked in a text: a proof as the server gives it, or a record in JSON lines. */
import type { DealingOrder, DealtCards, FairDeal, FairShown } from "../protocol";
import type { AnyProof } from "./fair";

/** Something that was drawn, to check: cards, with the ways of dealing that come into question, or a lot. */
export interface Claim {
  readonly proof: AnyProof;
  readonly draw: FairShown["draw"];
  readonly times: number; // that cards have been dealt in this deal, this time included; 0 for a lot
  readonly dealt: DealtCards;
  readonly ways: readonly DealingOrder[];
  readonly lot?: { readonly seat: number; readonly cards: readonly string[] };
}

/** What was found: what can be checked, and of the first dealer whether nothing can be. */
export interface Found {
  readonly claims: readonly Claim[];
  readonly dealer?: "set" | "unproven";
}

/** What a record says of a deal before its cards: a pack that is not shuffled is cut. */
interface Opened {
  readonly table: number;
  readonly active: readonly number[];
  readonly deck?: readonly string[];
}

interface Lots {
  readonly dealer: number;
  readonly drawn: readonly string[];
  readonly shares: readonly number[];
}

type Line = { type?: string; meta?: { fair?: AnyProof; dealer?: string }; at?: number } & Partial<
  Opened & DealtCards & Lots
>;

const PACKETS = [1, 2, 3, 4, 5, 6];
const ENDS = [0, 1, 2, 3, 4, 5, 6];
const NO_CARDS: DealtCards = { hands: [], chien: [] };

const lotOf = (proof: AnyProof, draw: "dealer" | "rest", seat: number, cards: readonly string[] = []): Claim => ({
  proof,
  draw,
  times: 0,
  dealt: NO_CARDS,
  ways: [],
  lot: { seat, cards },
});

/** Cards that are played again have no proof, but those have that are dealt after them. */
export function claimsOf({ dealing, shuffles, first, rest }: FairDeal): Found {
  const time = shuffles[0]?.proof.dealing === 2 ? 2 : 1;
  const claims: Claim[] = shuffles.map((one, place) => ({
    ...one,
    draw: "cards",
    times: time + place,
    ways: [dealing],
  }));
  if (rest?.proof) claims.push(lotOf(rest.proof, "rest", rest.seat));
  if (!first) return { claims };
  if (!first.proof) return { claims, dealer: first.isSet ? "set" : "unproven" };
  return { claims: [lotOf(first.proof, "dealer", first.dealer, first.cards), ...claims] };
}

/** What was drawn in a text; null when it is neither a proof nor a record in JSON lines. */
export function claimsIn(text: string): Found | null {
  try {
    const whole = JSON.parse(text) as Partial<FairDeal>;
    if (whole.shuffles) return claimsOf(whole as FairDeal);
  } catch {
    // a record is not one value but many lines
  }
  try {
    return inRecord(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Line),
    );
  } catch {
    return null;
  }
}

function inRecord(lines: readonly Line[]): Found | null {
  if (!lines[0] || !("ultimo" in lines[0])) return null;
  const claims: Claim[] = [];
  let dealer: Found["dealer"];
  let opened: Opened = { table: 0, active: [] };
  let pack: readonly string[] = [];
  let times = 0;
  for (const line of lines) {
    const proof = line.meta?.fair;
    if (line.type === "SeriesOpened") {
      if (proof) claims.push(lotOf(proof, "dealer", line.dealer ?? 0, line.drawn));
      else dealer = line.meta?.dealer === "set" ? "set" : "unproven";
    } else if (line.type === "Opened") {
      opened = line as Opened;
      pack = opened.deck ?? [];
      times = 0;
    } else if (line.type === "PackCut") {
      pack = [...pack.slice(line.at), ...pack.slice(0, line.at)];
    } else if (line.type === "Dealt") {
      times += 1;
      if (!proof) continue;
      const dealt = { hands: line.hands ?? [], chien: line.chien ?? [] };
      claims.push({ proof, draw: "cards", times, dealt, ways: waysOf(opened, pack, dealt.chien.length) });
    } else if (line.type === "CupsDivided" && proof) {
      const shares = line.shares ?? [];
      claims.push(lotOf(proof, "rest", shares.indexOf(Math.max(...shares))));
    }
  }
  return claims.length > 0 && dealer ? { claims, dealer } : { claims };
}

/**
 * Every way in which the table could have dealt: a record names its rulebook but not how big a packet is.
 * That a wrong way gives the right hands by chance is out of the question.
 */
function waysOf(opened: Opened, pack: readonly string[], chien: number): DealingOrder[] {
  const ends = chien > 0 ? ENDS : [0];
  return PACKETS.flatMap((packet) =>
    ends.map((end) => ({ seats: opened.table, order: opened.active, packet, chien, ends: end, pack })),
  );
}
