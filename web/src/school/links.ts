/** Where the school leads to beside its own lessons. */

import type { Family } from "../lib/words";
import type { TrainerLine } from "../protocol";

export const FIRST = (family: Family): string => `/school/first/${family}`;
export const PUZZLES = "/puzzles";
export const GAMES_TO_WATCH = "/games";
export const HOW_TO_PLAY: Record<Family, string> = { danish: "/learn/dtf", french: "/learn/french4" };

/** The trainers of a game; some serve both. */
export const trainersOf = <T extends Pick<TrainerLine, "books">>(trainers: readonly T[], game: Family): T[] =>
  trainers.filter(({ books }) => books.some(({ family }) => family === game));

/** A trainer by the usual rulebook of a game. */
export function trainerLink({ id, books }: Pick<TrainerLine, "id" | "books">, game: Family): string {
  const usual = books.findIndex(({ family }) => family === game);
  return `/school/trainers/${id}${usual > 0 ? `?rules=${books[usual]!.id}` : ""}`;
}
