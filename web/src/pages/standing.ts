/** Who stands where. */

/** How long a bar is, in hundredths of its half, beside the others. */
export function share(points: number, all: readonly number[]): number {
  const most = Math.max(1, ...all.map(Math.abs));
  return Math.round((Math.abs(points) / most) * 100);
}

/** The place that a total has among all; equal totals share one. */
export const placeOf = (total: number, all: readonly number[]): number =>
  1 + all.filter((other) => other > total).length;
