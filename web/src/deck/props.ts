/** What the courts carry and ride. */
import type { Dress } from "./courts";
import { disc, each, group, path, stroke, type Paint } from "./draw";
import { sign, type Suit } from "./suits";

/** A fist with its cuff and the sleeve that rises from below; the cut leaves less room to who faces left. */
export const hold = (x: number, faces: 1 | -1, cuff: string, sleeve: string, p: Paint): string =>
  group(
    `transform="translate(${x - 62} ${faces > 0 ? 0 : -32})"`,
    path("M42 214h40l6 48H36Z", sleeve),
    path("M50 186c0-8 24-8 24 0 5 4 3 18-2 20H53c-6-2-8-16-3-20Z", p.skin),
    path("M56 181v9m6-10v10m6-9v9"),
    path("M43 205h38l3 12H40Z", cuff),
  );

const pole = (x: number, top: number, width: number, fill: string): string =>
  path(`M${x - width} ${top}H${x + width}V236H${x - width}Z`, fill);

/** Sword, orbed sceptre, axe and jewelled sceptre of the kings. */
export function regalia(suit: Suit, p: Paint): string {
  switch (suit) {
    case "S":
      return (
        path("m62 20 7 16v134H55V36Z", p.white) +
        path("M62 40V164") +
        path("M42 168q20 8 40 0v9q-20 7-40 0Z", p.gold) +
        pole(62, 178, 3.5, p.brown)
      );
    case "H":
      return (
        pole(62, 60, 3.5, p.gold) +
        disc(62, 54, 13, p.blue) +
        path("M49 52q13 8 26 0v6q-13 8-26 0Z", p.gold) +
        path("M59 42v-6h-6v-7h6v-7h6v7h6v7h-6v6Z", p.gold)
      );
    case "C":
      return (
        pole(62, 30, 4, p.brown) +
        path("M66 42c4-4 8-10 9-18v68c-1-8-5-14-9-18Zm-8 8c-6 2-10 4-14 8 4 4 8 6 14 8Z", p.grey) +
        path("M58 40h8v38h-8Z", p.gold)
      );
    case "D":
      return (
        pole(62, 70, 3, p.gold) +
        path("M62 22L75 44 62 66 49 44Z", p.blue) +
        path("M62 22V66M49 44H75") +
        path("M51 66q11-6 22 0v8H51Z", p.gold)
      );
  }
}

/** Tulip, rose, clover and marguerite of the queens. */
export function flower(suit: Suit, p: Paint): string {
  const stem = stroke("M60 206c-2-26 2-46 0-78", p.ink, 6) + stroke("M60 206c-2-26 2-46 0-78", p.leaf, 3);
  const leaf = path("M60 152c10-2 16-10 16-22-10 2-16 10-16 22Z", p.leaf);
  switch (suit) {
    case "S":
      return (
        stem +
        leaf +
        path("m44 96 8 10 8-14 8 14 8-10c4 22-4 36-16 36s-20-14-16-36Z", p.red) +
        path("M52 106q2 16 8 26 6-10 8-26")
      );
    case "H":
      return (
        stem +
        leaf +
        disc(60, 110, 19, p.red) +
        path("M60 110c-4-6 4-10 8-4s-4 14-12 10-6-18 4-20 18 8 14 18-16 10-22 6")
      );
    case "C":
      return (
        stem +
        leaf +
        each([-1, 0, 1], (i) => disc(60 + i * 13, i ? 114 : 98, 12, p.leaf)) +
        path("M60 126v-20m0 16-12-8m12 8 12-8")
      );
    case "D":
      return (
        stem +
        leaf +
        each([0, 45, 90, 135, 180, 225, 270, 315], (turn) =>
          path("M60 108c-8-8-6-18 0-22 6 4 8 14 0 22Z", p.white, `transform="rotate(${turn} 60 108)"`),
        ) +
        disc(60, 108, 7, p.gold)
      );
  }
}

