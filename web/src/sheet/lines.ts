/** The totals of a whole table as lines on one scale. */

export interface Lines {
  readonly paths: readonly string[];
  readonly ends: readonly { readonly x: number; readonly y: number }[];
  readonly zero: number;
}

/** Draws what everybody has after each deal into a box; all begin at nothing. */
export function lines(after: readonly (readonly number[])[], players: number, width: number, height: number): Lines {
  const rows = [Array<number>(players).fill(0), ...after];
  const [low, high] = [Math.min(...rows.flat()), Math.max(...rows.flat())];
  const x = (deal: number): number => round((deal / Math.max(1, after.length)) * width);
  const y = (value: number): number => round(high === low ? height / 2 : ((high - value) / (high - low)) * height);
  const seats = Array.from({ length: players }, (_, seat) => rows.map((row, deal) => ({ x: x(deal), y: y(row[seat] ?? 0) })));
  return {
    paths: seats.map((points) => points.map((point, at) => `${at ? "L" : "M"}${point.x} ${point.y}`).join("")),
    ends: seats.map((points) => points.at(-1)!),
    zero: y(0),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
