/** Days and numbers as the visitor's language writes them. */

import { locale } from "../lib/words";

type Style = "full" | "long" | "medium" | "short";

/** A day such as 2026-11-17 in words. */
export function dayOf(day: string, style: Style = "medium", tongue: string = locale): string {
  const at = new Date(`${day}T12:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : new Intl.DateTimeFormat(tongue, { dateStyle: style, timeZone: "UTC" }).format(at);
}

/** A day as a headline: Tirsdag den 17. november 2026. */
export function headlineOf(day: string, tongue: string = locale): string {
  const words = dayOf(day, "full", tongue);
  return words.charAt(0).toLocaleUpperCase(tongue) + words.slice(1);
}

/** A day with its weekday, for lists: Tue, 17 Nov 2026. */
export function weekdayOf(day: string, tongue: string = locale): string {
  const at = new Date(`${day}T12:00:00Z`);
  const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return Number.isNaN(at.getTime()) ? day : new Intl.DateTimeFormat(tongue, parts).format(at);
}

/** The day on which something happened; `at` is in seconds since 1970. */
export const dateOf = (at: number, style: Style = "medium"): string =>
  new Date(at * 1000).toLocaleDateString(locale, { dateStyle: style });

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

/** Points with their sign, a real minus, and one decimal if they are a mean. */
export function points(value: number, mean = false, tongue: string = locale): string {
  const digits = mean ? 1 : 0;
  const rounded = Math.round(value * 10 ** digits) / 10 ** digits;
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  const number = new Intl.NumberFormat(tongue, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return sign + number.format(Math.abs(rounded));
}
