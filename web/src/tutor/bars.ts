/** Bars with whiskers: estimates beside each other on one scale, in hundredths of its length. */

export interface Estimate {
  readonly value: number;
  readonly error?: number | null; // as far as it may lie off, both ways
  readonly tick?: number | null; // another value beside it
}

export interface Bar {
  readonly from: number;
  readonly long: number;
  readonly low: number; // the ends of the whisker
  readonly high: number;
  readonly tick: number | null;
}

export interface Scale {
  readonly zero: number;
  readonly bars: readonly Bar[];
}

/** Everything that is drawn has its place between the ends, and zero has one, too. */
export function whiskered(estimates: readonly Estimate[]): Scale {
  const ends = estimates.flatMap(({ value, error, tick }) => [
    value - (error ?? 0),
    value + (error ?? 0),
    tick ?? 0,
  ]);
  const least = Math.min(0, ...ends);
  const whole = Math.max(0, ...ends) - least || 1;
  const at = (value: number): number => Math.round(((value - least) / whole) * 1000) / 10;
  const zero = at(0);
  return {
    zero,
    bars: estimates.map(({ value, error, tick }) => ({
      from: Math.min(zero, at(value)),
      long: Math.abs(at(value) - zero),
      low: at(value - (error ?? 0)),
      high: at(value + (error ?? 0)),
      tick: tick === null || tick === undefined ? null : at(tick),
    })),
  };
}

/** What a result is made of, drawn from zero: first the cards, then from there the play. */
export function madeOf(luck: number, play: number): { zero: number; luck: Span; play: Span; end: number } {
  const least = Math.min(0, luck, luck + play);
  const whole = Math.max(0, luck, luck + play) - least || 1;
  const at = (value: number): number => Math.round(((value - least) / whole) * 1000) / 10;
  const span = (one: number, other: number): Span => ({
    from: Math.min(at(one), at(other)),
    long: Math.abs(at(other) - at(one)),
  });
  return { zero: at(0), luck: span(0, luck), play: span(luck, luck + play), end: at(luck + play) };
}

export interface Span {
  readonly from: number;
  readonly long: number;
}
