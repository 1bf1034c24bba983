/** How a hand lies: its order, and its rows on a narrow screen. */

import type { Sorting } from "../lib/prefs.svelte";

export const ONE_ROW = 18; // as many cards are still read in one row of a phone
export const NARROW = 640; // pixels

/** The signs of the suits; trumps have none. */
export const SIGNS: Readonly<Record<string, string>> = { S: "♠", H: "♥", C: "♣", D: "♦" };

/** The suit of a card in notation, `T` for a trump. */
export const suitOf = (card: string): string => card.charAt(0);

/**
 * The hand in the order its holder likes. It comes with each suit from the highest card down; which card is
 * higher only the table knows, so suits are moved and turned as wholes.
 */
export function arranged(hand: readonly string[], { trumps, suits, descending }: Sorting): string[] {
  const order = trumps === "left" ? `T${suits}` : `${suits}T`;
  return [...order].flatMap((suit) => {
    const held = hand.filter((card) => suitOf(card) === suit);
    return descending ? held : held.reverse();
  });
}

/** One row, or two that part where a suit ends nearest to the middle, unless that makes them too unlike. */
export function rows(cards: readonly string[], width: number): string[][] {
  if (cards.length <= ONE_ROW || width >= NARROW) return [[...cards]];
  const middle = Math.ceil(cards.length / 2);
  const ends = cards.flatMap((card, at) => (at > 0 && suitOf(card) !== suitOf(cards[at - 1]!) ? [at] : []));
  const nearest = ends.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), 0);
  const at = Math.abs(nearest - middle) <= cards.length / 6 ? nearest : middle;
  return [cards.slice(0, at), cards.slice(at)];
}

/** The next card of those that may be gone to, from one of the hand, in a direction; at the end it stays. */
export function nextCard(
  cards: readonly string[],
  open: ReadonlySet<string>,
  from: string,
  step: 1 | -1,
): string {
  for (let at = cards.indexOf(from) + step; at >= 0 && at < cards.length; at += step)
    if (open.has(cards[at]!)) return cards[at]!;
  return from;
}
