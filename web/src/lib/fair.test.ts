import { expect, test } from "vitest";
import { PACK, Stream, attemptsOf, commitment, dealOut, keyOf, missing, verify, type AnyProof } from "./fair";
import type { Attempt, DealtCards, Proof } from "../protocol";
import type { Claim } from "./proofs";
import type { Seen } from "./shuffling";
import vectors from "./fair.vectors.json";

const split = (text: string): string[] => (text ? text.split(" ") : []);
const dealtOf = ({ dealt }: (typeof vectors)[number]): DealtCards => ({
  hands: dealt.hands.map(split),
  chien: split(dealt.chien),
});

/** What a vector claims. */
const proofOf = (vector: (typeof vectors)[number]): AnyProof => vector.proof as AnyProof;
const claimOf = (vector: (typeof vectors)[number]): Claim => ({
  proof: proofOf(vector),
  draw: "cards",
  times: vector.proof.dealing,
  dealt: dealtOf(vector),
  ways: [vector.dealing],
});

const failures = async (claim: Claim, ...seen: Seen[]): Promise<string[]> =>
  (await verify(claim, seen)).checks.filter(({ passed }) => !passed).map(({ what }) => what);

/** The vector of a table. */
const vectorOf = (table: string) => vectors.find(({ proof }) => proof.table === table)!;

/** A proof with something else in its last attempt. */
function changed(proof: AnyProof, last: Partial<Attempt>): Proof {
  if (proof.version !== "ultimo-fair-2") throw new Error("an old proof has no attempts");
  return { ...proof, attempts: [...proof.attempts.slice(0, -1), { ...proof.attempts.at(-1)!, ...last }] };
}

test("a pack has 78 different cards", () => {
  expect(new Set(PACK).size).toBe(78);
  expect([PACK[0], PACK[13], PACK[14], PACK[56], PACK[77]]).toEqual(["S1", "SK", "H1", "T1", "T0"]);
});

test.each(vectors)("the shuffle of $proof.table is that of the server", async (vector) => {
  expect(await keyOf(proofOf(vector))).toBe(vector.key);
  const verdict = await verify(claimOf(vector));
  expect(verdict.deck.join(" ")).toBe(vector.deck);
  expect(verdict.checks.filter(({ passed }) => !passed)).toEqual([]);
  const doubt = ({ alone: "alone", old: "older", "~0123456789abcdef": "device" } as Record<string, string>)[vector.proof.table];
  expect([verdict.outcome, verdict.doubts]).toEqual(doubt ? ["unproven", [doubt]] : ["fair", []]);
});

test("another secret than the one that was committed to is found out", async () => {
  const vector = vectorOf("friends");
  const [first, ...others] = attemptsOf(proofOf(vector))[0]!.players;
  const proof = changed(proofOf(vector), { players: [{ ...first!, secret: "00".repeat(32) }, ...others] });
  expect(await failures({ ...claimOf(vector), proof })).toEqual(["player", "cards"]);
});

test("two cards that changed places are found out", async () => {
  const vector = vectorOf("french");
  const { hands, chien } = dealtOf(vector);
  const [first, ...others] = hands;
  const swapped = { hands: [[chien[0]!, ...first!.slice(1)], ...others], chien: [first![0]!, ...chien.slice(1)] };
  expect(await failures({ ...claimOf(vector), dealt: swapped })).toEqual(["cards"]);
});

test("nothing can be chosen afterwards that changes the key", async () => {
  const claim = claimOf(vectorOf("friends"));
  const { secret, players } = attemptsOf(claim.proof)[0]!;
  expect(await failures(claim)).toEqual([]);
  expect(await failures({ ...claim, proof: changed(claim.proof, { secret: secret.toUpperCase() }) })).toContain("server");
  expect(await failures({ ...claim, proof: changed(claim.proof, { players: [...players].reverse() }) })).toContain(
    "player",
  );
  expect(await failures({ ...claim, times: claim.times + 1 })).toEqual(["place"]);
  expect(await failures({ ...claim, draw: "dealer", lot: { seat: 0, cards: [] } })).toContain("place");
});

test("what full rounds leave over goes to the last of the order", () => {
  const dealing = { seats: 3, order: [1, 2, 0], packet: 2, chien: 0, ends: 0, pack: [] };
  expect(dealOut(dealing, [..."abcdefgh"], [])).toEqual({
    hands: [
      ["e", "f", "g", "h"],
      ["a", "b"],
      ["c", "d"],
    ],
    chien: [],
  });
});

test("numbers stay below their bound", async () => {
  const stream = await Stream.of("ab".repeat(32), 1);
  const drawn = [];
  for (let time = 0; time < 40; time++) drawn.push(await stream.below(3));
  expect(new Set(drawn)).toEqual(new Set([0, 1, 2]));
});

// --- a server that bends the shuffle ------------------------------------------------------------------------

const LATE = claimOf(vectorOf("late")); // seat 1 has not revealed in the first attempt, and rests in the second

/** What the tab of a seat has kept of an attempt in which it answered at once. */
async function tab(claim: Claim, seat: number, attempt = 1, kept: Partial<Seen> = {}): Promise<Seen> {
  const one = attemptsOf(claim.proof)[attempt - 1]!;
  const secret = kept.secret ?? one.players.find((share) => share.seat === seat)?.secret ?? "";
  return {
    number: attempt,
    draw: "cards",
    deal: claim.proof.deal,
    seat,
    server: one.commitment,
    players: one.players.map((share) => share.commitment),
    secret,
    committed: true,
    revealed: true,
    ...kept,
  };
}

