/** Stepping through the frames of a deal. */
import type { Frame, Scene, TrickShown } from "../protocol";

/** Where a trick begins: the step that shows its first card. */
export interface Mark {
  readonly trick: number;
  readonly step: number;
}

export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1200;

/** Milliseconds that one step stays, at a speed. */
export const pause = (speed: number): number => STEP_MS / speed;

/** A step that exists. */
export const within = (step: number, count: number): number => Math.max(0, Math.min(step, count - 1));

/** The beginning of every trick, in order. */
export function marks(frames: readonly Pick<Frame, "scene">[]): Mark[] {
  const found = new Map<number, number>();
  frames.forEach(({ scene }, step) => {
    if (scene.trick && scene.trick.plays.length > 0 && !found.has(scene.trick.number))
      found.set(scene.trick.number, step);
  });
  return [...found].map(([trick, step]) => ({ trick, step }));
}

/** Where to begin with a trick: before its first card, if something is said about it. */
export const beginning = (mark: Mark, stops: readonly number[]): number =>
  stops.includes(mark.step - 1) ? mark.step - 1 : mark.step;

/** The trick that is being played at a step; before the first card there is none. */
export function trickAt(found: readonly Mark[], step: number): number | null {
  return found.findLast((mark) => mark.step <= step)?.trick ?? null;
}

/** The step to which a key leads, or null when it leads nowhere. */
export function stepByKey(key: string, step: number, count: number, found: readonly Mark[]): number | null {
  switch (key) {
    case "ArrowLeft":
      return within(step - 1, count);
    case "ArrowRight":
      return within(step + 1, count);
    case "ArrowUp":
    case "PageUp":
      return found.findLast((mark) => mark.step < step)?.step ?? 0;
    case "ArrowDown":
    case "PageDown":
      return found.find((mark) => mark.step > step)?.step ?? count - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The cards of the trick to show: the running one, or the last while nobody has led the next. */
export const shownTrick = (scene: Scene): TrickShown | null =>
  scene.trick && scene.trick.plays.length > 0 ? scene.trick : scene.last;
