/** Cards that play themselves: the only one that may be played, and the last of a hand. */

import type { Scene } from "../protocol";

export type OnlyCard = { card: string; last: boolean };

const SEEN = 400; // milliseconds in which the table is seen before a card goes by itself
const USUAL = 2_500; // milliseconds a turn takes of which nothing is known
const SHORTEST = 1_000;
const LONGEST = 6_000;

/** The card of a turn that leaves no choice at all. */
export function onlyCard(scene: Scene): OnlyCard | null {
  const { turn, you } = scene;
  if (turn === null || you === null || !scene.seats[you]!.turn || turn.only === null) return null;
  return { card: turn.only, last: scene.hand.length === 1 };
}

/** Whether nobody but bots sits at the table with the viewer. */
export function amongBots(scene: Scene): boolean {
  return scene.seats.every(({ kind, seat }) => kind === "bot" || seat === scene.you);
}

/**
 * How long to wait with such a card, in milliseconds. A forced card that came at once would tell other people
 * that it was forced: it comes after as long as one of the visitor's own recent turns took.
 */
export function waitFor(
  { last }: OnlyCard,
  alone: boolean,
  recent: readonly number[],
  pace: number,
  random: number,
): number {
  if (last || alone) return SEEN * pace;
  const like = recent[Math.floor(random * recent.length)] ?? USUAL;
  return Math.min(LONGEST, Math.max(SHORTEST, like));
}
