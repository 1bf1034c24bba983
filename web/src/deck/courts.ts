/** The sixteen courts: half figures cut along a slope and joined head to foot. */
import { both, clipped, disc, each, group, half, inked, path, stroke, turned, type Paint } from "./draw";
import { BEARDS, coronet, CROWNS, curls, hat, head, MOUSTACHE, tresses } from "./heads";
import { flag, flower, hold, horse, regalia, staff } from "./props";
import { sign, type Suit } from "./suits";

export type Rank = "K" | "Q" | "N" | "J";

/** What the people of one suit wear, what they ride and which way they face. */
export type Dress = {
  coat: string;
  trim: string;
  lining: string;
  hair: string;
  horse: string;
  mane: string;
  faces: 1 | -1;
};

/** The fall of the cut in degrees: the index leaves the upper figure room on the right, the lower on the left. */
export const SLOPE = 19;
export const SEAM = "m0 158.7 240 82.6";
const FRAME = "M68 16H224V264H172V384H16V136H68Z";

function dress(suit: Suit, p: Paint): Dress {
  const wardrobe: Record<Suit, Dress> = {
    S: { coat: p.blue, trim: p.red, lining: p.gold, hair: p.ink, horse: p.white, mane: p.grey, faces: 1 },
    H: { coat: p.red, trim: p.blue, lining: p.gold, hair: p.gold, horse: p.brown, mane: p.ink, faces: -1 },
    C: { coat: p.green, trim: p.gold, lining: p.red, hair: p.brown, horse: p.grey, mane: p.white, faces: 1 },
    D: { coat: p.gold, trim: p.blue, lining: p.red, hair: p.auburn, horse: p.ink, mane: p.grey, faces: -1 },
  };
  return wardrobe[suit];
}

/** Draws a court inside its notched frame. */
export function court(suit: Suit, rank: Rank, colour: string, p: Paint): string {
  const d = dress(suit, p);
  const figure = { K: king, Q: queen, N: knight, J: jack }[rank](suit, d, p);
  const upper = half(SLOPE, inked(p, group(`transform="translate(146) scale(${d.faces} 1)"`, figure)));
  const sash = stroke(SEAM, p.ink, 15) + stroke(SEAM, d.lining, 10.5) + stroke(SEAM, p.ink, 1.6);
  const clasp =
    disc(120, 200, 14, p.paper, `stroke="${p.ink}" stroke-width="${p.line}"`) +
    sign(suit, 120, 200, 16, colour);
  return (
    path(FRAME, p.ground) +
    clipped(16, 16, 208, 368, turned(upper) + sash) +
    clasp +
    path(FRAME, "none", `stroke="${colour}" stroke-width="${p.line}"`)
  );
}

/** Lozenges woven into a coat or a gown. */
const WOVEN =
  "m-47 182 4 5-4 5-4-5zm12 19 4 5-4 5-4-5zm-24 3 4 5-4 5-4-5zm95-18 4 5-4 5-4-5zm-6 23 4 5-4 5-4-5z";

function king(suit: Suit, d: Dress, p: Paint): string {
  const hair = suit === "S" ? p.grey : suit === "D" ? p.ink : d.hair;
  const cape = "M-54 149c22-13 29-18 34-25h40c5 7 12 12 34 25-4 25-30 39-54 41s-50-16-54-41Z";
  const ermine = "m-34 150-4 8m20 8-3 8m39-8 3 8m13-24 4 8M0 173v9m-42-16-4 6";
  return (
    path("M-92 250c2-64 22-100 70-116h44c44 16 62 46 66 116Z", d.coat) +
    stroke("M-62 168c-10 20-14 42-16 82", d.lining, 6) +
    path(WOVEN, d.lining, 'stroke="none"') +
    path("M-14 160H14V260H-14Z", d.trim) +
    each([200, 216, 232], (y) => disc(0, y, 4, d.lining)) +
    path(cape, p.white) +
    stroke(ermine, p.ink, 3.6) +
    curls(suit, hair) +
    head(p, suit) +
    path(BEARDS[suit], hair) +
    path(MOUSTACHE, hair) +
    path("M-24 66c0-32 48-32 48 0Z", d.trim) +
    path(CROWNS[suit], p.gold) +
    path("m-26 73-2.5-11q28.5-7 57 0L26 73q-26-6-52 0Z", p.white) +
    each([-16, 0, 16], (x) => disc(x, x ? 65.5 : 64, 2.8, x ? d.trim : d.coat)) +
    regalia(suit, p) +
    hold(62, d.faces, d.lining, d.coat, p)
  );
}

