import { expect, test } from "vitest";
import type { TrainerBook } from "../protocol";
import { trainerLink, trainersOf } from "./links";

const book = (id: string, family: "danish" | "french"): TrainerBook => ({ id, title: id, family });
const declarations = { id: "declarations", books: [book("dtf", "danish")] };
const score = { id: "score", books: [book("dtf", "danish"), book("vlk", "danish"), book("french4", "french")] };

test("a trainer is shown with every game that it serves", () => {
  expect(trainersOf([declarations, score], "danish")).toEqual([declarations, score]);
  expect(trainersOf([declarations, score], "french")).toEqual([score]);
});

test("it begins by the usual rulebook of the game", () => {
  expect(trainerLink(score, "danish")).toBe("/school/trainers/score");
  expect(trainerLink(score, "french")).toBe("/school/trainers/score?rules=french4");
});
