import { expect, test } from "vitest";
import { verify } from "./fair";
import vectors from "./fair.vectors.json";
import { claimsIn } from "./proofs";

const split = (text: string): string[] => (text ? text.split(" ") : []);

/** A record in JSON lines of one deal of a vector. */
function record({ proof, dealing, dealt }: (typeof vectors)[number]): string {
  const cards = { hands: dealt.hands.map(split), ...(dealt.chien && { chien: split(dealt.chien) }) };
  return [
    { ultimo: 1, rules: "any", table: dealing.seats },
    { type: "Opened", table: dealing.seats, dealer: dealing.order.at(-1), active: dealing.order },
    { type: "Dealt", ...cards, meta: { at: 1, fair: proof } },
    { type: "DealClosed", result: "played" },
  ]
    .map((line) => JSON.stringify(line) + "\n")
    .join("");
}

test.each(vectors)("the cards of $proof.table are checked from a record", async (vector) => {
  const claims = claimsIn(record(vector));
  expect(claims).toHaveLength(1);
  expect((await verify({ ...claims![0]!, times: vector.proof.dealing })).fair).toBe(true);
});

test("a record in which two cards changed places is found out", async () => {
  const [mine, yours] = vectors[0]!.dealt.hands.map((hand) => `"${split(hand)[0]}"`) as [string, string];
  const text = record(vectors[0]!).replace(mine, "here").replace(yours, mine).replace("here", yours);
  expect((await verify(claimsIn(text)![0]!)).fair).toBe(false);
});

test("a proof of the server is a claim for each dealing", () => {
  const { proof, dealing, dealt } = vectors[0]!;
  const shuffles = [{ proof, dealt }];
  expect(claimsIn(JSON.stringify({ rules: "dtf", house: {}, dealer: 0, dealing, shuffles }))).toEqual([
    { proof, times: 1, dealt, ways: [dealing] },
  ]);
});

test("a record without proofs has nothing to check, and any other text is no record", () => {
  expect(claimsIn('{"ultimo":1,"rules":"dtf"}\n{"type":"Opened","table":3,"active":[1,2,0]}\n')).toEqual([]);
  expect(claimsIn("Ultimo record 1")).toBeNull();
  expect(claimsIn("{}")).toBeNull();
});
