/** The pieces that the scenes on the trumps are built from. */
import { at, box, disc, each, group, path, stroke, tenth, type Paint } from "./draw";

/** The hour of a scene: every trump shows the same place by day and, turned about, by night. */
export type Hour = {
  night: boolean;
  air: string;
  glow: string;
  far: string;
  near: string;
  sea: string;
  foam: string;
  lit: string;
};

const DAY: Hour = {
  night: false,
  air: "#bfe0e3",
  glow: "#fdf0cf",
  far: "#9cc2a6",
  near: "#6ea163",
  sea: "#3f8bab",
  foam: "#e8f4f2",
  lit: "#2b3c63",
};

const NIGHT: Hour = {
  night: true,
  air: "#222c63",
  glow: "#46519a",
  far: "#33457d",
  near: "#2a5a5a",
  sea: "#1d4a80",
  foam: "#a9c3e6",
  lit: "#ffd667",
};

/** By day; strong colours leave the sky white. */
export const day = (p: Paint): Hour =>
  p.bold ? { ...DAY, air: "#fff", glow: "#fff", foam: "#fff", far: "#7fb08c" } : DAY;
/** By night. */
export const night = (p: Paint): Hour => (p.bold ? { ...NIGHT, air: "#0c1440", glow: "#0c1440" } : NIGHT);

/** A star of four points. */
export function star(x: number, y: number, r: number, fill: string): string {
  const near = tenth(r * 0.28);
  const far = tenth(r - near);
  const right = `l${near} ${far} ${far} ${near}-${far} ${near}-${near} ${far}`;
  const left = `-${near}-${far}-${far}-${near} ${far}-${near}z`;
  return path(`M${x} ${y - r}${right}${left}`, fill, 'stroke="none"');
}

/** Air, and in it a sun with its glow or a moon among stars. */
export function sky(p: Paint, h: Hour, x: number, y: number): string {
  const glow = each([78, 54, 34], (r) => disc(x, y, r, h.glow, 'stroke="none" opacity=".4"'));
  const stars = each(
    [
      [92, 34],
      [120, 62],
      [150, 30],
      [84, 84],
      [212, 104],
      [168, 96],
      [110, 108],
      [206, 26],
    ] as const,
    ([sx, sy], i) => star(sx, sy, i % 3 ? 4.5 : 7, h.lit),
  );
  const light = h.night
    ? path(`M${x + 4} ${y - 20}A21 21 0 1 0 ${x + 19} ${y + 12}A19 19 0 0 1 ${x + 4} ${y - 20}Z`, "#fff3c4")
    : disc(x, y, 19, p.gold);
  return box(10, 10, 220, 194, h.air, 'stroke="none"') + glow + (h.night ? stars : "") + light;
}

/** Land below an outline that runs from the left edge to the right. */
export const ground = (d: string, fill: string): string => path(`${d}V210H8Z`, fill);

export const cloud = (x: number, y: number, scale: number, h: Hour): string =>
  h.night
    ? ""
    : at(
        x,
        y,
        scale,
        path(
          "M-30 10c-12 0-12-16 2-16 2-14 22-16 28-6 10-8 26 0 24 10 14-2 16 12 4 12Z",
          "#fff",
          'stroke="none"',
        ),
      );

/** Gulls far away; they sleep at night. */
export const gulls = (x: number, y: number, h: Hour, p: Paint): string =>
  h.night ? "" : stroke(`M${x} ${y}q6-7 10 0q4-7 10 0M${x + 24} ${y + 14}q5-6 8 0q3-6 8 0`, p.ink, 2.2);

export const pine = (x: number, y: number, scale: number, p: Paint): string =>
  at(
    x,
    y,
    scale,
    box(-3, -8, 6, 10, p.brown),
    path("m0-74 16 28H9l13 20h-9L26-6h-52l13-20h-9l13-20h-7Z", p.green),
  );

export const tree = (x: number, y: number, scale: number, p: Paint): string =>
  at(
    x,
    y,
    scale,
    box(-3.5, -28, 7, 28, p.brown),
    path("M0-80c16 0 24 14 20 24 10 10 2 30-12 28H-8c-14 2-22-18-12-28-4-10 4-24 20-24Z", p.leaf),
  );

/** A gabled house that stands on `y`, with its windows lit at night. */
export function house(
  x: number,
  y: number,
  w: number,
  h: number,
  wall: string,
  roof: string,
  hour: Hour,
): string {
  const pane = (part: number) =>
    box(tenth(x + w * part), tenth(y - h * 0.75), tenth(w * 0.2), tenth(h * 0.35), hour.lit);
  const gable = `M${x - 4} ${y - h}L${x + w / 2} ${tenth(y - h - w * 0.55)} ${x + w + 4} ${y - h}z`;
  return box(x, y - h, w, h, wall) + pane(0.2) + pane(0.6) + path(gable, roof);
}

/** Rows of waves from `y` down. */
export function waves(y: number, h: Hour): string {
  const row = (top: number, shift: number) => `M${8 - shift} ${top}` + "q7-8 14 0t14 0".repeat(9);
  return (
    path(`M4 ${y}` + "q7-8 14 0t14 0".repeat(8) + `V210H4Z`, h.sea) +
    group('opacity=".8"', stroke(row(y + 14, 4) + row(y + 28, 11) + row(y + 42, 0), h.foam, 2))
  );
}

/** A twig of laurel along a ring, between two angles. */
export const laurel = (x: number, y: number, r: number, from: number, to: number, fill: string): string => {
  let leaves = "";
  for (let turn = from; turn <= to; turn += 15)
    leaves += group(
      `transform="rotate(${turn} ${x} ${y})"`,
      path(`M${x - 7} ${y - r}q7-14 18-6q-6 12-18 6zM${x - 7} ${y - r + 5}q9 12 18 3q-8-9-18-3z`, fill),
    );
  return leaves;
};

/** What a trump shows at an hour, drawn for the upper half of the card; the ribbon hides its left corner. */
export type Scene = (p: Paint, h: Hour) => string;

export const hills = (h: Hour): string =>
  ground("M8 150q52-32 112-4t112-16", h.far) + ground("M8 176q62-22 122-4t102-8", h.near);

export const blossom = (x: number, y: number, fill: string, p: Paint): string =>
  stroke(`M${x} ${y}v20`, p.green, 3) +
  each([0, 72, 144, 216, 288], (turn) => disc(x, y - 5, 4.5, fill, `transform="rotate(${turn} ${x} ${y})"`)) +
  disc(x, y, 3.5, p.gold);
