/** Faces, hair, beards and what is worn on the head. */
import type { Dress } from "./courts";
import { both, disc, discs, each, path, stroke, type Paint } from "./draw";
import type { Suit } from "./suits";

/** Draws a face seen from the front; the eyes of each suit look their own way. */
export function head(p: Paint, suit: Suit, mouth = "M-5 116q5 2 10 0"): string {
  const glance = { S: 1.5, H: -1, C: 0.5, D: 2 }[suit];
  const eye = (x: number) => disc(x + glance, 92.5, 2.9, p.ink, 'stroke="none"');
  return (
    path("M-21 68v30c0 17 11 29 21 29s21-12 21-29V68Z", p.skin) +
    (p.bold ? "" : discs(13, 105, 5.5, p.red, 'stroke="none" opacity=".22"')) +
    eye(-9) +
    eye(9) +
    both("M3 89q6-4 12 0M4 82q6-3 11 0") +
    path("M1 92q5 9 2 12-3 2-5-1") +
    stroke(mouth, p.red, 3.4)
  );
}

/** Where every beard leaves the face. */
const CHEEKS = "C17 107 8 108 0 107S-17 107-22 94Z";

export const BEARDS: Record<Suit, string> = {
  S: "M-22 94c-3 36 6 56 13 72l9-16 9 16c7-16 16-36 13-72" + CHEEKS,
  H:
    "M-22 94c-8 10-5 20-4 24-3 10 3 17 9 18 2 10 12 11 17 7 5 4 15 3 17-7 6-1 12-8 9-18 1-4 4-14-4-24" +
    CHEEKS,
  C: "M-22 94c-4 30 4 56 22 80 18-24 26-50 22-80" + CHEEKS,
  D: "M-22 94c-2 24-1 44 5 52l8-5 9 6 9-6 8 5c6-8 7-28 5-52" + CHEEKS,
};

export const MOUSTACHE = "M0 109c-6-7-17-6-21 5 10 3 17 1 21-2 4 3 11 5 21 2-4-11-15-12-21-5Z";

/** The crowns of the kings: tall, and each with its own points. */
export const CROWNS: Record<Suit, string> = {
  S: "m-26 73-11-40 19 18L0 22l18 29 19-18-11 40Z",
  H: "m-26 73-7-27c-9-2-8-16 1-16 7 0 9 8 5 14l14 10 7-14c-8-4-6-20 6-20s14 16 6 20l7 14 14-10c-4-6-2-14 5-14 9 0 10 14 1 16l-7 27Z",
  C: "M-26 73c-20-33 4-49 22-35v-5h-5v-7h5v-6h8v6h5v7H4v5c18-14 42 2 22 35Z",
  D: "m-26 73-11-45 14 18 11-24L0 46l12-24 11 24 14-18-11 45Z",
};

/** Open outlines: the brow of every coronet is the same. */
const CORONETS: Record<Suit, string> = {
  S: "m-27 73-5-21q9-12 16-1 8-15 16-15t16 15q7-11 16 1l-5 21",
  H: "m-27 73-7-21 15-8q9 12 19-6 10 18 19 6l15 8-7 21",
  C: "M-27 73c-7-11-9-21-3-29 8 4 14 10 16 16 2-12 6-22 14-28 8 6 12 16 14 28 2-6 8-12 16-16 6 8 4 18-3 29",
  D: "M-27 73c-15-37 9-45 27-45s42 8 27 45",
};

/** Where pearls sit on the right of each coronet; the left is its mirror. */
const PEARLS: Record<Suit, readonly (readonly [number, number])[]> = {
  S: [
    [0, 31],
    [16, 46],
    [32, 47],
  ],
  H: [
    [0, 33],
    [19, 39],
    [35, 47],
  ],
  C: [],
  D: [
    [0, 29],
    [13, 31],
    [25, 37],
    [32, 48],
  ],
};

