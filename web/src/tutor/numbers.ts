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

/** Chances in whole hundredths that make 100 together, by the largest remainders; what may be is at least 1. */
export function percents(chances: readonly number[]): number[] {
  const shares = chances.map((one) => 100 * one);
  const whole = shares.map((share) => (share > 0 ? Math.max(1, Math.floor(share)) : 0));
  const missing = Math.round(shares.reduce((sum, share) => sum + share, 0)) - whole.reduce((sum, one) => sum + one, 0);
  const order = whole.map((_, at) => at).sort((one, other) => shares[other]! - whole[other]! - shares[one]! + whole[one]!);
  for (const at of order.slice(0, Math.max(0, missing))) whole[at]! += 1;
  if (missing < 0) whole[whole.indexOf(Math.max(...whole))]! += missing;
  return whole;
}

export const count = (value: number): string => whole.format(value);
