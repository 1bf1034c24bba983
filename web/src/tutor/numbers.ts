/** Numbers that were estimated, as the visitor's language writes them. */

import { language } from "../lib/words";

const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

/** To tenths, halves away from zero: a loss and the same gain are written alike. */
const rounded = (value: number): number => (Math.sign(value) * Math.round(Math.abs(value) * 10)) / 10;

/** Points without their sign; from a hundred on tenths say nothing. */
export const amount = (value: number): string =>
  (Math.abs(value) >= 100 ? whole : tenths).format(Math.abs(rounded(value)));

/** Points with their sign, with a real minus. */
export function points(value: number): string {
  const one = rounded(value);
  return `${one > 0 ? "+" : one < 0 ? "−" : ""}${amount(value)}`;
}

/** Points and how far they may lie off. */
export const about = (value: number, error: number | null): string =>
  error !== null && rounded(error) > 0 ? `${points(value)} ± ${amount(error)}` : points(value);

/** A chance; what is not quite sure never reads as sure. */
export function chance(value: number): string {
  const percent = Math.round(value * 100);
  const shown = value <= 0 ? 0 : value >= 1 ? 100 : Math.min(99, Math.max(1, percent));
  return `${shown} %`;
}

export const count = (value: number): string => whole.format(value);
