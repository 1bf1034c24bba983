/**
 * Checking a draw: the algorithm of the server once more, in the browser.
 *
 * The digest of each attempt at a draw goes into the server's commitment for the next, and that of the last one is
 * the key. From it comes a stream of numbers, HMAC-SHA256 of a counter, and the pack is drawn from it card by card.
 * Secrets, commitments and keys are in hexadecimal.
 */

import type { Attempt, DealingOrder, DealtCards, FirstProof, Proof } from "../protocol";
import { fromHex, hmacWith, sha256, toHex } from "./digests";
import type { Claim } from "./proofs";
import type { Seen } from "./shuffling";

export type AnyProof = Proof | FirstProof;

export const FIRST = "ultimo-fair-1";
export const VERSION = "ultimo-fair-2";

const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"];

/** The pack before it is shuffled. */
export const PACK: readonly string[] = [
  ...["S", "H", "C", "D"].flatMap((suit) => RANKS.map((rank) => suit + rank)),
  ...Array.from({ length: 21 }, (_, at) => `T${at + 1}`),
  "T0",
];

const WORDS = 2 ** 32; // the stream is read as numbers of 32 bits

/** What is told of a secret beforehand; that of the server holds what came before, too. */
export const commitment = async (secret: string, before = ""): Promise<string> =>
  toHex(await sha256(fromHex(before + secret)));

const digest = async (...parts: readonly (string | number)[]): Promise<string> =>
  toHex(await sha256(new TextEncoder().encode(parts.join(":"))));

/** The attempts of a proof; an old one has only one. */
export const attemptsOf = (proof: AnyProof): readonly Attempt[] =>
  proof.version === VERSION
    ? proof.attempts
    : [{ commitment: proof.commitment, secret: proof.secret, players: proof.players }];

/** What comes before each attempt, and last the key of the draw. */
async function chain(proof: AnyProof): Promise<string[]> {
  if (proof.version !== VERSION) {
    const secrets = proof.players.map((share) => share.secret ?? "");
    return ["", await digest(FIRST, proof.table, proof.deal, proof.secret, ...secrets)];
  }
  const found = [await digest(VERSION, proof.table, proof.draw, proof.deal)];
  for (const one of proof.attempts) {
    const shares = one.players.flatMap((share) => [share.seat, share.commitment, share.secret ?? ""]);
    found.push(await digest(found.at(-1)!, one.commitment, one.secret, ...shares));
  }
  return found;
}

/** The key of a draw. */
export const keyOf = async (proof: AnyProof): Promise<string> => (await chain(proof)).at(-1)!;

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

/** One thing that has been checked; `seat` where it is about a player, `attempt` where it is about one of several. */
export interface Check {
  readonly what: "server" | "player" | "version" | "place" | "attempts" | "seen" | "own" | "cards" | "dealer" | "rest";
  readonly passed: boolean;
  readonly seat?: number;
  readonly attempt?: number;
}

/** Why a draw in which everything fits is not proven. */
export type Doubt = "alone" | "late" | "elsewhere" | "older" | "device";

export interface Verdict {
  readonly key: string;
  readonly deck: readonly string[];
  readonly checks: readonly Check[];
  readonly doubts: readonly Doubt[];
  readonly outcome: "fair" | "unproven" | "unfair";
}

/**
 * Draws once more, in one of the ways of dealing that come into question, and compares. Whatever could have been
 * chosen afterwards must be as it was agreed: the spelling of the secrets, the order of the players, which attempts
 * there were, how often cards were dealt, and what a tab that took part has seen and given.
 */
