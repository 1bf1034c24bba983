import { expect, test } from "vitest";
import type { Switch } from "../protocol";
import { changedIn, isChanged, meaning, numberIn, valueOf } from "./house";

const demand: Switch = {
  key: "skus.demandable",
  kind: "yes/no",
  label: "Skus can be demanded",
  sentence: "",
  value: true,
  book: true,
  cite: { words: "The federation", why: [] },
  choices: [
    { value: true, sentence: "The skus can be demanded." },
    { value: false, sentence: "Nobody can demand the skus." },
  ],
  least: 0,
  most: 0,
};
const ante: Switch = { ...demand, key: "cups.ante", kind: "number", book: 5, value: 5, choices: [], most: 1000 };

test("a rule has the book's value until it is changed, also to no", () => {
  expect(valueOf(demand, {})).toBe(true);
  expect(valueOf(demand, { "skus.demandable": false })).toBe(false);
  expect(isChanged(demand, { "cups.ante": 10 })).toBe(false);
  expect(changedIn({ title: "All", switches: [demand, ante] }, { "cups.ante": 0, "skus.demandable": false })).toBe(2);
});

test("a value has a sentence, a number has none", () => {
  expect(meaning(demand, false)).toBe("Nobody can demand the skus.");
  expect(meaning(ante, 5)).toBe("");
});

test("a typed number stays within its bounds", () => {
  expect(numberIn(ante, "20")).toBe(20);
  expect(numberIn(ante, "5000")).toBe(1000);
  expect(numberIn(ante, "-3")).toBe(0);
  expect(numberIn(ante, "")).toBeNull();
  expect(numberIn(ante, "1.5")).toBeNull();
});
