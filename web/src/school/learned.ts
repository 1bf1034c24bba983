/** How far somebody has come in a course. */

import type { Family } from "../lib/words";
import type { LessonLine, SchoolChapter } from "../protocol";

type Solved = Pick<LessonLine, "exercises" | "solved">;

export const isDone = ({ exercises, solved }: Solved): boolean => solved >= exercises;

/** How much of some lessons is solved, from 0 to 1. */
export function share(lessons: readonly Solved[]): number {
  const all = lessons.reduce((sum, { exercises }) => sum + exercises, 0);
  return all === 0 ? 0 : lessons.reduce((sum, { solved }) => sum + solved, 0) / all;
}

export const chaptersOf = (chapters: readonly SchoolChapter[], family: Family): SchoolChapter[] =>
  chapters.filter((chapter) => chapter.family === family);

/** Where to go on: the lesson after the last that was begun, or that one itself while something of it is left. */
export function nextLesson(chapters: readonly SchoolChapter[]): LessonLine | null {
  const lessons = chapters.flatMap((chapter) => chapter.lessons);
  const last = lessons.findLastIndex(({ solved }) => solved > 0);
  const open = (lesson: LessonLine): boolean => !isDone(lesson);
  return lessons.slice(Math.max(0, last)).find(open) ?? lessons.find(open) ?? null;
}
