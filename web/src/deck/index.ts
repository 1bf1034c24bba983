/** The 78 cards and their back, drawn by program as SVG markup in a box of 240 × 400. */
import { court, type Rank } from "./courts";
import { box, paint, turned, type Paint } from "./draw";
import { index } from "./glyphs";
import { BACKS, drawBack, type Back } from "./backs";
import { ace, pips, sign, type Suit } from "./suits";
import { fool, ribbon, trump } from "./trumps";

export const VIEW_BOX = "0 0 240 400";

/** The letters a language prints on king, queen, knight and jack. */
export type Letters = { K: string; Q: string; N: string; J: string };

/** How a player wants to see the deck; `skus` is the word printed on T0. */
export type Look = { letters: Letters; fourColour: boolean; contrast: boolean; skus: "skus" | "excuse"; back?: Back };

export { BACKS, type Back };

/** Draws the face of a card given in notation (`SK HN D10 C1 T21 T0`). */
export function face(card: string, look: Look): string {
  const p = paint(look.contrast);
  const [, number] = /^T(\d|1\d|2[01])$/.exec(card) ?? [];
  if (number !== undefined) return sheet(p, trumpFace(Number(number), look, p));
  const [, suit, rank] = /^([SHCD])([KQNJ]|[1-9]|10)$/.exec(card) ?? [];
  if (suit !== undefined && rank !== undefined) return sheet(p, suitFace(suit as Suit, rank, look, p));
  throw new RangeError(
    `no card is written ${JSON.stringify(card)}: write a suit S H C D with K Q N J 10 … 1, or T0 … T21`,
  );
}

/** Draws the back of every card, in one of the designs. */
export const back = (design: Back = "sun"): string => sheet(paint(false), drawBack(design, paint(false)));

const sheet = (p: Paint, inner: string): string =>
  box(1, 1, 238, 398, p.paper, `rx="15" stroke="${p.bold ? p.ink : "#b9ae98"}" stroke-width="2"`) + inner;

function suitFace(suit: Suit, rank: string, look: Look, p: Paint): string {
  const colour = suitColour(suit, look.fourColour, p);
  const corner = (printed: string) =>
    turned(index(printed, 34, 12, 47, colour) + sign(suit, 34, 107, 43, colour));
  if (isCourt(rank)) return court(suit, rank, colour, p) + corner(look.letters[rank]);
  return (rank === "1" ? ace(suit, colour, p) : pips(suit, Number(rank), colour)) + corner(rank);
}

const isCourt = (rank: string): rank is Rank => "KQNJ".includes(rank);

function trumpFace(number: number, look: Look, p: Paint): string {
  if (number === 0) return fool(look.skus, p);
  return trump(number, p) + turned(ribbon(p, number, index(String(number), 34.5, 15, 43, p.white)));
}

function suitColour(suit: Suit, fourColour: boolean, p: Paint): string {
  if (fourColour) return { S: p.ink, H: "#c4122f", C: "#0a6b37", D: "#1459b8" }[suit];
  return suit === "S" || suit === "C" ? p.ink : p.bold ? p.red : "#c0203a";
}
