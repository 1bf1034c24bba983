/** Days and numbers as the visitor's language writes them. */

import { language } from "../lib/words";

type Style = "full" | "long" | "medium" | "short";

/** A day such as 2026-11-17 in words. */
export function dayOf(day: string, style: Style = "medium", tongue: string = language): string {
  const at = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : new Intl.DateTimeFormat(tongue, { dateStyle: style, timeZone: "UTC" }).format(at);
}

/** A day with its weekday, for lists: Tue, 17 Nov 2026. */
export function weekdayOf(day: string, tongue: string = language): string {
  const at = new Date(`${day}T12:00:00Z`);
  const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return Number.isNaN(at.getTime()) ? day : new Intl.DateTimeFormat(tongue, parts).format(at);
}

/** The day on which something happened; `at` is in seconds since 1970. */
export const dateOf = (at: number, style: Style = "medium"): string =>
  new Date(at * 1000).toLocaleDateString(language, { dateStyle: style });

/** Today where the visitor is, such as 2026-11-17. */
export function today(now: Date = new Date()): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** What a season that begins now is usually called: clubs begin in August, 2026/27. */
export function usualSeason(now: Date = new Date()): string {
  const year = now.getMonth() >= 6 ? now.getFullYear() : now.getFullYear() - 1;
  return `${year}/${String((year + 1) % 100).padStart(2, "0")}`;
}

/** Points with their sign, a real minus, and at most one decimal. */
export function points(value: number, tongue: string = language): string {
  const rounded = Math.round(value * 10) / 10;
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return sign + new Intl.NumberFormat(tongue, { maximumFractionDigits: 1 }).format(Math.abs(rounded));
}
