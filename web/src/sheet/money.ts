/** What a point is worth, as people type it, kept for the next evening. */

const RATE = "ultimo.sheet.rate";
const MOST = 999_999;

export const keptRate = (): string => localStorage.getItem(RATE) ?? "";

export const keepRate = (rate: string): void => localStorage.setItem(RATE, rate);

/** The rate in the smallest coin; nothing typed is none, and what is no rate is null. */
export function coinsOf(rate: string): number | null {
  const coins = Math.round(Number(rate.replace(",", ".")) * 100);
  return Number.isFinite(coins) && coins >= 0 && coins <= MOST ? coins : null;
}
