import { expect, test } from "vitest";
import type { DecisionShown, Grade, OptionShown } from "../tutor/types";
import { begin, byCard, choose, isDone, next, show, shuffledBy } from "./learning";

const option = (label: string, grade: Grade, cards: string[] = [label], chosen = false): OptionShown => ({
  label,
  cards,
  action: { type: "Pass" },
  points: 0,
  behind: 0,
  error: 0,
  open: null,
  chosen,
  grade,
  standing: "worse",
});

const options = [option("S4", "best"), option("S2", "fine"), option("HK", "blunder", ["HK"], true)];

const decision = (at: number, seat: number, grade: Grade, of: readonly OptionShown[] = options): DecisionShown =>
  ({ at, seat, grade, options: of }) as unknown as DecisionShown;

test("only costly decisions of the seat are asked, and only where there was a choice", () => {
  const lesson = begin(
    [
      decision(0, 0, "blunder"),
      decision(1, 1, "mistake"),
      decision(2, 0, "best"),
      decision(3, 0, "slip"),
      decision(4, 0, "mistake", [option("S4", "best")]),
    ],
    0,
  );
  expect(lesson.tasks).toEqual([0, 3]);
  expect(isDone(lesson)).toBe(false);
});

test("a good answer at the first try counts", () => {
  const lesson = choose(begin([decision(0, 0, "blunder")], 0), options, 1);
  expect([lesson.solved, lesson.right]).toEqual([true, 1]);
  expect(isDone(next(lesson))).toBe(true);
});

test("a bad answer can be tried again, but does not count then", () => {
  let lesson = choose(begin([decision(0, 0, "blunder")], 0), options, 2);
  expect([lesson.solved, lesson.right]).toEqual([false, 0]);
  lesson = choose(lesson, options, 2); // the same once more says nothing new
  expect(lesson.tried).toEqual([2]);
  lesson = choose(lesson, options, 0);
  expect([lesson.solved, lesson.right, lesson.tried]).toEqual([true, 0, [2, 0]]);
});

test("who is shown the answer gets no point, and the next one begins anew", () => {
  const lesson = show(begin([decision(0, 0, "blunder"), decision(1, 0, "slip")], 0));
  expect(choose(lesson, options, 0)).toBe(lesson);
  expect(next(lesson)).toMatchObject({ at: 1, tried: [], solved: false, right: 0 });
});

test("options are chosen by their cards where each is a card of its own", () => {
  expect(byCard(options)).toBe(true);
  expect(byCard([option("a", "best", ["S1", "S2"]), option("b", "slip", ["S3"])])).toBe(false);
  expect(byCard([option("T0=S", "best", ["T0"]), option("T0=H", "slip", ["T0"])])).toBe(false);
  expect(byCard([option("Pass", "best", [])])).toBe(false);
});

test("the order of the options does not tell the best", () => {
  expect(shuffledBy(options).map(({ at }) => at)).toEqual([2, 1, 0]);
});
