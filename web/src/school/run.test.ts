import { expect, test } from "vitest";
import { after, begin } from "./run";

const fresh = () => ({ seed: "new", n: 0, streak: 0 });

test("a run goes on while answers are right, and another begins after a wrong one", () => {
  expect(after({ seed: "a", n: 3, streak: 3 }, 4, fresh)).toEqual({ seed: "a", n: 4, streak: 4 });
  expect(after({ seed: "a", n: 3, streak: 3 }, 0, fresh)).toEqual(fresh());
});

test("a seed is one that the server takes", () => {
  expect(begin().seed).toMatch(/^[0-9a-z]{12}$/);
  expect(begin(() => [0, 35, 36]).seed).toBe("0z0");
});
