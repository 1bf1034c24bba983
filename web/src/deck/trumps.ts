/** The trumps and the skus: full pictures under a ribbon, so that no one takes them for a suit. */
import { SEAM, SLOPE } from "./courts";
import {
  at,
  both,
  box,
  clipped,
  disc,
  discs,
  each,
  group,
  half,
  inked,
  path,
  stroke,
  turned,
  type Paint,
} from "./draw";
import { head } from "./heads";
import { day, night, star } from "./motifs";
import { PLACES } from "./places";
import { THINGS } from "./things";

/** From a robin to the world: the scenes grow with the numbers. */
const SCENES = [...THINGS, ...PLACES];

const framed = (inner: string, p: Paint): string =>
  clipped(13, 13, 214, 374, inner) +
  box(13, 13, 214, 374, "none", `rx="6" stroke="${p.violet}" stroke-width="5"`) +
  box(17, 17, 206, 366, "none", `rx="3" stroke="${p.gold}" stroke-width="2"`);

/** Draws the scene of a trump by day above and by night below. */
export function trump(number: number, p: Paint): string {
  const scene = SCENES[number - 1]!;
  const seam =
    box(13, 195, 214, 10, p.violet) +
    stroke("M13 195H227M13 205H227", p.gold, 2) +
    path("m120 186 14 14-14 14-14-14Z", p.violet, `stroke="${p.gold}" stroke-width="2"`) +
    star(120, 200, 9, p.gold);
  return framed(turned(half(0, inked(p, scene(p, day(p)))), half(0, inked(p, scene(p, night(p))))) + seam, p);
}

/** Hangs the index of a trump on a ribbon; the three honours T21, T1 and T0 have a gold hem. */
export function ribbon(p: Paint, number: number, sign: string): string {
  const honour = number < 2 || number > 20;
  const cloth = path(
    "M7 20Q7 7 20 7H62V130L34.5 112 7 130Z",
    number ? p.violet : p.red,
    `stroke="${honour ? p.gold : p.paper}" stroke-width="${honour ? 3.5 : 2}"`,
  );
  return cloth + sign + star(34.5, 98, 8, p.gold);
}

/** Draws the skus, a fool with cap, bells and lute; `word` is what his table calls him. */
export function fool(word: string, p: Paint): string {
  const cloth = p.bold
    ? ""
    : each([...Array(28).keys()], (i) =>
        path(
          `M${12 + (i % 4) * 72 - (i % 8 > 3 ? 36 : 0)} ${14 + (i >> 2) * 32}l18 32-18 32-18-32z`,
          p.gold,
          'opacity=".28"',
        ),
      );
  const upper = half(
    SLOPE,
    box(10, 10, 220, 240, p.ground),
    cloth,
    inked(p, group('transform="translate(146)"', minstrel(p))),
  );
  const sash =
    stroke(SEAM, p.ink, 29) +
    stroke(SEAM, p.violet, 25) +
    stroke(SEAM, p.gold, 20) +
    stroke(SEAM, p.violet, 17);
  const font = 'font-family="Georgia,serif" font-style="italic" font-size="20" text-anchor="middle"';
  const name = group(
    'transform="rotate(19 120 200)"',
    `<text x="64" y="206" ${font} fill="${p.white}">${word}</text>`,
  );
  const corner = ribbon(p, 0, at(34.5, 47, 1, path(STAR, p.white)));
  return framed(turned(upper) + sash + turned(name) + star(120, 200, 11, p.gold), p) + turned(corner);
}

/** The sign of the skus, in place of a number. */
const STAR = "M0-24 6.5-7.5H24L10 4l5.5 17L0 10.5-15.5 21-10 4-24-7.5h17.5Z";

function minstrel(p: Paint): string {
  const bells = [
    [68, 80],
    [62, 162],
    [30, 184],
    [0, 192],
  ] as const;
  const lute = group(
    'transform="translate(13 199) rotate(36)"',
    path("M-5-80H5l13-12-8-9Z", p.brown),
    path("M-5-82H5v52H-5Z", p.brown),
    path("M0-44c20 8 34 34 30 56-6 26-54 26-60 0-4-22 10-48 30-56Z", p.auburn),
    disc(0, 0, 9, p.ink),
    stroke("M-2.5-80V22m5-102V22", p.white, 1.4),
    box(-11, 20, 22, 5, p.brown),
  );
  return (
    both("M0 140h-20c-38 16-64 46-70 120H0Z", p.red, p.blue) +
    path("M-12 116v30h24v-30Z", p.skin) +
    path("m-28 130-34 30 24-2 8 24 18-18 12 26 12-26 18 18 8-24 24 2-34-30q-28 16-56 0Z", p.white) +
    head(p, "S", "M-9 112q9 10 18 0") +
    path("M-20 66c4-32 22-44 44-42-10 10-8 26-4 42Z", p.gold) +
    both("M-20 72c-6-32-34-38-50-18-4 10-2 18 2 24 6-14 18-16 28-8 8 8 10 18 12 28Z", p.red, p.blue) +
    both("M-28 118c-8-42 6-62 28-62v18q-18 0-20 18v20Z", p.red, p.blue) +
    each(bells, ([x, y]) => discs(x, y, 6, p.gold)) +
    disc(24, 25, 6, p.gold) +
    lute +
    path("M41 137c8-4 20 6 16 14s-16 6-20 0c-2-6 0-12 4-14Z", p.skin) +
    path("m45 141-5 6m11-2-5 7") +
    path("M-10 206c8-10 22-10 28-4 4 8-8 14-24 16Z", p.skin) +
    path("m-40 200 32 4 4 18-42 4Z", p.gold)
  );
}
