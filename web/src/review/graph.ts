/** The picture of a deal: the expected result of each seat before every decision, as lines over time. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number; // room for the numbers of the scale
  readonly right: number; // room for the names
  readonly top: number;
  readonly bottom: number;
}

export interface Graph {
  readonly points: readonly (readonly Point[])[]; // one line for each seat
  readonly paths: readonly string[];
  readonly ticks: readonly { readonly value: number; readonly y: number }[]; // zero is among them
  readonly zero: number;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A step of the scale that reads well: 1, 2 or 5 times a power of ten, at least one. */
export function niceStep(range: number, most: number): number {
  const least = Math.max(1, range / Math.max(1, most));
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least)!;
}

/** Draws rows of values, one row for each moment, into a frame. */
export function drawn(rows: readonly (readonly number[])[], frame: Frame): Graph {
  const values = rows.flat();
  const step = niceStep(Math.max(0, ...values) - Math.min(0, ...values), 5);
  const low = Math.floor(Math.min(0, ...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(0, ...values) / step) * step, low + step);
  const y = (value: number): number =>
    round(frame.top + ((high - value) / (high - low)) * (frame.height - frame.top - frame.bottom));
  const seats = rows[0]?.length ?? 0;
  const points = Array.from({ length: seats }, (_, seat) =>
    rows.map((row, at) => ({ x: xOf(at, rows.length, frame), y: y(row[seat]!) })),
  );
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  return {
    points,
    paths: points.map((line) => line.map((point, at) => `${at ? "L" : "M"}${point.x} ${point.y}`).join("")),
    ticks: ticks.map((value) => ({ value, y: y(value) })),
    zero: y(0),
  };
}

/** Where a moment stands. */
export function xOf(at: number, count: number, { width, left, right }: Frame): number {
  return round(left + (at / Math.max(1, count - 1)) * (width - left - right));
}

/** The moment that is nearest to a place. */
export function momentAt(x: number, count: number, { width, left, right }: Frame): number {
  const part = (x - left) / Math.max(1, width - left - right);
  return Math.max(0, Math.min(count - 1, Math.round(part * (count - 1))));
}

/** Places for labels that want to stand at `wanted`, at least `gap` apart and between the ends, in the same order. */
export function spread(wanted: readonly number[], gap: number, least: number, most: number): number[] {
  const order = wanted.map((_, at) => at).sort((one, other) => wanted[one]! - wanted[other]!);
  const places: number[] = [];
  let before = least - gap;
  for (const at of order) before = places[at] = Math.max(wanted[at]!, before + gap, least);
  let after = most + gap;
  for (const at of order.reverse()) after = places[at] = Math.min(places[at]!, after - gap);
  return places.map(round);
}
