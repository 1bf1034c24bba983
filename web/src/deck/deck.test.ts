import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import { back, face, type Letters, type Look } from ".";
import Card from "./Card.svelte";

const SUITS = ["S", "H", "C", "D"];
const RANKS = ["K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"];
const PLAIN = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));
const TRUMPS = Array.from({ length: 22 }, (_, number) => `T${number}`);
const DECK = [...PLAIN, ...TRUMPS];

const ENGLISH: Letters = { K: "K", Q: "Q", N: "N", J: "J" };
const LETTERS: Record<string, Letters> = {
  en: ENGLISH,
  da: { K: "K", Q: "D", N: "C", J: "Kn" },
  fr: { K: "R", Q: "D", N: "C", J: "V" },
  de: { K: "K", Q: "D", N: "R", J: "B" },
};

const look = (change: Partial<Look> = {}): Look => ({
  letters: ENGLISH,
  fourColour: false,
  contrast: false,
  skus: "skus",
  ...change,
});

const indices = (markup: string): string[] =>
  [...markup.matchAll(/data-index="([^"]*)"/g)].map(([, sign]) => sign!);

/** Says what is wrong with a piece of markup, or nothing. */
function fault(markup: string): string | undefined {
  const open: string[] = [];
  const rest = markup.replace(
    /<(\/?)(\w+)((?: [\w-]+="[^"<>]*")*)(\/?)>/g,
    (tag, close, name, attributes, empty) => {
      const names = [...attributes.matchAll(/ ([\w-]+)=/g)].map(([, attribute]) => attribute);
      if (new Set(names).size < names.length) return `an attribute twice: ${tag} <`;
      if (!close && !empty) open.push(name);
      return close && open.pop() !== name ? `not open: ${tag} <` : "";
    },
  );
  if (rest.includes("<") || rest.includes(">")) return rest;
  if (open.length) return `left open: ${open}`;
  return /NaN|undefined|null|Infinity/.exec(markup)?.[0];
}

describe.each([
  ["soft", look()],
  ["strong", look({ contrast: true, fourColour: true })],
])("the %s deck", (_, chosen) => {
  test("has 78 well-formed faces, all different, and a back", () => {
    const sheets = [...DECK.map((card) => face(card, chosen)), back()];
    expect(sheets.map(fault)).toEqual(sheets.map(() => undefined));
    expect(new Set(sheets).size).toBe(79);
  });

  test("can stand on one page: no ids, no filters, no styles", () => {
    const banned = / id=| style=|filter|url\(/;
    expect(DECK.filter((card) => banned.test(face(card, chosen)))).toEqual([]);
    expect(back()).not.toMatch(banned);
  });
});

test("a fault is found", () => {
  expect(fault("<g><path/>")).toBeDefined();
  expect(fault("<g></svg>")).toBeDefined();
  expect(fault('<path d="M0 0" d="M1 1"/>')).toBeDefined();
  expect(fault('<path d="MNaN 0"/>')).toBe("NaN");
});

test.each(Object.entries(LETTERS))("courts carry the letters of %s in both corners", (_, letters) => {
  for (const suit of SUITS)
    for (const [rank, letter] of Object.entries(letters))
      expect(indices(face(suit + rank, look({ letters })))).toEqual([letter, letter]);
});

test("pips and trumps carry their number in both corners, the skus a star", () => {
  expect(indices(face("H10", look()))).toEqual(["10", "10"]);
  expect(indices(face("C1", look()))).toEqual(["1", "1"]);
  expect(TRUMPS.slice(1).map((card) => indices(face(card, look()))[0])).toEqual(
    TRUMPS.slice(1).map((card) => card.slice(1)),
  );
  expect(indices(face("T0", look()))).toEqual([]);
});

test("every index keeps to the left quarter that a fan leaves free", () => {
  for (const letters of Object.values(LETTERS))
    for (const card of DECK.filter((name) => name !== "T0")) {
      const [, left] = /translate\(([\d.]+) [\d.]+\) scale\([\d.]+ 1\.1\)" [^>]*data-index/.exec(
        face(card, look({ letters })),
      )!;
      const right = 69 - Number(left); // an index is centred on 34 or 34.5
      expect(right).toBeLessThanOrEqual(0.26 * 240);
    }
});

test("a letter without a drawing is set as text and cannot break the markup", () => {
  const markup = face("SK", look({ letters: { ...ENGLISH, K: "Ж<" } }));
  expect(fault(markup)).toBeUndefined();
  expect(markup).toContain(">Ж&#60;</text>");
});

test("a pip card shows as many signs as it counts", () => {
  const signs = (card: string) =>
    face(card, look()).split("scale(0.46)").length + face(card, look()).split("scale(-0.46)").length - 2;
  expect(RANKS.slice(4, 13).map((rank) => signs("D" + rank))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2]);
});

test("four colours tell the four suits apart, two colours two pairs", () => {
  const colours = (fourColour: boolean) =>
    SUITS.map((suit) => /stroke="(#\w+)"[^>]*data-index/.exec(face(`${suit}7`, look({ fourColour })))![1]);
  expect(new Set(colours(true)).size).toBe(4);
  const [spades, hearts, clubs, diamonds] = colours(false);
  expect([clubs, diamonds]).toEqual([spades, hearts]);
  expect(spades).not.toBe(hearts);
});

test("the skus says the word of its table", () => {
  expect(face("T0", look())).toContain(">skus</text>");
  expect(face("T0", look({ skus: "excuse" }))).toContain(">excuse</text>");
});

test.each(["", "T22", "T01", "S11", "S0", "XK", "SKK", "sk", "?", "T-1", " SK"])("%j is no card", (card) => {
  expect(() => face(card, look())).toThrow(/no card is written/);
});

describe("the component", () => {
  test("has a name where it is given one", () => {
    const { body } = render(Card, { props: { card: "SK", look: look(), label: "king of spades" } });
    expect(body).toContain('aria-label="king of spades"');
    expect(body).not.toContain("aria-hidden");
    expect(body).toContain(face("SK", look()));
  });

  test("is hidden from readers where it has none, and shows its back without a card", () => {
    const { body } = render(Card, { props: { card: null, look: look() } });
    expect(body).toContain('aria-hidden="true"');
    expect(body).toContain(back());
  });
});
