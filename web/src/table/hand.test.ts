import { expect, test } from "vitest";
import { arranged, firstSentence, nextCard, rows } from "./hand";

const HAND = ["T21", "T3", "T0", "SK", "S4", "HQ", "C10", "C2", "DJ"];

test("a hand lies as its holder likes it", () => {
  expect(arranged(HAND, { trumps: "left", suits: "SHCD", descending: true })).toEqual(HAND);
  expect(arranged(HAND, { trumps: "right", suits: "DCHS", descending: true })).toEqual([
    ...["DJ", "C10", "C2", "HQ", "SK", "S4"],
    ...["T21", "T3", "T0"],
  ]);
  expect(arranged(HAND, { trumps: "left", suits: "SHCD", descending: false }).slice(0, 5)).toEqual([
    ...["T0", "T3", "T21"],
    ...["S4", "SK"],
  ]);
});

const many = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([suit, count]) =>
    Array.from({ length: count }, (_, at) => `${suit}${at + 1}`),
  );

test("a hand is one row as long as it can be read with ease", () => {
  expect(rows(many({ T: 8, S: 4 }), 360)).toHaveLength(1);
  expect(rows(many({ T: 8, S: 5 }), 360)).toHaveLength(2);
  expect(rows(many({ T: 15, S: 10 }), 1200)).toHaveLength(1);
  expect(rows(many({ T: 15, S: 10 }), 600, true)).toHaveLength(1);
});

test("the longer of two rows is as short as can be", () => {
  for (let count = 13; count <= 28; count++) {
    const [first, second] = rows(many({ T: 10, S: count - 10 }), 360);
    expect(Math.max(first!.length, second!.length)).toBe(Math.ceil(count / 2));
  }
});

test("of two even ways the one is taken that does not part a suit", () => {
  const [first, second] = rows(many({ T: 12, S: 6, H: 7 }), 360);
  expect(first).toHaveLength(12);
  expect(second![0]).toBe("S1");
});

test("the coach says the first sentence", () => {
  expect(firstSentence("Lay 3 cards. Kings stay.")).toBe("Lay 3 cards.");
  expect(firstSentence("No end")).toBe("No end");
});

test("arrows go to cards that may be played, and stop at the end", () => {
  const open = new Set(["T3", "DJ"]);
  expect(nextCard(HAND, open, "T21", 1)).toBe("T3");
  expect(nextCard(HAND, open, "T3", 1)).toBe("DJ");
  expect(nextCard(HAND, open, "DJ", 1)).toBe("DJ");
  expect(nextCard(HAND, open, "DJ", -1)).toBe("T3");
});
