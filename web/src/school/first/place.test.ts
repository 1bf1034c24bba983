import { expect, test } from "vitest";
import type { Happening } from "../../protocol";
import { pauseAfter, placeOf } from "./place";

test("a place is what was kept, and nonsense is the beginning", () => {
  const moves = [{ type: "Pass" }] as const;
  expect(placeOf({ at: 3, moves })).toEqual({ at: 3, moves });
  for (const nonsense of [null, 7, "x", [], {}, { at: -1, moves }, { at: 1.5, moves }, { at: 2 }, { at: 2, moves: "CK" }])
    expect(placeOf(nonsense)).toEqual({ at: 0, moves: [] });
});

test("a complete trick is seen longer than a card", () => {
  const told = (kind: Happening["kind"]): Happening => ({ kind }) as Happening;
  expect(pauseAfter([told("played"), told("won")], "do")).toBeGreaterThan(pauseAfter([told("played")], "do"));
});
