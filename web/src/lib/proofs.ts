/** What can be checked in a text: a proof as the server gives it, or a record in JSON lines. */
import type { DealingOrder, DealtCards, FairDeal, Proof } from "../protocol";

/** One dealing to check, with the ways of dealing that come into question. */
export interface Claim {
  readonly proof: Proof;
  readonly times: number; // that cards have been dealt in this deal, this time included
  readonly dealt: DealtCards;
  readonly ways: readonly DealingOrder[];
}

/** What a record says of a deal before its cards: a pack that is not shuffled is cut. */
interface Opened {
  readonly table: number;
  readonly active: readonly number[];
  readonly deck?: readonly string[];
}

type Line = { type?: string; meta?: { fair?: Proof }; at?: number } & Partial<Opened> & Partial<DealtCards>;

const PACKETS = [1, 2, 3, 4, 5, 6];
const ENDS = [0, 1, 2, 3, 4, 5, 6];

/** Cards that are played again have no proof, but those have that are dealt after them. */
export function claimsOf({ dealing, shuffles }: FairDeal): Claim[] {
  const first = shuffles[0]?.proof.dealing === 2 ? 2 : 1;
  return shuffles.map((one, place) => ({ ...one, times: first + place, ways: [dealing] }));
}

/** The dealings in a text; null when it is neither a proof nor a record in JSON lines. */
export function claimsIn(text: string): Claim[] | null {
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

function inRecord(lines: readonly Line[]): Claim[] | null {
  if (!lines[0] || !("ultimo" in lines[0])) return null;
  const claims: Claim[] = [];
  let opened: Opened = { table: 0, active: [] };
  let pack: readonly string[] = [];
  let times = 0;
  for (const line of lines) {
    if (line.type === "Opened") {
      opened = line as Opened;
      pack = opened.deck ?? [];
      times = 0;
    } else if (line.type === "PackCut") {
      pack = [...pack.slice(line.at), ...pack.slice(0, line.at)];
    } else if (line.type === "Dealt") {
      times += 1;
      if (!line.meta?.fair) continue;
      const dealt = { hands: line.hands ?? [], chien: line.chien ?? [] };
      claims.push({ proof: line.meta.fair, times, dealt, ways: waysOf(opened, pack, dealt.chien.length) });
    }
  }
  return claims;
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
