import { expect, test } from "vitest";
import type { LessonLine, SchoolChapter } from "../protocol";
import { chaptersOf, isDone, nextLesson, share } from "./learned";

const lesson = (name: string, solved: number, exercises = 2): LessonLine => ({
  name,
  title: name,
  goal: "",
  exercises,
  solved,
});
const chapter = (family: "danish" | "french", ...lessons: LessonLine[]): SchoolChapter => ({
  id: lessons[0]!.name,
  family,
  title: "",
  lessons,
});

test("a lesson is done when all of it is solved", () => {
  expect(isDone(lesson("a", 1))).toBe(false);
  expect(isDone(lesson("a", 2))).toBe(true);
});

test("the share of a chapter counts exercises", () => {
  expect(share([lesson("a", 2), lesson("b", 0, 6)])).toBe(0.25);
  expect(share([])).toBe(0);
});

test("one goes on after the last lesson that was begun", () => {
  const names = (...solved: number[]) =>
    nextLesson([chapter("danish", ...solved.map((one, at) => lesson("abc"[at]!, one)))])?.name;
  expect(names(0, 0, 0)).toBe("a");
  expect(names(1, 0, 0)).toBe("a");
  expect(names(2, 0, 0)).toBe("b");
  expect(names(0, 2, 0)).toBe("c");
  expect(names(0, 2, 2)).toBe("a");
  expect(names(2, 2, 2)).toBeUndefined();
});

test("each game has its own chapters", () => {
  const all = [chapter("danish", lesson("a", 0)), chapter("french", lesson("b", 0))];
  expect(chaptersOf(all, "french").map(({ id }) => id)).toEqual(["b"]);
});
