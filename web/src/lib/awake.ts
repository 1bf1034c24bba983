/**
 * Whether the browser lets this page run: one that sleeps, or lies in the background for long, hears what was said to it
 * only when it wakes, and cannot know how long ago that was.
 */

export const BEAT = 500; // milliseconds between two looks at the clock
export const GAP = 2_500; // so long without one, and the page has slept

export class Awake {
  #last: number;
  #woke = -Infinity;
  #timer: ReturnType<typeof setInterval>;

  constructor(private readonly now: () => number = Date.now) {
    this.#last = now();
    this.#timer = setInterval(() => this.#beat(), BEAT);
  }

  /** Whether the page has run without a gap of late. */
  get steadily(): boolean {
    const now = this.now();
    return now - this.#last < GAP && now - this.#woke > GAP;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const now = this.now();
    if (now - this.#last >= GAP) this.#woke = now;
    this.#last = now;
  }
}
