/** A search that tells what it knows so far; another question, or leaving, stops it. */

import { language } from "../lib/words";
import type { Action } from "../protocol";
import { stopped, streamed } from "../tutor/stream";
import type { SolvedShown, SolveLine } from "../tutor/types";

export class Solving {
  running = $state(false);
  waiting = $state(0);
  solved = $state.raw<SolvedShown | null>(null);
  trouble = $state("");
  #control: AbortController | null = null;

  async ask(text: string, moves: readonly Action[], goal: string): Promise<void> {
    this.stop();
    const control = (this.#control = new AbortController());
    this.running = true;
    try {
      const asked = streamed<SolveLine>("POST", `/api/analyse/solve?lang=${language}`, { text, moves, goal }, control.signal);
      for await (const line of asked) {
        if (control.signal.aborted) return;
        if ("error" in line) this.trouble = line.error;
        else if ("waiting" in line) this.waiting = line.waiting;
        else [this.solved, this.waiting] = [line, 0];
      }
    } catch (failure) {
      if (!stopped(failure)) this.trouble = (failure as Error).message;
    } finally {
      if (this.#control === control) this.running = false;
    }
  }

  /** Stop, and forget what was found. */
  stop(): void {
    this.#control?.abort();
    this.#control = null;
    this.running = false;
    this.waiting = 0;
    this.solved = null;
    this.trouble = "";
  }
}
