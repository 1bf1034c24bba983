/** The chien in the middle: what the table looks like before its taker has taken it up. */

import type { Scene } from "../protocol";

/** The scene without the cards that still lie in the middle, and without what is asked about them. */
export function untaken(scene: Scene): Scene {
  const { reveal, you } = scene;
  if (reveal === null) return scene;
  const seats = scene.seats.map((seat) =>
    seat.seat === reveal.seat
      ? {
          ...seat,
          cards: seat.cards - reveal.cards.length,
          hand: seat.hand.filter((card) => !reveal.cards.includes(card)),
        }
      : seat,
  );
  if (you !== reveal.seat) return { ...scene, seats };
  return { ...scene, seats, hand: scene.hand.filter((card) => !reveal.cards.includes(card)), turn: null };
}
