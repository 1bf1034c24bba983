/** A position in one line of text, taken apart and put together; whether it can be is for the server to say. */

import type { Family } from "../lib/words";

export interface Played {
  readonly seat: number;
  readonly card: string;
  readonly named: string; // the suit that a led skus stands for, or ""
}

export interface Setup {
  readonly rules: string;
  readonly hands: readonly (readonly string[])[];
  readonly aside: readonly string[];
  readonly trick: readonly Played[];
  readonly leader: number; // who is on turn where no card lies on the table
  readonly clauses: readonly string[]; // all else that is to be known, as it is written
}

/** What a card can be given to. */
export type Target = number | "aside" | "trick";

export const SUITS = ["T", "S", "H", "D", "C"] as const;
const TRUMPS = [...Array.from({ length: 21 }, (_, at) => `T${21 - at}`), "T0"];
const PLAIN = ["K", "Q", "N", "J", ...Array.from({ length: 10 }, (_, at) => String(10 - at))];
export const PACK: readonly string[] = [
  ...TRUMPS,
  ...["S", "H", "D", "C"].flatMap((suit) => PLAIN.map((rank) => suit + rank)),
];
const WORDS: Readonly<Record<string, string>> = { SKUS: "T0", EXCUSE: "T0", PAGAT: "T1", PETIT: "T1" };
const SIGNS: Readonly<Record<string, string>> = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** The letters of the seats: forehand, middle and dealer, or from the dealer's right. */
export const lettersOf = (family: Family, size: number): readonly string[] =>
  family === "danish" ? ["F", "M", "B"] : [..."ABCDE"].slice(0, size);

export const ASIDE: Readonly<Record<Family, string>> = { danish: "skat", french: "aside" };

export const empty = (rules: string, seats: number): Setup => ({
  rules,
  hands: Array.from({ length: seats }, () => []),
  aside: [],
  trick: [],
  leader: 0,
  clauses: [],
});

const cardOf = (word: string): string => {
  const upper = word.toUpperCase();
  return WORDS[upper] ?? upper.replace(/^[♠♥♦♣]/, (sign) => SIGNS[sign]!);
};
const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** The name of the rules that a text begins with, or "". */
export const rulesOf = (text: string): string => /^\s*([\w-]+)\s*:/.exec(text)?.[1] ?? "";

/** Takes a line apart, as far as it is understood; what is not stays as it is written. */
export function read(text: string, letters: readonly string[]): Setup {
  const rules = rulesOf(text);
  const [held = "", ...more] = text.slice(rules ? text.indexOf(":") + 1 : 0).split(";");
  const seatOf = (word: string | undefined): number => letters.indexOf((word ?? "").toUpperCase());
  const hands: string[][] = letters.map(() => []);
  held.split("/").forEach((hand, place) => {
    const cards = words(hand);
    const said = seatOf(cards[0]);
    const seat = said >= 0 ? said : place;
    hands[seat]?.push(...cards.slice(said >= 0 ? 1 : 0).map(cardOf));
  });
  let [aside, trick, leader]: [string[], Played[], number] = [[], [], 0];
  const clauses: string[] = [];
  for (const clause of more.map((one) => one.trim()).filter(Boolean)) {
    const [first = "", second = "", ...rest] = words(clause);
    const key = first.toLowerCase();
    if (/^(skat|aside)$/.test(key)) aside = [second, ...rest].filter(Boolean).map(cardOf);
    else if (key === "trick") trick = plays([second, ...rest], seatOf);
    else if (seatOf(first) >= 0 && /^(leads|to)$/i.test(second)) leader = seatOf(first);
    else clauses.push(clause);
  }
  return { rules, hands, aside, trick, leader: trick[0]?.seat ?? leader, clauses };
}

function plays(parts: readonly string[], seatOf: (word: string) => number): Played[] {
  const found: Played[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [card = "", named = ""] = parts[at + 1]!.split("=");
    found.push({ seat: seatOf(parts[at]!), card: cardOf(card), named: named.toUpperCase() });
  }
  return found;
}

/** Puts a line together. */
export function write(setup: Setup, family: Family): string {
  const letters = lettersOf(family, setup.hands.length);
  const letter = (seat: number): string => letters[seat] ?? "?";
  const hands = setup.hands.map((hand, seat) => [letter(seat), ...sorted(hand)].join(" "));
  const trick = setup.trick.map(({ seat, card, named }) => `${letter(seat)} ${card}${named ? `=${named}` : ""}`);
  return [
    `${setup.rules}: ${hands.join(" / ")}`,
    trick.length > 0 ? `trick ${trick.join(", ")}` : `${letter(setup.leader)} leads`,
    ...(setup.aside.length > 0 ? [`${ASIDE[family]} ${sorted(setup.aside).join(" ")}`] : []),
    ...setup.clauses,
  ].join("; ");
}

