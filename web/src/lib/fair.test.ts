import { expect, test } from "vitest";
import { PACK, Stream, commitment, dealKey, dealOut, verify } from "./fair";
import type { DealtCards } from "../protocol";
import type { Claim } from "./proofs";
import type { Seen } from "./shuffling";
import vectors from "./fair.vectors.json";

const split = (text: string): string[] => (text ? text.split(" ") : []);
const dealtOf = ({ dealt }: (typeof vectors)[number]): DealtCards => ({
  hands: dealt.hands.map(split),
  chien: split(dealt.chien),
});

/** What a vector claims. */
const claimOf = (vector: (typeof vectors)[number]): Claim => ({
  proof: vector.proof,
  times: vector.proof.dealing,
  dealt: dealtOf(vector),
  ways: [vector.dealing],
});

const failures = async (claim: Claim, seen?: Seen): Promise<string[]> =>
  (await verify(claim, seen)).checks.filter(({ passed }) => !passed).map(({ what }) => what);

test("a pack has 78 different cards", () => {
  expect(new Set(PACK).size).toBe(78);
  expect([PACK[0], PACK[13], PACK[14], PACK[56], PACK[77]]).toEqual(["S1", "SK", "H1", "T1", "T0"]);
});

test.each(vectors)("the shuffle of $proof.table is that of the server", async (vector) => {
  expect(await commitment(vector.proof.secret)).toBe(vector.proof.commitment);
  expect(await dealKey(vector.proof)).toBe(vector.key);
  const verdict = await verify(claimOf(vector));
  expect(verdict.deck.join(" ")).toBe(vector.deck);
  expect(verdict.checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(verdict.fair).toBe(true);
});

test("another secret than the one that was committed to is found out", async () => {
  const [, vector] = vectors;
  const [first, ...others] = vector!.proof.players;
  const proof = { ...vector!.proof, players: [{ ...first!, secret: "00".repeat(32) }, ...others] };
  const verdict = await verify({ ...claimOf(vector!), proof });
  expect(verdict.fair).toBe(false);
  expect(verdict.checks.filter(({ passed }) => !passed)).toEqual([
    { what: "player", seat: 0, passed: false },
    { what: "cards", passed: false },
  ]);
});

test("two cards that changed places are found out", async () => {
  const vector = vectors[2]!;
  const { hands, chien } = dealtOf(vector);
  const [first, ...others] = hands;
  const swapped = { hands: [[chien[0]!, ...first!.slice(1)], ...others], chien: [first![0]!, ...chien.slice(1)] };
  const verdict = await verify({ ...claimOf(vector), dealt: swapped });
  expect(verdict.checks.filter(({ passed }) => !passed)).toEqual([{ what: "cards", passed: false }]);
});

test("nothing can be chosen afterwards that changes the key", async () => {
  const claim = claimOf(vectors.find(({ proof }) => proof.players.length > 1)!);
  const { secret, players } = claim.proof;
  const upper = { ...claim.proof, secret: secret.toUpperCase() };
  const turned = { ...claim.proof, players: [...players].reverse() };
  expect(await failures(claim)).toEqual([]);
  expect(await failures({ ...claim, proof: upper })).toContain("server");
  expect(await failures({ ...claim, proof: turned })).toContain("player");
  expect(await failures({ ...claim, times: claim.times + 1 })).toEqual(["place"]);
});

test("a tab knows which commitments it was shown", async () => {
  const claim = claimOf(vectors.find(({ proof }) => proof.players.length > 1)!);
  const players = claim.proof.players.map((share) => share.commitment);
  const seen = { server: claim.proof.commitment, players, secret: claim.proof.players[0]!.secret };
  expect(await failures(claim, seen)).toEqual([]);
  expect(await failures(claim, { ...seen, server: "00".repeat(32) })).toEqual(["seen"]);
  expect(await failures(claim, { ...seen, players: players.slice(1) })).toEqual(["seen"]);
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
