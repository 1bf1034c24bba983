import { expect, test } from "vitest";
import { addressOf, wishesOf } from "./wishes";

test("only what is wished for stands in the address", () => {
  expect(wishesOf("", "")).toBe("");
  expect(addressOf("", "")).toBe("/puzzles/next");
  expect(addressOf("king", "")).toBe("/puzzles/next?theme=king");
  expect(addressOf("king", "dtf", "abc")).toBe("/puzzles/abc?theme=king&rules=dtf");
});
