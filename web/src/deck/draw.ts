/** The pencil: small functions that write SVG markup, and the paints they dip into. */

/** The colours of one look; a scene asks for a paint by name and never for a number. */
export type Paint = {
  ink: string;
  paper: string;
  ground: string;
  skin: string;
  red: string;
  blue: string;
  green: string;
  gold: string;
  violet: string;
  brown: string;
  auburn: string;
  white: string;
  grey: string;
  leaf: string;
  water: string;
  line: number;
  bold: boolean;
};

const SOFT: Paint = {
  ink: "#1d2233",
  paper: "#fffdf6",
  ground: "#f7eedb",
  skin: "#f8dcc0",
  red: "#b8293d",
  blue: "#27498a",
  green: "#2c6e58",
  gold: "#e3ab35",
  violet: "#4a2a73",
  brown: "#8a5233",
  auburn: "#b35a24",
  white: "#fffaf0",
  grey: "#aab2bd",
  leaf: "#6f9a4d",
  water: "#3f86a6",
  line: 2.4,
  bold: false,
};

const STRONG: Paint = {
  ...SOFT,
  ink: "#000",
  paper: "#fff",
  ground: "#fff",
  skin: "#fff",
  red: "#b3001b",
  blue: "#0b2f8a",
  green: "#00563f",
  gold: "#f2b100",
  violet: "#3a0a6e",
  white: "#fff",
  line: 3.2,
  bold: true,
};

export const paint = (contrast: boolean): Paint => (contrast ? STRONG : SOFT);

export const path = (d: string, fill = "none", more = ""): string =>
  `<path d="${d}" fill="${fill}"${more && " " + more}/>`;

export const disc = (x: number, y: number, r: number, fill: string, more = ""): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"${more && " " + more}/>`;

export const box = (x: number, y: number, w: number, h: number, fill: string, more = ""): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}"${more && " " + more}/>`;

/** A number with one place after the point. */
export const tenth = (n: number): number => Math.round(n * 10) / 10;

/** A path and its mirror image left and right of x = 0. */
export const both = (d: string, fill?: string, otherFill = fill): string =>
  path(d, fill) + path(d, otherFill, 'transform="scale(-1 1)"');

/** Two discs left and right of x = 0. */
export const discs = (x: number, y: number, r: number, fill: string, more = ""): string =>
  disc(-x, y, r, fill, more) + disc(x, y, r, fill, more);

/** A line with round ends. */
export const stroke = (d: string, colour: string, width: number): string =>
  path(d, "none", `stroke="${colour}" stroke-width="${width}" stroke-linecap="round"`);

export const group = (attributes: string, ...parts: string[]): string =>
  `<g ${attributes}>${parts.join("")}</g>`;

export const at = (x: number, y: number, scale: number, ...parts: string[]): string =>
  group(`transform="translate(${x} ${y}) scale(${scale})"`, ...parts);

/** Draws its parts with an ink outline. */
export const inked = (p: Paint, ...parts: string[]): string =>
  group(`stroke="${p.ink}" stroke-width="${p.line}" stroke-linejoin="round"`, ...parts);

/** Repeats a drawing along a row of places. */
export const each = <T>(places: readonly T[], draw: (place: T, i: number) => string): string =>
  places.map(draw).join("");

/** Sets a half and the same half turned about the middle of the card. */
export const turned = (upper: string, lower = upper): string =>
  upper + group('transform="rotate(180 120 200)"', lower);

/**
 * Shows its parts through a window.
 *
 * A nested svg clips without an id, so that any number of cards can stand on one page.
 */
export const clipped = (x: number, y: number, w: number, h: number, ...parts: string[]): string =>
  `<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="${x} ${y} ${w} ${h}">${parts.join("")}</svg>`;

/** Keeps what is above a line through the middle of the card that falls to the right by `degrees`. */
export const half = (degrees: number, ...parts: string[]): string =>
  group(
    `transform="rotate(${degrees} 120 200)"`,
    clipped(-200, -200, 640, 400, group(`transform="rotate(${-degrees} 120 200)"`, ...parts)),
  );
