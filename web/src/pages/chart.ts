/** The totals of a session as a line. */

export interface Chart {
  readonly path: string;
  readonly end: { readonly x: number; readonly y: number };
  readonly zero: number; // where the line of nothing lies
}

/** Draws the totals after each deal into a box; the line begins at nothing. */
export function chart(totals: readonly number[], width: number, height: number): Chart {
  const values = [0, ...totals];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const x = (deal: number): number => round((deal / Math.max(1, totals.length)) * width);
  const y = (value: number): number => round(high === low ? height / 2 : ((high - value) / (high - low)) * height);
  const points = values.map((value, deal) => ({ x: x(deal), y: y(value) }));
  const path = points.map((point, at) => `${at ? "L" : "M"}${point.x} ${point.y}`).join("");
  return { path, end: points.at(-1)!, zero: y(0) };
}

const round = (value: number): number => Math.round(value * 10) / 10;
