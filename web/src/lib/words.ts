/**
 * The page's words. A server puts them into the page in the language of the visitor; a page that comes without one has them in
 * every language.
 */

export type Language = "en" | "da" | "fr" | "de";
export type Family = "danish" | "french";
export type Letters = { K: string; Q: string; N: string; J: string };

type Inlined = {
  language: Language;
  languages: readonly Language[];
  words: Record<string, string>;
  cards: Record<Family, Record<string, string>>;
  letters: Record<Family, Letters>;
  orders: Record<Family, Record<string, readonly string[]>>;
};

const PLAIN: Inlined = {
  language: "en",
  languages: ["en", "da", "fr", "de"],
  words: {},
  cards: { danish: {}, french: {} },
  letters: { danish: { K: "K", Q: "Q", N: "N", J: "J" }, french: { K: "K", Q: "Q", N: "N", J: "J" } },
  orders: { danish: {}, french: {} },
};

export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  da: "Dansk",
  fr: "Français",
  de: "Deutsch",
};

const KEY = "ultimo.language";
const inlined: Inlined = { ...PLAIN, ...read() };

type Every = { all?: Record<Language, Inlined> };

function read(): Partial<Inlined> {
  const element = globalThis.document?.getElementById("words");
  const told = JSON.parse(element?.textContent || "{}") as Partial<Inlined> & Every;
  return told.all ? told.all[preferred([kept(), ...navigator.languages])] : told;
}

/** The first of these languages that is one of ours. */
export function preferred(wishes: readonly string[]): Language {
  const ours = wishes.map((wish) => wish.toLowerCase().split("-")[0] as Language);
  return ours.find((wish) => PLAIN.languages.includes(wish)) ?? PLAIN.language;
}

/** The first of these locales that speaks the language; English without a country is British, as most visitors are Europeans. */
export function localeOf(spoken: Language, wishes: readonly string[]): string {
  return wishes.find((wish) => wish.startsWith(`${spoken}-`)) ?? (spoken === "en" ? "en-GB" : spoken);
}

/** Keep the language for a page that comes without a server. */
export function keepLanguage(wish: Language): void {
  try {
    localStorage.setItem(KEY, wish);
  } catch {
    // a browser that keeps nothing: the next page has the language of the browser
  }
}

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

export const language = inlined.language;
export const usualFamily: Family = language === "fr" ? "french" : "danish"; // the game that is played where one is
/** How dates and numbers are written: as in the visitor's country. */
export const locale = localeOf(language, globalThis.navigator?.languages ?? []);
export const languages = inlined.languages;

/** The words of a key with its values filled in: `t("table.holds", { n: 3 })`. */
export function t(key: string, values: Record<string, string | number> = {}): string {
  return fill(inlined.words[key] ?? key, values);
}

const numbers = new Intl.PluralRules(language);

/**
 * A text with its places `{name}` filled in; a place without a value stays. `{n|deal|deals}` is the first word for one, the
 * second for another number, as the language counts.
 */
export function fill(text: string, values: Record<string, string | number>, rules = numbers): string {
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^|}]*)\}/g, (_, name: string, one: string, many: string) => (rules.select(Number(values[name])) === "one" ? one : many))
    .replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** A card as one says it: "king of spades". */
export function cardName(card: string, family: Family): string {
  return inlined.cards[family][card] ?? card;
}

/** The ranks of a card's suit from the highest down; trumps have their numbers on them. */
export function orders(card: string, family: Family): readonly string[] {
  return inlined.orders[family][card.charAt(0)] ?? [];
}

/** What is to be said of a card beside its name: of itself, of its rank, of the pips of a red suit. */
export function specials(card: string, family: Family): string[] {
  const red = /^[HD]\d+$/.test(card) ? ["red"] : [];
  const said = [card, card.slice(1), ...red].map((kind) => t(`card.${family}.${kind}`));
  return said.filter((words) => !words.startsWith("card.")); // a key without words stays as it is
}

/** The letters of the courts in the corners of the cards. */
export function letters(family: Family): Letters {
  return inlined.letters[family];
}

/** A number with its sign, with a real minus. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** A time of day as the visitor's language writes it; `at` is in seconds since 1970. */
export function timeOfDay(at: number): string {
  return new Date(at * 1000).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
}
