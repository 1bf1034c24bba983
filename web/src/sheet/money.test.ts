import { expect, test } from "vitest";
import { coinsOf } from "./money";

test("a rate is typed with a point or a comma", () => {
  expect(["", "0,25", "0.05", "2"].map(coinsOf)).toEqual([0, 25, 5, 200]);
  expect(["x", "-1", "10000"].map(coinsOf)).toEqual([null, null, null]);
});
