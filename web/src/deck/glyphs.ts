/** Index figures and letters, drawn as strokes: a card looks the same whatever fonts a machine has. */
import { group, path, tenth } from "./draw";

const GAP = 5;

/** Width and strokes of each sign, 60 high, drawn with a pen 9.5 wide. */
const GLYPHS: Record<string, readonly [number, string]> = {
  0: [32, "M5 19a11 14 0 0 1 22 0v22a11 14 0 0 1-22 0z"],
  1: [17, "M1 16L12 7V60"],
  2: [32, "M5 21v-2a11 14 0 0 1 22 0C27 33 5 40 5 55H30"],
  3: [32, "M4 5h22L14 25c8 0 13 6 13 15a11 15 0 0 1-22 3"],
  4: [34, "M22 60V5L5 42H33"],
  5: [32, "M28 5H8L6 29c6-7 21-7 21 10a11 16 0 0 1-22 4"],
  6: [32, "M25 2C10 13 5 28 5 40a11 15 0 1 0 22 0a11 14 0 0 0-21-5"],
  7: [31, "M2 5H26L11 60"],
  8: [32, "M16 27a9.5 11 0 1 1 .1 0za11 14 0 1 0 .1 0z"],
  9: [32, "M7 58C22 47 27 32 27 20a11 15 0 1 0-22 0a11 14 0 0 0 21 5"],
  K: [37, "M6 0v60M33 1 8 35m7-8 18 32"],
  Q: [37, "M5 20a13 15 0 0 1 26 0v20a13 15 0 0 1-26 0zM19 42L35 59"],
  N: [38, "M6 60V5h3l20 50h3V0"],
  J: [29, "M11 5H23V40a9 15 0 0 1-18 1"],
  R: [36, "M6 60V5h11a11 13 0 0 1 0 27H6m12 0 14 27"],
  D: [37, "M6 5h8c13 0 17 11 17 25s-4 25-17 25H6Z"],
  C: [35, "M31 20C30 10 25 5 19 5 9 5 5 14 5 30s4 25 14 25c6 0 11-5 12-15"],
  V: [37, "m5 0 12 54h3L32 0"],
  B: [36, "M6 5H17a11 12 0 0 1 0 23H6V5m0 23H19a12 13.5 0 0 1 0 27H6Z"],
  n: [28, "M6 60V24m0 12c3-11 17-11 17 2v22"],
};

/**
 * Draws an index of one or two signs centred on `x`, with its top at `y`, no wider than `room`.
 *
 * A letter without a drawing is set as text.
 */
export function index(sign: string, x: number, y: number, room: number, colour: string): string {
  const glyphs = [...sign].map((letter) => GLYPHS[letter]);
  if (!glyphs.every((glyph) => glyph !== undefined)) return text(sign, x, y, room, colour);
  const width = glyphs.reduce((sum, [w]) => sum + w + GAP, -GAP);
  const squeeze = Math.min(1.12, room / width);
  let left = 0;
  const strokes = glyphs.map(([w, d]) => {
    const placed = left === 0 ? path(d) : path(d, "none", `transform="translate(${left})"`);
    left += w + GAP;
    return placed;
  });
  const start = tenth(x - (width * squeeze) / 2);
  const transform = `translate(${start} ${y}) scale(${Math.round(squeeze * 100) / 100} 1.1)`;
  return group(
    `transform="${transform}" stroke="${colour}" stroke-width="9.5" data-index="${sign}"`,
    ...strokes,
  );
}

function text(sign: string, x: number, y: number, room: number, colour: string): string {
  const safe = sign.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const width = Math.min(room, 40 * sign.length);
  const font = 'font-family="Georgia,serif" font-weight="700" font-size="78" text-anchor="middle"';
  const fit = `textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x}" y="${y + 66}" ${font} ${fit} fill="${colour}" data-index="${safe}">${safe}</text>`;
}
