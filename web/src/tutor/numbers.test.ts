import { expect, test } from "vitest";
import { about, percents, points } from "./numbers";

test("points have a sign and at most one decimal", () => {
  expect([points(3.14), points(-2), points(0), points(-0.01), points(123.4)]).toEqual([
    "+3.1",
    "−2",
    "0",
    "0",
    "+123",
  ]);
});

test("a loss is rounded as the same gain is", () => {
  expect([points(-5.65), points(5.65), points(-0.25)]).toEqual(["−5.7", "+5.7", "−0.3"]);
});

test("an error is told where there is one", () => {
  expect([about(3, 0.5), about(3, null), about(-3, 0)]).toEqual(["+3 ± 0.5", "+3", "−3"]);
});

test("the chances of a row make a hundred, and only what is sure reads as sure", () => {
  expect(percents([0.335, 0.335, 0.33, 0])).toEqual([34, 33, 33, 0]);
  expect(percents([0.999, 0.001])).toEqual([99, 1]);
  expect(percents([0.996, 0.002, 0.002])).toEqual([98, 1, 1]);
  expect(percents([1, 0])).toEqual([100, 0]);
  expect(percents([0.125, 0.125, 0.75])).toEqual([13, 12, 75]);
  for (const some of [[0.505, 0.495], [0.1666, 0.1667, 0.6667], [0.004, 0.496, 0.5]])
    expect(percents(some).reduce((sum, one) => sum + one, 0)).toBe(100);
});