const told = async (claim: Claim, ...seen: Seen[]) => {
  const { outcome, doubts } = await verify(claim, seen);
  return [outcome, ...doubts, ...(await failures(claim, ...seen))];
};

test("a failed attempt is fair for those who took part in both, and names who was missing", async () => {
  expect(missing(attemptsOf(LATE.proof)[0]!)).toEqual([1]);
  expect(await told(LATE, await tab(LATE, 0), await tab(LATE, 0, 2))).toEqual(["fair"]);
});

test("a tab that revealed at once and is missing says not fair; one that was slow came too late", async () => {
  const secret = "ab".repeat(32);
  const players = attemptsOf(LATE.proof)[0]!.players;
  const mine = await commitment(secret);
  const bent = players.map((share) => (share.seat === 1 ? { ...share, commitment: mine } : share));
  if (LATE.proof.version !== "ultimo-fair-2") throw new Error("it has attempts");
  const [failed, last] = LATE.proof.attempts;
  const claim = { ...LATE, proof: { ...LATE.proof, attempts: [{ ...failed!, players: bent }, last!] } };
  expect((await told(claim, await tab(claim, 1, 1, { secret }))).slice(0, 1)).toEqual(["unfair"]);
  expect(await failures(claim, await tab(claim, 1, 1, { secret }))).toContain("own");
  expect((await verify(claim, [await tab(claim, 1, 1, { secret, revealed: false })])).doubts).toEqual(["late"]);
});

test("a server that leaves out everybody says that it shuffled alone, and each tab that it is not fair", async () => {
  const claim = claimOf(vectorOf("alone"));
  expect(await told(claim)).toEqual(["unproven", "alone"]);
  const secret = "cd".repeat(32);
  const mine = [await commitment(secret)];
  const left = await tab(claim, 1, 1, { secret, players: mine });
  expect(await told(claim, left)).toEqual(["unfair", "alone", "seen", "own"]);
  const unasked = await tab(claim, 1, 1, { secret, players: [] });
  expect(await told(claim, unasked)).toEqual(["unfair", "alone", "own"]);
  expect(await told(claim, { ...unasked, committed: false })).toEqual(["unproven", "late", "alone"]);
  expect(await told(claim, { ...unasked, refused: true })).toEqual(["unfair", "alone", "own"]);
});

test("best of many: an attempt that a tab has seen may not be hidden or replaced", async () => {
  if (LATE.proof.version !== "ultimo-fair-2") throw new Error("it has attempts");
  const hidden = { ...LATE, proof: { ...LATE.proof, attempts: LATE.proof.attempts.slice(1) } };
  expect(await failures(hidden, await tab(LATE, 0))).toEqual(expect.arrayContaining(["server", "seen"]));
  const friends = claimOf(vectorOf("friends"));
  expect(await told(friends, await tab(friends, 0, 1, { server: "00".repeat(32) }))).toEqual(["unfair", "seen"]);
});

test("best of many: a reveal that is left out without a word is found out", async () => {
  const five = claimOf(vectorOf("five"));
  const { players } = attemptsOf(five.proof)[0]!;
  const fewer = { ...five, proof: changed(five.proof, { players: players.slice(1) }) };
  expect(await failures(fewer, await tab(five, 1))).toContain("seen");
  expect(await failures(fewer, await tab(five, 0))).toContain("own");
  const unopened = players.map((share, place) => (place === 0 ? { ...share, secret: "" } : share));
  expect(await failures({ ...five, proof: changed(five.proof, { players: unopened }) })).toContain("attempts");
});

test("an attempt that all have opened may not be repeated, nor somebody be asked again", async () => {
  if (LATE.proof.version !== "ultimo-fair-2") throw new Error("it has attempts");
  const [failed, last] = LATE.proof.attempts;
  const again = (...attempts: Attempt[]) => ({ ...LATE, proof: { ...LATE.proof, attempts } as Proof });
  expect(await failures(again(last!, last!))).toContain("attempts");
  expect(await failures(again(failed!, failed!, last!))).toContain("attempts");
  expect(await failures(again())).toContain("attempts");
});

test("a seat that took part from elsewhere is said to have", async () => {
  const friends = claimOf(vectorOf("friends"));
  const other = await tab(friends, 0, 1, { secret: "ef".repeat(32), refused: true });
  expect(await told(friends, other)).toEqual(["unproven", "elsewhere"]);
  expect(await told(friends, { ...other, refused: false })).toEqual(["unfair", "own"]);
});

test("an old proof is no way out: a tab that revealed says that it is missing", async () => {
  const old = claimOf(vectorOf("old"));
  const secret = "ab".repeat(32);
  const players = [...attemptsOf(old.proof)[0]!.players.map((share) => share.commitment), await commitment(secret)];
  expect(await told(old, await tab(old, 1, 1, { secret, players }))).toEqual(["unfair", "older", "own"]);
  expect(await told(old, await tab(old, 1, 1, { secret, players, revealed: false }))).toEqual([
    "unproven",
    "late",
    "older",
  ]);
});

test("lots come from the key", async () => {
  const friends = claimOf(vectorOf("friends"));
  if (friends.proof.version !== "ultimo-fair-2") throw new Error("it has attempts");
  const among = [0, 2, 3];
  const proof: Proof = { ...friends.proof, among, dealing: 0 };
  const seat = among[Number(BigInt(`0x${await keyOf(proof)}`) % 3n)]!;
  const claim: Claim = { ...friends, proof, times: 0, draw: "cards", lot: { seat, cards: [] } };
  expect(await failures(claim)).toEqual([]);
  expect(await failures({ ...claim, lot: { seat: 1, cards: [] } })).toEqual(["cards"]);
});
