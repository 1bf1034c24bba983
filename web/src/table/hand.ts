/** How a hand lies: its order, and its rows on a narrow screen. */

import type { Sorting } from "../lib/prefs.svelte";

export const ONE_ROW = 12; // as many cards are still read with ease in one row of a phone
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

/** One row, or two as even as can be; of two even ways the one that does not part a suit. */
export function rows(cards: readonly string[], width: number, low = false): string[][] {
  if (cards.length <= ONE_ROW || width >= NARROW || low) return [[...cards]];
  const [less, more] = [Math.floor(cards.length / 2), Math.ceil(cards.length / 2)];
  const ends = (at: number) => suitOf(cards[at]!) !== suitOf(cards[at - 1]!);
  const at = !ends(more) && ends(less) ? less : more;
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

/** The first sentence of a text. */
export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