/** The crowns of the queens: low and round, over a cap. */
export function coronet(suit: Suit, d: Dress, p: Paint): string {
  return (
    path("M-24 58c-2-34 50-34 48 0Z", d.trim) +
    path(CORONETS[suit] + "Q0 64-27 73Z", p.gold) +
    each(PEARLS[suit], ([x, y]) => discs(x, y, 3.8, p.white)) +
    disc(0, 56, 4.5, d.coat) +
    path("M-13 63h4M9 63h4")
  );
}

/** The hair of a man, rolled under the ears. */
export function curls(suit: Suit, hair: string): string {
  return suit === "H" || suit === "C"
    ? each([84, 98, 112], (y) => discs(27, y, 9, hair))
    : both("M21 72c19 10 19 36 13 47-5 7-16 2-14-11Z", hair);
}

/** The hair of the queens: loose, curled, plaited, coiled over the ears. */
export function tresses(suit: Suit, hair: string): string {
  const loose = "M-28 60c-18 20-12 52-20 80-2 16 10 26 24 22l10-42h28l10 42c14 4 26-6 24-22-8-28-2-60-20-80Z";
  const short = "M-26 60c-14 16-12 44-4 58h60c8-14 10-42-4-58Z";
  switch (suit) {
    case "S":
      return path(loose, hair) + both("M34 84q-6 36 4 66");
    case "H":
      return (
        path(short, hair) + each([78, 94, 110, 126, 142, 156], (y, i) => discs(29 + i * 1.5, y, 10, hair))
      );
    case "C":
      return (
        path(short, hair) +
        each([110, 122, 134, 146, 158, 170], (y, i) => discs(30 + i, y, 8.5 - i * 0.7, hair))
      );
    case "D":
      return path(short, hair) + discs(32, 92, 13, hair) + both("M38 92q-6-6-11 0");
  }
}

/** A feather that falls behind a hat. */
const plume = (p: Paint): string =>
  path("M-14 54c-2-24-20-32-31-21-7 10-4 27 5 32-2-11 3-16 11-13 7 4 12 4 15 2Z", p.white) +
  path("M-18 51c-8-11-18-15-25-6");

/** The hats of knights and jacks; a knight's has a brim or is a helmet, a jack's is soft. */
export function hat(suit: Suit, d: Dress, p: Paint, knight: boolean): string {
  const band = (y: number) => stroke(`M-26 ${y}Q0 ${y - 8} 26 ${y}`, d.lining, 5);
  if (knight) {
    if (suit === "S" || suit === "D")
      return (
        path("M-46 70c16 10 76 10 92-6-14-4-20-2-20-12-2-22-46-24-52 2-1 10-10 8-20 16Z", d.trim) +
        band(66) +
        plume(p)
      );
    return (
      path("M-2 34c-4-20-28-24-44-6-4 12 2 22 12 22-4-8 8-14 28-12Z", d.trim) +
      path("M-27 84c-5-40 9-52 27-52s32 12 27 52l-7-8q-20-8-40 0Z", p.grey) +
      path("M-29 76q29-18 58 0l2 8Q0 68-31 84Z", p.gold) +
      path("M0 32V64")
    );
  }
  switch (suit) {
    case "S":
      return (
        plume(p) + path("M-40 66c-6-22 20-34 46-28 28 4 38 20 28 32Q0 60-36 74q-4-2-4-8Z", d.trim) + band(68)
      );
    case "H":
      return (
        path("M-28 72c2-28 20-40 48-48-6 16 10 28 10 46Q0 60-28 72Z", d.trim) +
        path("m-36 76 10-16q26-8 54-2l18 12q-46-8-82 6Z", d.coat) +
        path("M-18 66c-16-16-18-32-10-44 10 12 14 28 16 41Z", p.white)
      );
    case "C":
      return (
        path("M-32 70C-44 40-4 22 20 34c24 0 32 26 24 44-8 6-12-8-14-12q-30-8-62 4Z", d.trim) +
        path("M-30 76q30-12 60-2V64Q0 54-31 66Z", d.lining)
      );
    case "D":
      return (
        path("M-28 70V42Q0 30 28 42V70Q0 60-28 70Z", d.trim) +
        path("M-34 78Q0 62 34 78V66Q0 50-34 66Z", p.white) +
        disc(0, 48, 5, d.lining) +
        plume(p)
      );
  }
}
