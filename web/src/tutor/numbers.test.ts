import { expect, test } from "vitest";
import { about, chance, points } from "./numbers";

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

test("only what is sure reads as sure", () => {
  expect([chance(0), chance(0.001), chance(0.5), chance(0.999), chance(1)]).toEqual([
    "0 %",
    "1 %",
    "50 %",
    "99 %",
    "100 %",
  ]);
});
