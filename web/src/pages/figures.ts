/** One's own figures, as the server has them. */

import { get } from "../lib/api";
import { language } from "../lib/words";
import type { Figures } from "../protocol";

/** What one has won and lost; the server is told when the day began here. */
export function figures(now = new Date()): Promise<Figures> {
  return get<Figures>(`/api/figures?since=${dayBegan(now)}&lang=${language}`);
}

/** The last midnight, in minutes since 1970. */
export function dayBegan(now: Date): number {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.floor(midnight.getTime() / 60_000);
}

export const meanOf = (points: number, deals: number): number => (deals > 0 ? points / deals : 0);

/** Where bars between two values begin and how long they are, in hundredths; zero lies at the same place for all. */
export function bars(
  values: readonly number[],
  least = Math.min(0, ...values),
  most = Math.max(0, ...values),
): { zero: number; bars: { from: number; long: number }[] } {
  const whole = most - least || 1;
  const at = (value: number): number => Math.round(((value - least) / whole) * 1000) / 10;
  const zero = at(0);
  return {
    zero,
    bars: values.map((value) => ({ from: Math.min(zero, at(value)), long: Math.abs(at(value) - zero) })),
  };
}
