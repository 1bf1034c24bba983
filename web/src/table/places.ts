/** Where the seats are on the screen: oneself below, the next to play at the right, and so on round. */

export type Place = "bottom" | "right" | "topright" | "top" | "topleft" | "left";

const ROUND: Record<number, readonly Place[]> = {
  3: ["bottom", "topright", "topleft"],
  4: ["bottom", "right", "top", "left"],
  5: ["bottom", "right", "topright", "topleft", "left"],
};

/** The place of a seat for somebody who sits at `base`. */
export function placeOf(seat: number, base: number, size: number): Place {
  return ROUND[size]![(seat - base + size) % size]!;
}
