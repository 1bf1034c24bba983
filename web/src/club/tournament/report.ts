/** The result of a table while it is typed: a row of numbers, some of which follow from others. */

import type { ReportTable, TournamentShown, TournamentTable } from "../../protocol";

export const DIGITS = 5;

/** Numbers as they are typed: digits with or without a minus; an empty one is not there yet. */
export type Typed = readonly string[];

export interface Plan {
  readonly form: "points" | "scores" | "boards";
  readonly seats: number;
  readonly boards: number;
  readonly cups: boolean; // whether the last number is what is left in the cups
}

/** What is to be typed: points by seat, on each board the taker's score, or on each board every seat. */
export function plan(shown: TournamentShown, table: TournamentTable): Plan {
  const seats = table.people.length;
  if (shown.kind === "individual") return { form: "points", seats, boards: 0, cups: shown.cups };
  return { form: shown.family === "french" ? "scores" : "boards", seats, boards: shown.deals, cups: false };
}

export const fields = ({ form, seats, boards, cups }: Plan): number =>
  form === "points" ? seats + Number(cups) : form === "scores" ? boards : boards * seats;

/** What is typed when a result is put right. */
export const begun = (plan: Plan, table: TournamentTable): Typed =>
  table.reported ? written(table.figures) : Array<string>(fields(plan)).fill("");

/** The figures of a result as they are typed. */
export const written = (figures: readonly (number | null)[]): Typed => figures.map((one) => (one === null ? "" : String(one)));

/** Whether somebody else has written another result of a table since its form was opened. */
export const changed = (opened: TournamentTable, now: TournamentTable): boolean => now.reported && now.figures.join() !== opened.figures.join();

/** A digit behind the others; the first one after a field is chosen takes the place of what stands there. */
export function digit(text: string, one: string, first = false): string {
  if (first) return one;
  const [sign, digits] = [text.startsWith("-") ? "-" : "", text.replace("-", "")];
  return digits.length >= DIGITS ? text : sign + (digits === "0" ? one : digits + one);
}

export const turned = (text: string): string => (text.startsWith("-") ? text.slice(1) : `-${text}`);

export const number = (text: string): number | null => (/^-?\d+$/.test(text) ? Number(text) : null);

/** What the points come to together with the cups; nothing must be left. */
export const sum = (typed: Typed): number => typed.reduce((all, one) => all + (number(one) ?? 0), 0);

/** The one number that is missing so that all add up; null if not exactly one seat is empty. */
export function missing({ form, seats }: Plan, typed: Typed): number | null {
  if (form !== "points") return null;
  const open = typed.slice(0, seats).flatMap((one, at) => (number(one) === null ? [at] : []));
  return open.length === 1 ? open[0]! : null;
}

/** Whether there is something to send. */
export function complete(plan: Plan, typed: Typed): boolean {
  if (plan.form === "points") return typed.every((one) => number(one) !== null) && sum(typed) === 0;
  if (plan.form === "scores") return typed.some((one) => number(one) !== null);
  return chunks(typed, plan.seats).every((row) => row.every((one) => one === "") || row.every((one) => number(one) !== null));
}

export function wish(plan: Plan, typed: Typed, round: number, table: TournamentTable, deals: number, anyway = false): ReportTable {
  const told = { round, table: table.number, points: [], boards: [], scores: [], deals, cups: 0, sheet: false, amend: table.reported, anyway, note: "" };
  const numbers = typed.map(number);
  if (plan.form === "scores") return { type: "ReportTable", ...told, scores: numbers };
  if (plan.form === "boards")
    return { type: "ReportTable", ...told, boards: chunks(numbers, plan.seats).map((row) => (row.includes(null) ? [] : row.map(Number))) };
  return { type: "ReportTable", ...told, points: numbers.slice(0, plan.seats).map(Number), cups: plan.cups ? Number(numbers.at(-1)) : 0 };
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: all.length / size }, (_, at) => all.slice(at * size, (at + 1) * size));
}
