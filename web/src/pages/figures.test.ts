import { expect, test } from "vitest";
import { bars, dayBegan, meanOf } from "./figures";

test("bars have a common zero", () => {
  const { zero, bars: drawn } = bars([30, -10, 0]);
  expect(zero).toBe(25);
  expect(drawn).toEqual([
    { from: 25, long: 75 },
    { from: 0, long: 25 },
    { from: 25, long: 0 },
  ]);
});

test("shares of a whole begin at nothing and are measured by the whole", () => {
  expect(bars([0.5, 1], 0, 1)).toEqual({
    zero: 0,
    bars: [
      { from: 0, long: 50 },
      { from: 0, long: 100 },
    ],
  });
});

test("without anything there is nothing to draw", () => {
  expect(bars([])).toEqual({ zero: 0, bars: [] });
  expect(bars([0]).bars).toEqual([{ from: 0, long: 0 }]);
  expect(meanOf(5, 0)).toBe(0);
});

test("the day begins at midnight where one is", () => {
  const now = new Date(2026, 2, 5, 17, 30);
  expect(dayBegan(now) * 60_000).toBe(new Date(2026, 2, 5).getTime());
});
