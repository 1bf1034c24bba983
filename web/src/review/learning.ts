/** Learning from one's mistakes: going through the costly decisions of a seat and finding something better. */

import type { DecisionShown, Grade, OptionShown } from "../tutor/types";

export const COSTLY: readonly Grade[] = ["slip", "mistake", "blunder"];
const GOOD: readonly Grade[] = ["best", "fine", "forced"];

export const isCostly = ({ grade }: Pick<DecisionShown, "grade">): boolean => COSTLY.includes(grade);

export interface Lesson {
  readonly tasks: readonly number[]; // the decisions, by their index
  readonly at: number; // which of them is asked; after the last one all are done
  readonly tried: readonly number[]; // the options that were chosen for it, by their index
  readonly solved: boolean; // the answer is known: it was found, or shown
  readonly right: number; // how many were found at the first try
}

/** The decisions of a seat that cost something and left a choice, in the order of play. */
export function begin(decisions: readonly DecisionShown[], seat: number): Lesson {
  const tasks = decisions.filter((one) => one.seat === seat && isCostly(one) && one.options.length > 1);
  return { tasks: tasks.map(({ at }) => at), at: 0, tried: [], solved: false, right: 0 };
}

export const isRight = ({ grade }: Pick<OptionShown, "grade">): boolean => GOOD.includes(grade);

/** An option is chosen: a good one ends the task, another can be tried again. */
export function choose(lesson: Lesson, options: readonly OptionShown[], option: number): Lesson {
  if (lesson.solved || lesson.tried.includes(option) || !options[option]) return lesson;
  const found = isRight(options[option]);
  return {
    ...lesson,
    tried: [...lesson.tried, option],
    solved: found,
    right: lesson.right + (found && lesson.tried.length === 0 ? 1 : 0),
  };
}

/** Whoever gives up is told. */
export const show = (lesson: Lesson): Lesson => ({ ...lesson, solved: true });

export const next = (lesson: Lesson): Lesson => ({
  ...lesson,
  at: Math.min(lesson.at + 1, lesson.tasks.length),
  tried: [],
  solved: false,
});

export const isDone = (lesson: Lesson): boolean => lesson.at >= lesson.tasks.length;

/** Whether each option is a card of its own, so that it can be chosen by touching that card. */
export function byCard(options: readonly OptionShown[]): boolean {
  const cards = options.map(({ cards }) => cards[0]);
  return options.every(({ cards }) => cards.length === 1) && new Set(cards).size === cards.length;
}

/** The options in an order that does not tell which is best. */
export function shuffledBy(options: readonly OptionShown[]): { option: OptionShown; at: number }[] {
  return options
    .map((option, at) => ({ option, at }))
    .sort((one, other) => one.option.label.localeCompare(other.option.label));
}