const sorted = (cards: readonly string[]): string[] =>
  [...cards].sort((one, other) => PACK.indexOf(one) - PACK.indexOf(other));

/** Where a card is. */
export function holder(setup: Setup, card: string): Target | null {
  const seat = setup.hands.findIndex((hand) => hand.includes(card));
  if (seat >= 0) return seat;
  if (setup.aside.includes(card)) return "aside";
  return setup.trick.some((play) => play.card === card) ? "trick" : null;
}

/** A card goes where it is wanted, and lies nowhere else; one that is there already goes back to the pack. */
export function give(setup: Setup, card: string, to: Target): Setup {
  const there = holder(setup, card) === to;
  const left = {
    ...setup,
    hands: setup.hands.map((hand) => hand.filter((one) => one !== card)),
    aside: setup.aside.filter((one) => one !== card),
    trick: setup.trick.filter((play) => play.card !== card),
  };
  if (there) return ordered(left);
  if (to === "aside") return { ...ordered(left), aside: [...left.aside, card] };
  if (to === "trick") return ordered({ ...left, trick: [...left.trick, { seat: 0, card, named: "" }] });
  return ordered({ ...left, hands: left.hands.map((hand, seat) => (seat === to ? [...hand, card] : hand)) });
}

/** The cards of a trick lie in the order of the seats, from the leader on. */
const ordered = (setup: Setup): Setup => ({
  ...setup,
  trick: setup.trick.map((play, at) => ({ ...play, seat: (setup.leader + at) % setup.hands.length })),
});

export const withLeader = (setup: Setup, leader: number): Setup => ordered({ ...setup, leader });

/** The words that follow a key among the clauses, such as "60 60" of "cups 60 60". */
export const clause = (setup: Setup, key: string): string =>
  setup.clauses.find((one) => one.toLowerCase().startsWith(`${key} `))?.slice(key.length + 1).trim() ?? "";

/** A board without cards; in a French deal somebody has taken. */
export const opening = (rules: string, seats: number, family: Family): Setup =>
  family === "danish" ? empty(rules, seats) : { ...empty(rules, seats), clauses: ["A takes garde"] };

/** Another value of a clause; an empty one takes it away. */
export function withClause(setup: Setup, key: string, value: string): Setup {
  const others = setup.clauses.filter((one) => !one.toLowerCase().startsWith(`${key} `));
  return { ...setup, clauses: value.trim() ? [...others, `${key} ${value.trim()}`] : others };
}

/** Who has taken in a French deal, with which bid and, at a table of five, with whom; seats by their letters. */
export interface Taking {
  readonly taker: string;
  readonly bid: string;
  readonly partner: string; // or ""
}

export const BIDS = ["petite", "garde", "sans", "contre"] as const;
const TAKES = /^([a-e])\s+takes\s+(\w+)(?:\s+with\s+([a-e]))?$/i;

export function taking(setup: Setup): Taking | null {
  const found = setup.clauses.map((one) => TAKES.exec(one)).find(Boolean);
  if (!found) return null;
  return { taker: found[1]!.toUpperCase(), bid: found[2]!.toLowerCase(), partner: found[3]?.toUpperCase() ?? "" };
}

export function withTaking(setup: Setup, { taker, bid, partner }: Taking): Setup {
  const others = setup.clauses.filter((one) => !TAKES.test(one));
  return { ...setup, clauses: [`${taker} takes ${bid}${partner ? ` with ${partner}` : ""}`, ...others] };
}

export type Part = "rules" | "hands" | "trick" | "leader" | "aside" | "cups" | "won" | "more";

/** The part of the position that a place of the text belongs to, counted from 1. */
export function partAt(text: string, column: number): Part {
  const at = Math.max(0, column - 1);
  if (rulesOf(text) && at <= text.indexOf(":")) return "rules";
  const before = text.lastIndexOf(";", at - 1);
  if (before < 0) return "hands";
  const end = text.indexOf(";", before + 1);
  const [first = "", second = ""] = words(text.slice(before + 1, end < 0 ? undefined : end)).map((one) => one.toLowerCase());
  if (first === "skat") return "aside";
  if (first === "trick" || first === "aside" || first === "cups" || first === "won") return first;
  return second === "leads" || second === "to" ? "leader" : "more";
}
