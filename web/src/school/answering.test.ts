import { expect, test } from "vitest";
import type { Widget } from "../protocol";
import { areShort, choose, isAnswer, negated, optionOf, toneOf } from "./answering";

const one: Widget = { kind: "choice", options: ["a", "b", "c"], many: false };
const many: Widget = { ...one, many: true };
const number: Widget = { kind: "number" };
const pick: Widget = { kind: "pick", cards: ["SK", "SQ", "S2"], count: 2, barred: ["SK"] };

test("of several options one is chosen, or all that are right", () => {
  expect(choose(one, [], "1")).toEqual(["1"]);
  expect(choose(one, ["1"], "2")).toEqual(["2"]);
  expect(choose(one, ["1"], "1")).toEqual(["1"]);
  expect(choose(many, ["1"], "2")).toEqual(["1", "2"]);
  expect(choose(many, ["1", "2"], "1")).toEqual(["2"]);
});

test("so many cards are picked, and the oldest makes room for another", () => {
  expect(choose(pick, ["SK"], "SQ")).toEqual(["SK", "SQ"]);
  expect(choose(pick, ["SK", "SQ"], "S2")).toEqual(["SQ", "S2"]);
  expect(choose(pick, ["SK", "SQ"], "SQ")).toEqual(["SK"]);
});

test("an answer is whole", () => {
  expect(isAnswer(one, [])).toBe(false);
  expect(isAnswer(many, ["0"])).toBe(true);
  expect(isAnswer(pick, ["SQ"])).toBe(false);
  expect(isAnswer(pick, ["SQ", "S2"])).toBe(true);
  for (const text of ["7", " -12 ", "−3"]) expect(isAnswer(number, [text])).toBe(true);
  for (const text of ["", "x", "1.5", "--1", "123456789"]) expect(isAnswer(number, [text])).toBe(false);
  expect(isAnswer(number, [])).toBe(false);
});

test("a number changes its sign, also before it is written", () => {
  expect(["", "−", "5", "-5", "−5"].map(negated)).toEqual(["−", "", "−5", "5", "5"]);
});

test("a digit chooses an option that is there", () => {
  expect(optionOf(one, "1")).toBe("0");
  expect(optionOf(one, "3")).toBe("2");
  expect(optionOf(one, "4")).toBeNull();
  expect(optionOf(one, "0")).toBeNull();
  expect(optionOf(number, "1")).toBeNull();
});

test("the tenth option and those after it have a key too", () => {
  const dozen: Widget = { ...one, options: [..."abcdefghijkl"] };
  expect(optionOf(dozen, "0")).toBe("9");
  expect(optionOf(dozen, "a")).toBe("10");
  expect(optionOf(dozen, "B")).toBe("11");
  expect(optionOf(dozen, "c")).toBeNull();
  expect(optionOf(dozen, "Enter")).toBeNull();
});

test("what is right is marked, and what was chosen and is not", () => {
  const wrong = { right: false, answer: ["0"] };
  expect(["0", "1", "2"].map((word) => toneOf(word, ["1"], wrong))).toEqual(["right", "wrong", null]);
  const other = { right: true, answer: ["0"] };
  expect(["0", "1", "2"].map((word) => toneOf(word, ["1"], other))).toEqual(["right", "right", null]);
});

test("short options stand side by side", () => {
  expect(areShort(["♠2", "T21", "Skus"])).toBe(true);
  expect(areShort(["♠2", "The king of spades"])).toBe(false);
});
