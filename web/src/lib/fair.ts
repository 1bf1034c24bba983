/**
 * Checking a shuffle: the algorithm of the server once more, in the browser.
 *
 * The key of a deal is the SHA-256 of all secrets together. From it comes a stream of numbers, HMAC-SHA256 of
 * a counter, and the pack is drawn from it card by card. Secrets, commitments and keys are in hexadecimal.
 */

import type { DealingOrder, DealtCards, Proof } from "../protocol";
import { fromHex, hmacWith, sha256, toHex } from "./digests";
import type { Claim } from "./proofs";
import type { Seen } from "./shuffling";

export const VERSION = "ultimo-fair-1";

const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"];

/** The pack before it is shuffled. */
export const PACK: readonly string[] = [
  ...["S", "H", "C", "D"].flatMap((suit) => RANKS.map((rank) => suit + rank)),
  ...Array.from({ length: 21 }, (_, at) => `T${at + 1}`),
  "T0",
];

const WORDS = 2 ** 32; // the stream is read as numbers of 32 bits

/** What is told of a secret beforehand. */
export const commitment = async (secret: string): Promise<string> => toHex(await sha256(fromHex(secret)));

/** The key of a deal from the secrets of the server and of the players, in the order of their seats. */
export async function dealKey(proof: Proof): Promise<string> {
  const secrets = proof.players.map((share) => share.secret);
  const text = [VERSION, proof.table, proof.deal, proof.secret, ...secrets].join(":");
  return toHex(await sha256(new TextEncoder().encode(text)));
}

/** Numbers that follow from a key; another dealing in the same deal has others. */
export class Stream {
  private words: number[] = [];
  private blocks = 0;

  private constructor(
    private readonly sign: Awaited<ReturnType<typeof hmacWith>>,
    private readonly dealing: number,
  ) {}

  static async of(key: string, dealing: number): Promise<Stream> {
    return new Stream(await hmacWith(fromHex(key)), dealing);
  }

  /** A number from 0, each as likely as another: what would favour the small ones is drawn again. */
  async below(bound: number): Promise<number> {
    for (;;) {
      const word = await this.word();
      if (word < WORDS - (WORDS % bound)) return word % bound;
    }
  }

  /** Some of the population in the order in which they are drawn. */
  async sample<T>(population: readonly T[], count: number): Promise<T[]> {
    const pool = [...population];
    for (let place = 0; place < count; place++) {
      const other = place + (await this.below(pool.length - place));
      [pool[place], pool[other]] = [pool[other]!, pool[place]!];
    }
    return pool.slice(0, count);
  }

  private async word(): Promise<number> {
    if (this.words.length === 0) {
      const text = new TextEncoder().encode(`${this.dealing}:${this.blocks++}`);
      const block = new DataView((await this.sign(text)).buffer);
      this.words = Array.from({ length: 8 }, (_, at) => block.getUint32(4 * at));
    }
    return this.words.shift()!;
  }
}

/** The hands that a pack gives; what is left over by full rounds goes to the dealer, who is last in the order. */
export function dealOut(dealing: DealingOrder, deck: readonly string[], chienAt: readonly number[]): DealtCards {
  const { order, packet } = dealing;
  const hands: string[][] = Array.from({ length: dealing.seats }, () => []);
  const stream = deck.filter((_, place) => !chienAt.includes(place));
  const whole = stream.length - (stream.length % (packet * order.length));
  stream.forEach((card, place) => {
    const seat = place < whole ? order[Math.floor(place / packet) % order.length]! : order.at(-1)!;
    hands[seat]!.push(card);
  });
  return { hands, chien: chienAt.map((place) => deck[place]!) };
}

/** The places in the pack whose cards go to the chien. */
async function chienPlaces(dealing: DealingOrder, stream: Stream): Promise<number[]> {
  if (dealing.chien === 0) return [];
  const places = Array.from({ length: PACK.length - 2 * dealing.ends }, (_, at) => at + dealing.ends);
  return (await stream.sample(places, dealing.chien)).sort((a, b) => a - b);
}

/** One thing that has been checked; `seat` where it is about a player. */
export interface Check {
  readonly what: "server" | "player" | "version" | "place" | "seen" | "cards";
  readonly passed: boolean;
  readonly seat?: number;
}

export interface Verdict {
  readonly key: string;
  readonly deck: readonly string[];
  readonly checks: readonly Check[];
  readonly fair: boolean;
}

/**
 * Shuffles and deals once more, in one of the ways of dealing that come into question, and compares. Whatever
 * could have been chosen afterwards must be as it was agreed: the spelling of the secrets, the order of the
 * players, how often cards were dealt, and, for a tab that saw them, the commitments.
 */
export async function verify({ proof, times, dealt, ways }: Claim, seen: Seen | null = null): Promise<Verdict> {
  const key = await dealKey(proof);
  let deck: readonly string[] = [];
  let same = false;
  for (const way of ways) {
    const stream = await Stream.of(key, proof.dealing);
    deck = way.pack.length > 0 ? way.pack : await stream.sample(PACK, PACK.length);
    same = sameCards(dealOut(way, deck, await chienPlaces(way, stream)), dealt);
    if (same) break;
  }
  const checks: Check[] = [
    { what: "version", passed: proof.version === VERSION },
    { what: "place", passed: proof.dealing === times },
    { what: "server", passed: await keeps(proof) },
  ];
  for (const [place, share] of proof.players.entries()) {
    const ordered = place === 0 || proof.players[place - 1]!.seat < share.seat;
    checks.push({ what: "player", seat: share.seat, passed: ordered && (await keeps(share)) });
  }
  if (seen) checks.push({ what: "seen", passed: wasSeen(proof, seen) });
  checks.push({ what: "cards", passed: same });
  return { key, deck, checks, fair: checks.every(({ passed }) => passed) };
}

/** Whether a secret is the one that was committed to, in the one spelling that it has. */
const keeps = async (one: { readonly secret: string; readonly commitment: string }): Promise<boolean> =>
  /^[0-9a-f]{64}$/.test(one.secret) && (await commitment(one.secret)) === one.commitment;

/** Whether a tab was shown these commitments before the cards were dealt. */
const wasSeen = (proof: Proof, seen: Seen): boolean =>
  proof.commitment === seen.server && proof.players.every((share) => seen.players.includes(share.commitment));

function sameCards(given: DealtCards, dealt: DealtCards): boolean {
  const piles = (cards: DealtCards): string =>
    JSON.stringify([...cards.hands, cards.chien].map((pile) => [...pile].sort()));
  return piles(given) === piles(dealt);
}
