/** Where the seats are on the screen: oneself below, the next to play at the right, and so on round. */

export type Place = "bottom" | "right" | "topright" | "top" | "topleft" | "left";

/** How the table is laid out: a phone held upright, a window with room at the sides, one with little height. */
export type Shape = "upright" | "wide" | "low";

const ROUND: Record<number, readonly Place[]> = {
  3: ["bottom", "topright", "topleft"],
  4: ["bottom", "right", "top", "left"],
  5: ["bottom", "right", "topright", "topleft", "left"],
};

const TALL = 440; // pixels of a table that has room for a hand, a trick and a question under each other
const SIDES = 440; // pixels across of a table on which they stand side by side
const WIDE = 720; // pixels across of a table with plates at both sides

/** The place of a seat for somebody who sits at `base`. */
export function placeOf(seat: number, base: number, size: number): Place {
  return ROUND[size]![(seat - base + size) % size]!;
}

/** The shape of a table of this size, in pixels. */
export function shapeOf(width: number, height: number): Shape {
  if (height < TALL && width >= SIDES) return "low";
  return width >= WIDE ? "wide" : "upright";
}