function queen(suit: Suit, d: Dress, p: Paint): string {
  const gown = "M-84 250c4-54 22-84 54-96 10 24 50 24 60 0 32 12 46 36 52 96Z";
  const bodice = "M-20 168q20 12 40 0l-7 82h-26Z";
  return (
    path("M-46 166c-20-30-14-60 4-74l42 28 42-28c18 14 24 44 4 74Z", p.white) +
    both("m46 150-24-22m32 0-28-14") +
    tresses(suit, d.hair) +
    path("M-12 118v22c-12 6-22 10-26 16 18 28 58 28 76 0-4-6-14-10-26-16v-22Z", p.skin) +
    path(gown, d.coat) +
    path(bodice, d.trim) +
    path("m-8 188 16 8m0-8-16 8m1 8 14 8m0-8-14 8") +
    stroke("M-30 155c10 24 50 24 60 0", d.lining, 5) +
    path(WOVEN, d.lining, 'stroke="none"') +
    head(p, suit, "M-5 114q5 4 10 0") +
    path("M-12 138q12 12 24 0", "none", `stroke="${p.gold}" stroke-width="3.5"`) +
    disc(0, 147, 4.2, d.trim) +
    coronet(suit, d, p) +
    flower(suit, p) +
    hold(60, d.faces, p.white, d.coat, p)
  );
}

function knight(suit: Suit, d: Dress, p: Paint): string {
  const rider = group(
    'transform="translate(-30 4) scale(.92)"',
    path("M-12 116v30h26v-30Z", p.skin),
    curls("D", d.hair),
    head(p, suit),
    path(MOUSTACHE, d.hair),
    suit === "H" || suit === "S" ? path("M-5 119q5 19 10 0Z", d.hair) : "",
    hat(suit, d, p, true),
  );
  return (
    path("M9 18h5v202H9Z", p.brown) +
    flag(suit, d, p) +
    path("M-96 250c2-60 12-94 52-110h30c24 12 36 36 40 110Z", d.coat) +
    path("M-88 190c0-28 14-44 36-46 4 24-10 46-36 46Z", p.grey) +
    path("M-84 178q20-4 30-24") +
    path("M-52 140q22-10 46 0l2 12q-26 12-52 0Z", p.white) +
    path("M-44 137v20m14-22v26m14-25v20") +
    rider +
    horse(d, p) +
    path("M-52 150c6 24 26 42 50 38l2-20c-14 0-24-8-28-22Z", d.coat) +
    path("M2 166c4-8 22-8 23 3s-5 19-13 18c-8 0-12-9-10-21Z", p.skin) +
    path("M12 165h10m-10 7h12m-12 7h10") +
    path("m-6 164 11-2 2 27-11 3Z", d.lining)
  );
}

function jack(suit: Suit, d: Dress, p: Paint): string {
  return (
    path("M-50 250c-2-60 4-90 30-106h40c26 16 32 46 30 106Z", d.coat) +
    path("M-8 150H8V250H-8Z", d.lining) +
    each([174, 190, 206, 222], (y) => disc(0, y, 3.2, d.trim)) +
    both("M36 152c40-6 52 30 40 58-16 6-30-2-36-14Z", d.trim) +
    group(`stroke="${d.lining}" stroke-width="4.5"`, both("M48 160q16 18 12 44m2-42q14 18 10 40")) +
    path("M-13 116v32h26v-32Z", p.skin) +
    both("M27 66c13 18 11 42 8 58q-11 8-18-4V70Z", d.hair) +
    head(p, suit) +
    path(
      "M-34 140q-2-12 10-8 6-10 15-1 9-9 18 0 9-9 15 1 12-4 10 8 4 12-8 12-8 10-17 2-9 10-18 0-9 8-17-2-12 0-8-12Z",
      p.white,
    ) +
    both("M7 140v8m13-10v8") +
    hat(suit, d, p, false) +
    staff(suit, p) +
    hold(58, d.faces, d.lining, d.coat, p)
  );
}