export async function verify(claim: Claim, seen: readonly Seen[] = []): Promise<Verdict> {
  const { proof } = claim;
  const before = await chain(proof);
  const key = before.at(-1)!;
  const attempts = attemptsOf(proof);
  const draw = proof.version === VERSION ? proof.draw : "cards";
  const checks: Check[] = [
    { what: "version", passed: [FIRST, VERSION].includes(proof.version) },
    { what: "place", passed: proof.dealing === claim.times && draw === claim.draw },
  ];
  for (const [number, one] of attempts.entries()) {
    checks.push({ what: "server", attempt: number + 1, passed: await keeps(one, before[number]) });
    for (const [place, share] of one.players.entries()) {
      const ordered = place === 0 || one.players[place - 1]!.seat < share.seat;
      if (!ordered || share.secret || proof.version !== VERSION)
        checks.push({ what: "player", seat: share.seat, attempt: number + 1, passed: ordered && (await keeps(share)) });
    }
  }
  if (attempts.length !== 1 || missing(attempts[0]!).length > 0)
    checks.push({ what: "attempts", passed: inOrder(attempts) });
  const doubts: Doubt[] = [];
  for (const one of seen) {
    const own = await witnessed(proof, one);
    checks.push(...own.checks);
    doubts.push(...own.doubts);
  }
  if (proof.version === FIRST) doubts.push("older");
  if (proof.table.startsWith("~")) doubts.push("device");
  else if (attempts.at(-1)?.players.length === 0) doubts.push("alone");
  const { deck, passed } = await drawn(claim, key);
  checks.push({ what: claim.draw, passed });
  const fits = checks.every((check) => check.passed);
  const outcome = !fits ? "unfair" : doubts.length > 0 ? "unproven" : "fair";
  return { key, deck, checks, doubts: [...new Set(doubts)], outcome };
}

/** What comes of the key, and whether it is what was told. */
async function drawn({ proof, dealt, ways, lot }: Claim, key: string): Promise<{ deck: readonly string[]; passed: boolean }> {
  let deck: readonly string[] = [];
  if (lot) {
    const among = proof.version === VERSION ? proof.among : [];
    if (lot.cards.length === 0) return { deck, passed: among[Number(BigInt(`0x${key}`) % BigInt(among.length || 1))] === lot.seat };
    deck = await (await Stream.of(key, 0)).sample(PACK, lot.cards.length + 1);
    const kept = deck.filter((card) => card !== "T0").slice(0, lot.cards.length);
    return { deck, passed: kept.join() === lot.cards.join() };
  }
  for (const way of ways) {
    const stream = await Stream.of(key, proof.dealing);
    deck = way.pack.length > 0 ? way.pack : await stream.sample(PACK, PACK.length);
    if (sameCards(dealOut(way, deck, await chienPlaces(way, stream)), dealt)) return { deck, passed: true };
  }
  return { deck, passed: false };
}

/** Whether a secret is the one that was committed to, in the one spelling that it has. */
const keeps = async (one: { readonly secret?: string; readonly commitment: string }, before = ""): Promise<boolean> =>
  /^[0-9a-f]{64}$/.test(one.secret ?? "") && (await commitment(one.secret!, before)) === one.commitment;

/** The seats that have not revealed in an attempt. */
export const missing = (attempt: Attempt): number[] =>
  attempt.players.filter((share) => !share.secret).map((share) => share.seat);

/** Whether only attempts were repeated in which a secret was missing, and nobody asked again who had not revealed. */
function inOrder(attempts: readonly Attempt[]): boolean {
  const silent = new Set<number>();
  return attempts.every((attempt, place) => {
    const again = attempt.players.some((share) => silent.has(share.seat));
    missing(attempt).forEach((seat) => silent.add(seat));
    return !again && missing(attempt).length > 0 === place < attempts.length - 1;
  }) && attempts.length > 0;
}

/** What a tab has to say to a proof that took part in one of its attempts. */
async function witnessed(proof: AnyProof, seen: Seen): Promise<{ checks: Check[]; doubts: Doubt[] }> {
  const attempt = attemptsOf(proof).find((one) => one.commitment === seen.server);
  if (!attempt) return { checks: [{ what: "seen", passed: false }], doubts: [] };
  const there = attempt.players.map((share) => share.commitment);
  const shown = seen.players.length === 0 || there.every((one) => seen.players.includes(one));
  const all = proof.version !== VERSION || seen.players.every((one) => there.includes(one));
  const checks: Check[] = [{ what: "seen", passed: shown && all }];
  const mine = await commitment(seen.secret);
  const share = attempt.players.find((one) => one.commitment === mine);
  if (share?.secret) return { checks: [...checks, { what: "own", passed: true }], doubts: [] };
  const other = seen.refused && attempt.players.some((one) => one.seat === seen.seat);
  if (!share && other) return { checks, doubts: ["elsewhere"] };
  const inTime = share || proof.version !== VERSION ? seen.revealed : seen.committed;
  return inTime ? { checks: [...checks, { what: "own", passed: false }], doubts: [] } : { checks, doubts: ["late"] };
}

function sameCards(given: DealtCards, dealt: DealtCards): boolean {
  const piles = (cards: DealtCards): string =>
    JSON.stringify([...cards.hands, cards.chien].map((pile) => [...pile].sort()));
  return piles(given) === piles(dealt);
}
