import { expect, test } from "vitest";
import { lines } from "./lines";

test("all lines have one scale and begin at nothing", () => {
  const drawn = lines([[10, -10], [30, -30]], 2, 100, 60);
  expect(drawn.paths).toEqual(["M0 30L50 20L100 0", "M0 30L50 40L100 60"]);
  expect(drawn.zero).toBe(30);
  expect(drawn.ends[1]).toEqual({ x: 100, y: 60 });
});

test("an evening without a deal is a flat line", () => {
  expect(lines([], 3, 100, 60).paths).toEqual(["M0 30", "M0 30", "M0 30"]);
});
