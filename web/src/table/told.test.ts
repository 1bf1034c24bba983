import { expect, test } from "vitest";
import type { Happening } from "../protocol";
import { batches, lines, whole } from "./told";

const happening = (kind: Happening["kind"], text: string): Happening => ({
  kind,
  text,
  seat: null,
  card: null,
  payment: null,
  moment: null,
});
const paid = (reason: string, points: number): Happening => ({
  ...happening("paid", `${points} for ${reason}`),
  payment: { deal: 1, payer: 0, payee: 1, points, reason, text: "", cite: "" },
});

test("of the cards only the last two tricks are told", () => {
  const trick = (number: number) => [
    happening("played", `card ${number}`),
    happening("won", `trick ${number}`),
  ];
  const story = [
    happening("told", "declared"),
    ...trick(1),
    ...trick(2),
    ...trick(3),
    happening("played", "card 4"),
  ];
  expect(lines(story).map(({ text }) => text)).toEqual([
    "declared",
    "trick 1",
    "trick 2",
    "card 3",
    "trick 3",
    "card 4",
  ]);
});

test("after the deal every trick has its cards, also of those that were told before the page came", () => {
  const story = [
    happening("won", "A wins"),
    happening("chat", "hello"),
    happening("told", "B does not have it"),
    happening("played", "A leads Q"),
    happening("won", "B wins"),
  ];
  expect(whole(story, ["A K, B 2", "A Q, B K"]).map(({ text }) => text)).toEqual([
    "A K, B 2",
    "B does not have it",
    "A Q, B K",
  ]);
});

test("chat and silence are no part of the story", () => {
  expect(lines([happening("chat", "hello"), happening("told", "")])).toEqual([]);
});

test("payments for one reason go together", () => {
  const found = batches([paid("ante", 2), happening("told", "so"), paid("fine", 5), paid("ante", 3)]);
  expect(found.map((batch) => batch.map(({ payment }) => payment!.points))).toEqual([[2, 3], [5]]);
});