/** Halberd, arrow, lantern and falcon of the jacks. */
export function staff(suit: Suit, p: Paint): string {
  switch (suit) {
    case "S":
      return (
        pole(58, 60, 3, p.brown) +
        path("m58 20 6 24-2 20h-8l-2-20Z", p.grey) +
        path("M62 62c6-4 11-8 13-16v50c-2-8-7-12-13-14Z", p.grey) +
        path("m54 62-12 8 12 10Z", p.grey)
      );
    case "H":
      return (
        pole(58, 48, 2.5, p.brown) +
        path("M58 20c6 12 12 20 16 32l-16-6-16 6c4-12 10-20 16-32Z", p.grey) +
        path("m55 112-10-10v24l10 12Zm6 0 10-10v24l-10 12Z", p.white)
      );
    case "C":
      return (
        pole(58, 36, 3, p.brown) +
        path("M48 34q10-14 20 0l6 10H42Z", p.red) +
        path("M46 44H70L66 78H50Z", p.gold) +
        path("M58 44V78") +
        path("M44 78h28v7H44Z", p.red)
      );
    case "D":
      return (
        path("M48 90c-4 24-2 52 10 74 14-20 18-50 12-74Z", p.white) +
        path("M60 106v5m6 3v5m-8 1v5m6 5v5m-6 3v5") +
        path("M52 88c-14 18-14 50-4 84 12-26 12-58 4-84Z", p.brown) +
        path("M46 86c-4-20 12-28 22-20 6 6 6 18 2 28q-14 6-22-2Z", p.brown) +
        path("M70 72c8 1 11 10 6 19-1-6-5-8-8-5Z", p.gold) +
        disc(61, 76, 3.4, p.gold)
      );
  }
}

/** The banners of the knights, each cut its own way and charged with the suit. */
export function flag(suit: Suit, d: Dress, p: Paint): string {
  const cut = {
    S: "M14 24H76L62 46 76 68H14Z",
    H: "M14 24c20-8 36 10 60 2v40c-24 8-40-10-60 0Z",
    C: "M14 24h60v44l-10-8-10 8-10-8-10 8-10-8-10 8Z",
    D: "M14 22L76 45 14 70Z",
  }[suit];
  // the figure may be turned about, the sign is not
  return (
    path(cut, d.trim) +
    group(
      `transform="translate(38 45) scale(${d.faces} 1)" stroke="none"`,
      sign(suit, 0, 0, 25, suit === "C" ? p.ink : p.white),
    ) +
    disc(11.5, 18, 5, p.gold)
  );
}

/** A bridled horse's head in profile. */
export function horse(d: Dress, p: Paint): string {
  const bridle =
    stroke("m38 148 22-17m-26-15 10 36c-10 20-18 24-32 22", p.ink, 7) +
    stroke("m38 148 22-17m-26-15 10 36c-10 20-18 24-32 22", d.lining, 3.6);
  const dark = d.horse === p.ink;
  return (
    path(
      "M22 96c-14 4-22 12-22 20-10 4-12 14-10 22-10 6-12 18-8 26-10 8-10 20-6 28-8 8-8 24-4 58H6c0-60 8-100 24-128Z",
      d.mane,
    ) +
    path(
      "M-8 250c2-52 14-94 32-124l-3-32 16 17c12 2 20 10 26 23l18 28c2 8-4 17-13 15-8 0-14-9-22-13-2 14 6 44 16 86Z",
      d.horse,
    ) +
    path("M22 98c8 2 18 8 20 24q-12-6-18 6Z", d.mane) +
    disc(49, 130, 3.4, dark ? p.white : p.ink, 'stroke="none"') +
    path("M72 166q3-4 5 0", "none", `stroke="${dark ? p.white : p.ink}"`) +
    bridle +
    disc(44, 152, 5, d.trim)
  );
}
