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
  const found = claimsIn(record(vector));
  expect(found?.claims).toHaveLength(1);
  const checked = await verify({ ...found!.claims[0]!, times: vector.proof.dealing });
  expect(checked.outcome).not.toBe("unfair");
});

test("a record in which two cards changed places is found out", async () => {
  const [mine, yours] = vectors[0]!.dealt.hands.map((hand) => `"${split(hand)[0]}"`) as [string, string];
  const text = record(vectors[0]!).replace(mine, "here").replace(yours, mine).replace("here", yours);
  expect((await verify(claimsIn(text)!.claims[0]!)).outcome).toBe("unfair");
});

test("a proof of the server is a claim for each dealing", () => {
  const { proof, dealing, dealt } = vectors[0]!;
  const shuffles = [{ proof, dealt }];
  const whole = { rules: "dtf", house: {}, dealer: 0, dealing, shuffles, first: null, rest: null };
  const claim = { proof, draw: "cards", times: 1, dealt, ways: [dealing] };
  expect(claimsIn(JSON.stringify(whole))).toEqual({ claims: [claim] });
  const first = { dealer: 2, cards: [], proof: null, isSet: true };
  expect(claimsIn(JSON.stringify({ ...whole, first }))).toEqual({ claims: [claim], dealer: "set" });
  const lots = { first: { ...first, proof }, rest: { seat: 1, proof } };
  const lot = { proof, times: 0, dealt: { hands: [], chien: [] }, ways: [] };
  expect(claimsIn(JSON.stringify({ ...whole, ...lots }))?.claims).toEqual([
    { ...lot, draw: "dealer", lot: { seat: 2, cards: [] } },
    claim,
    { ...lot, draw: "rest", lot: { seat: 1, cards: [] } },
  ]);
});

test("a record says of the first dealer how they came about", () => {
  const begun = (meta: object) =>
    [{ ultimo: 1 }, { type: "SeriesOpened", dealer: 1, drawn: [], meta }, ...record(vectors[0]!).trim().split("\n").slice(1)]
      .map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
      .join("\n");
  expect(claimsIn(begun({}))?.dealer).toBe("unproven");
  expect(claimsIn(begun({ dealer: "set" }))?.dealer).toBe("set");
  const drawn = claimsIn(begun({ fair: vectors[0]!.proof }));
  expect([drawn?.dealer, drawn?.claims[0]?.lot]).toEqual([undefined, { seat: 1, cards: [] }]);
});

test("a record without proofs has nothing to check, and any other text is no record", () => {
  expect(claimsIn('{"ultimo":1,"rules":"dtf"}\n{"type":"Opened","table":3,"active":[1,2,0]}\n')).toEqual({ claims: [] });
  expect(claimsIn("Ultimo record 1")).toBeNull();
  expect(claimsIn("{}")).toBeNull();
});
