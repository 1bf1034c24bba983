import { expect, test } from "vitest";
import type { Scene } from "../protocol";
import { untaken } from "./reveal";

const scene = (you: number | null): Scene =>
  ({
    you,
    hand: you === 1 ? ["SK", "T1", "T2"] : ["H1"],
    turn: you === 1 ? {} : null,
    seats: [
      { seat: 0, cards: 1, hand: [] },
      { seat: 1, cards: 3, hand: you === 1 ? [] : ["SK", "T1"] },
    ],
    reveal: { seat: 1, name: "Chien", text: "", cards: ["T1", "T2"], until: 0 },
  }) as unknown as Scene;

test("what lies in the middle is not in the taker's hand yet, and nothing is asked about it", () => {
  const before = untaken(scene(1));
  expect(before.hand).toEqual(["SK"]);
  expect(before.turn).toBeNull();
  expect(before.seats[1]!.cards).toBe(1);
});

test("others see their own hand, and of the taker what was there before", () => {
  const before = untaken(scene(0));
  expect(before.hand).toEqual(["H1"]);
  expect(before.seats.map(({ cards }) => cards)).toEqual([1, 1]);
  expect(before.seats[1]!.hand).toEqual(["SK"]);
});

test("without a chien in the middle nothing changes", () => {
  const whole = { ...scene(1), reveal: null };
  expect(untaken(whole)).toBe(whole);
});
