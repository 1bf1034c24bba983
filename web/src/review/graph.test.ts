import { expect, test } from "vitest";
import { drawn, momentAt, niceStep, spread, xOf, type Frame } from "./graph";

const frame: Frame = { width: 120, height: 100, left: 10, right: 10, top: 0, bottom: 0 };

test("a scale has steps that read well", () => {
  expect([niceStep(100, 5), niceStep(37, 5), niceStep(3, 5), niceStep(0, 5)]).toEqual([20, 10, 1, 1]);
});

test("each seat has a line, and all lines one scale with zero in it", () => {
  const { points, paths, ticks, zero } = drawn(
    [
      [0, 10],
      [-20, 10],
      [20, -20],
    ],
    frame,
  );
  expect(points).toHaveLength(2);
  expect(paths[0]).toBe("M10 50L60 100L110 0");
  expect(ticks.map(({ value }) => value)).toEqual([-20, -10, 0, 10, 20]);
  expect(zero).toBe(50);
});

test("a deal without any change is a line at zero, within the frame", () => {
  const { points, zero } = drawn([[0], [0]], frame);
  expect(points[0]!.map(({ y }) => y)).toEqual([zero, zero]);
  expect(zero).toBeLessThanOrEqual(frame.height);
  expect(drawn([], frame).paths).toEqual([]);
});

test("a touch finds the nearest moment, and never one that is not there", () => {
  for (const at of [0, 1, 2, 3, 4]) expect(momentAt(xOf(at, 5, frame), 5, frame)).toBe(at);
  expect(momentAt(-50, 5, frame)).toBe(0);
  expect(momentAt(500, 5, frame)).toBe(4);
  expect(momentAt(36, 5, frame)).toBe(1);
  expect(momentAt(10, 1, frame)).toBe(0);
});

test("labels stand apart, in the order of their lines, and within the frame", () => {
  expect(spread([10, 50], 20, 0, 100)).toEqual([10, 50]);
  expect(spread([50, 52], 20, 0, 100)).toEqual([50, 70]);
  expect(spread([98, 99, 97], 10, 0, 100)).toEqual([90, 100, 80]);
  expect(spread([], 10, 0, 100)).toEqual([]);
});
