/** The form of a new table: pure steps from one choice to the next, and the settings that follow. */
import { sitsHere } from "../lib/here.svelte";
import type { Book, Level, SeatPlan, Settings, Tempo } from "../protocol";
import { HELPS, type Help } from "../tutor/types";

export type HouseValue = boolean | number | string;

/** What has been chosen so far; every field of the settings has a value. */
export interface Form {
  readonly rules: string;
  readonly size: number;
  readonly seats: readonly Required<SeatPlan>[];
  readonly house: Readonly<Record<string, HouseValue>>;
  readonly deals: number | null;
  readonly tempo: Tempo;
  readonly clock: number | null;
  readonly public: boolean;
  readonly help: Help;
}

/** What a seat can be given to, as one value of a list. */
export type Sitter = "host" | "open" | Level;

export const LEVELS: readonly Level[] = ["beginner", "club", "expert", "master"];
export const TEMPOS: readonly Tempo[] = ["slow", "normal", "fast", "instant"];

/** The tables that one tap opens. */
export const PRESETS: readonly { rules: string; size: number }[] = [
  { rules: "dtf", size: 3 },
  { rules: "french4", size: 4 },
  { rules: "dtf", size: 4 },
  { rules: "french5", size: 5 },
];

const BOT: Required<SeatPlan> = { kind: "bot", level: "club" };
const HOST: Required<SeatPlan> = { kind: "host", level: "club" };

/** The form as it opens: you on the first seat, and bots of the club around. */
export function fresh(book: Pick<Book, "id" | "sizes">): Form {
  const size = usualSize(book.sizes);
  const seats = Array.from({ length: size }, (_, seat) => (seat === 0 ? HOST : BOT));
  return { rules: book.id, size, seats, house: {}, deals: null, tempo: "normal", clock: null, public: false, help: "alone" };
}

/** Another rulebook: the house rules of the former one are left behind, the rest stays where it fits. */
export function withBook(form: Form, book: Pick<Book, "id" | "sizes">): Form {
  if (form.rules === book.id) return form;
  const size = book.sizes.includes(form.size) ? form.size : usualSize(book.sizes);
  return { ...withSize(form, size), rules: book.id, house: {} };
}

/** More or fewer seats; a new one is given to a bot, and the host never loses his. */
export function withSize(form: Form, size: number): Form {
  const kept = form.seats.slice(0, size);
  const seats = [...kept, ...Array.from({ length: size - kept.length }, () => BOT)];
  const hostLeft = form.seats.some(isHost) && !seats.some(isHost);
  return { ...form, size, seats: hostLeft ? [HOST, ...seats.slice(1)] : seats };
}

/** Another sitter; when it is the host, a bot takes the seat he leaves. */
export function withSitter(form: Form, seat: number, sitter: Sitter): Form {
  const plan = planFor(sitter);
  const seats = form.seats.map((old, at) => (at === seat ? plan : isHost(plan) && isHost(old) ? BOT : old));
  return { ...form, seats };
}

/** A table for oneself and bots, as there is one without a server. */
export function byOneself(form: Form): Form {
  const seats = form.seats.map((plan) => (isHost(plan) || sitsHere(sitterOf(plan)) ? plan : BOT));
  return { ...form, seats, public: false };
}

/** One house rule; choosing the book's own value takes the rule away. */
export function withRule(form: Form, key: string, value: HouseValue, own: HouseValue): Form {
  const { [key]: _, ...house } = form.house;
  return { ...form, house: value === own ? house : { ...house, [key]: value } };
}

/** The book as it is written. */
export const withoutRules = (form: Form): Form => ({ ...form, house: {} });

export const sitterOf = (plan: SeatPlan): Sitter => (plan.kind === "bot" ? (plan.level ?? "club") : plan.kind);

/** The settings to send. */
export const settingsOf = (form: Form): Settings => ({ ...form, seats: [...form.seats], house: { ...form.house } });

/** A form that was kept as text, if it can still be used with these books. */
export function recalled(text: string | null, books: readonly Pick<Book, "id" | "sizes">[]): Form | null {
  if (text === null) return null;
  try {
    const form = JSON.parse(text) as Form;
    const book = books.find(({ id }) => id === form.rules);
    const usable = book?.sizes.includes(form.size) && form.seats.length === form.size && form.house !== null;
    const whole = { ...fresh(book!), ...form };
    return usable && form.seats.every(({ kind }) => typeof kind === "string") && HELPS.includes(whole.help) ? whole : null;
  } catch {
    return null;
  }
}

function planFor(sitter: Sitter): Required<SeatPlan> {
  if (sitter === "host") return HOST;
  return sitter === "open" ? { kind: "open", level: "club" } : { kind: "bot", level: sitter };
}

const isHost = (plan: SeatPlan): boolean => plan.kind === "host";

const usualSize = (sizes: readonly number[]): number => Math.min(...sizes);

const SECTIONS = ["rules", "size", "seats", "house", "deals", "tempo", "clock", "public", "help"] as const;
export type Section = (typeof SECTIONS)[number];

/** The part of the form that an error is about: `settings.seats[1].level` is about the seats, `skus.rename` a house rule. */
export function sectionOf(field: string): Section | null {
  const path = field.replace(/^settings\.?/, "");
  if (path === "") return null;
  return SECTIONS.find((section) => new RegExp(`^${section}(?![a-zA-Z])`).test(path)) ?? "house";
}
