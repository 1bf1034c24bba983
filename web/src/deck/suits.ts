/** The four suit signs and the cards that carry nothing else. */
import { at, each, group, path, turned, type Paint } from "./draw";
import { laurel } from "./motifs";

export type Suit = "S" | "H" | "C" | "D";

/** Each sign fills a square from −50 to 50. */
const SIGNS: Record<Suit, string> = {
  S: "M0-50c-9 23-45 38-45 67 0 17 12 25 23 25 9 0 16-5 19-13-1 11-5 18-13 21h32C8 47 4 40 3 29c3 8 10 13 19 13 11 0 23-8 23-25C45-12 9-27 0-50Z",
  H: "M0 50C-8 29-48 9-48-19c0-17 11-27 23-27s21 8 25 20c4-12 13-20 25-20s23 10 23 27C48 9 8 29 0 50Z",
  C: "M-4 22c-5 9-13 15-23 15a23 23 0 1 1 7-45 23 23 0 1 1 40 0 23 23 0 1 1 7 45C17 37 9 31 4 22c0 14 3 23 13 28h-34C-7 45-4 36-4 22Z",
  D: "M0-50C10-31 24-13 38 0 24 13 10 31 0 50-10 31-24 13-38 0c14-13 28-31 38-50Z",
};

export const sign = (suit: Suit, x: number, y: number, size: number, colour: string): string =>
  at(x, y, size / 100, path(SIGNS[suit], colour));

/** The rows of a pip card's side columns and of its middle column: 0 is the top, 1 the middle, 2 the foot. */
const ROWS: Record<number, { sides: readonly number[]; middle: readonly number[] }> = {
  2: { sides: [], middle: [0, 2] },
  3: { sides: [], middle: [0, 1, 2] },
  4: { sides: [0, 2], middle: [] },
  5: { sides: [0, 2], middle: [1] },
  6: { sides: [0, 1, 2], middle: [] },
  7: { sides: [0, 1, 2], middle: [0.5] },
  8: { sides: [0, 1, 2], middle: [0.5, 1.5] },
  9: { sides: [0, 2 / 3, 4 / 3, 2], middle: [1] },
  10: { sides: [0, 2 / 3, 4 / 3, 2], middle: [1 / 3, 5 / 3] },
};

/** Draws the signs of a pip card from 2 to 10; those of the lower half stand on their heads. */
export function pips(suit: Suit, count: number, colour: string): string {
  const pip = (x: number) => (row: number) =>
    sign(suit, x, Math.round(64 + row * 136), row > 1 ? -46 : 46, colour);
  const { sides, middle } = ROWS[count]!;
  return each(sides, pip(88)) + each(sides, pip(152)) + each(middle, pip(120));
}

/** Draws the 1: one great sign in a wreath. */
export function ace(suit: Suit, colour: string, p: Paint): string {
  const wreath = group(
    `stroke="${p.ink}" stroke-width="${p.line * 0.6}"`,
    laurel(120, 200, 72, 15, 165, p.gold),
    laurel(120, 200, 72, 195, 345, p.gold),
  );
  return wreath + turned(sign("D", 120, 122, 16, colour)) + sign(suit, 120, 200, 92, colour);
}
