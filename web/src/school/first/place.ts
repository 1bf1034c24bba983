/** Where somebody is in a guided deal, kept in the browser; and how long what happens there is left to be seen. */

import type { Family } from "../../lib/words";
import type { Action, FirstShown, Happening } from "../../protocol";

export type Place = { at: number; moves: readonly Action[] };

const CARD = 650; // milliseconds until the next card falls
const TRICK = 1300; // in which a trick lies on the table that is complete

const key = (game: Family): string => `ultimo.first.${game}`;

export function keep(game: Family, place: Place): void {
  try {
    localStorage.setItem(key(game), JSON.stringify(place));
  } catch {
    // a browser that keeps nothing: the deal goes on until the page is left
  }
}

export function kept(game: Family): Place {
  try {
    return placeOf(JSON.parse(localStorage.getItem(key(game)) ?? "null"));
  } catch {
    return { at: 0, moves: [] }; // a browser that keeps nothing, or kept nonsense
  }
}

/** A place as it was kept; nonsense is the beginning. What the moves are worth, the server says. */
export function placeOf(text: unknown): Place {
  const { at, moves } = (text ?? {}) as Partial<Place>;
  const good = Number.isInteger(at) && at! >= 0 && Array.isArray(moves);
  return good ? { at: at!, moves: moves! } : { at: 0, moves: [] };
}

/** How long it is seen; what leads to a step where nothing is done goes by more quickly. */
export function pauseAfter(story: readonly Happening[], kind: FirstShown["kind"]): number {
  const long = story.some((one) => one.kind === "won") ? TRICK : CARD;
  return kind === "on" ? long * 0.8 : long;
}
