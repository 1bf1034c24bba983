import { expect, test } from "vitest";
import { markOf } from "./marking";

const slip = { seat: 1, cards: ["SK"], grade: "slip", options: [{ cards: ["S2"] }, { cards: ["SK"] }] } as const;

test("what was played is marked, and what was best where that was costly", () => {
  expect(markOf(slip, 1, "SK")?.tone).toBe("bad");
  expect(markOf(slip, 1, "S2")?.tone).toBe("good");
  expect(markOf(slip, 1, "S3")).toBeUndefined();
  expect(markOf(slip, 2, "SK")).toBeUndefined();
  expect(markOf(null, 1, "SK")).toBeUndefined();
});

test("of what was right nothing else is marked", () => {
  const right = { ...slip, grade: "best" } as const;
  expect(markOf(right, 1, "SK")?.tone).toBe("good");
  expect(markOf(right, 1, "S2")).toBeUndefined();
});
