import { expect, test } from "vitest";
import { chart } from "./chart";
import { placeOf, share } from "./standing";

test("a line begins at nothing and uses the whole box", () => {
  const drawn = chart([20, -20], 100, 40);
  expect(drawn).toEqual({ path: "M0 20L50 0L100 40", end: { x: 100, y: 40 }, zero: 20 });
});

test("gains alone stand on the line of nothing", () => {
  expect(chart([10, 40], 100, 40)).toMatchObject({ zero: 40, end: { x: 100, y: 0 } });
});

test("without a deal or without points there is still a line", () => {
  expect(chart([], 100, 40)).toEqual({ path: "M0 20", end: { x: 0, y: 20 }, zero: 20 });
  expect(chart([0], 100, 40).path).toBe("M0 20L100 20");
});

test("the longest bar is whole, the others in proportion", () => {
  expect([-60, 30, 0].map((points) => share(points, [-60, 30, 0]))).toEqual([100, 50, 0]);
  expect(share(0, [0, 0])).toBe(0);
});

test("equal totals share a place", () => {
  expect([68, -136, 68, 0].map((total) => placeOf(total, [68, -136, 68, 0]))).toEqual([1, 4, 1, 3]);
});
