import { expect, test } from "vitest";
import { madeOf, whiskered } from "./bars";

test("bars begin at a common zero, and whiskers lie on the same scale", () => {
  const { zero, bars } = whiskered([
    { value: 10, error: 5, tick: 20 },
    { value: -5, error: null },
  ]);
  expect(zero).toBe(20);
  expect(bars[0]).toEqual({ from: 20, long: 40, low: 40, high: 80, tick: 100 });
  expect(bars[1]).toEqual({ from: 0, long: 20, low: 0, high: 0, tick: null });
});

test("nothing at all is drawn at zero", () => {
  expect(whiskered([]).zero).toBe(0);
  expect(whiskered([{ value: 0 }]).bars[0]).toEqual({ from: 0, long: 0, low: 0, high: 0, tick: null });
});

test("a whisker that crosses zero stays within the scale", () => {
  const { zero, bars } = whiskered([{ value: 1, error: 3 }]);
  expect(zero).toBe(33.3);
  expect([bars[0]!.low, bars[0]!.high]).toEqual([0, 100]);
});

test("a result is the cards, and from there the play", () => {
  expect(madeOf(30, -10)).toEqual({
    zero: 0,
    luck: { from: 0, long: 100 },
    play: { from: 66.7, long: 33.3 },
    end: 66.7,
  });
  expect(madeOf(-20, 10)).toMatchObject({ zero: 100, luck: { from: 0, long: 100 }, play: { from: 0, long: 50 } });
  expect(madeOf(10, -20)).toMatchObject({ zero: 50, luck: { from: 50, long: 50 }, end: 0 });
  expect(madeOf(0, 0).zero).toBe(0);
});
