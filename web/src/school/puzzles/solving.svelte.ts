/** A puzzle as it is being solved: the server plays the others, and its answers are shown step by step. */

import { get, post } from "../../lib/api";
import { pace } from "../../lib/prefs.svelte";
import { language } from "../../lib/words";
import type { Action, Attempted, PuzzleTold, Scene } from "../../protocol";

export type Told = Attempted & { told: PuzzleTold };

const STEP_MS = 650; // how long each answer of the others stays, at the usual pace

export class Puzzling {
  told = $state.raw<Told | null>(null);
  scene = $state.raw<Scene | null>(null);
  busy = $state(false);
  trouble = $state("");
  change = $state.raw<number | null>(null); // of the rating, in this attempt
  #moves: readonly Action[] = [];
  #asked = 0;

  /** The address of a puzzle: its own, that of the day, or the next with these wishes. */
  async load(which: string, wishes = ""): Promise<void> {
    await this.#ask(get<Told>(`/api/puzzles/${which}?lang=${language}${wishes && `&${wishes}`}`), []);
  }

  /** One's own move; what follows is shown as it happens. */
  async play(action: Action): Promise<void> {
    if (this.busy || !this.told) return;
    const moves = [...this.#moves, action];
    await this.#ask(post<Told>(`/api/puzzles/${this.told.told.puzzle.id}?lang=${language}`, { moves }), moves);
  }

  /** From the beginning; it does not count any more. */
  async again(): Promise<void> {
    if (this.told) await this.load(this.told.told.puzzle.id);
  }

  stop(): void {
    this.#asked += 1;
  }

  async #ask(asking: Promise<Told>, moves: readonly Action[]): Promise<void> {
    const mine = ++this.#asked;
    this.busy = true;
    this.trouble = "";
    try {
      const found = await asking;
      for (const frame of found.told.frames) {
        if (mine !== this.#asked) return;
        this.scene = frame;
        await new Promise((done) => setTimeout(done, STEP_MS * pace()));
      }
      if (mine !== this.#asked) return;
      this.#moves = moves;
      this.told = found;
      this.change = found.change;
      this.scene = found.told.board.scene;
    } catch (failure) {
      if (mine === this.#asked) this.trouble = (failure as Error).message;
    } finally {
      if (mine === this.#asked) this.busy = false;
    }
  }
}
