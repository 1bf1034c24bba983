/** A guided first deal: the table it shows, step by step, and what has been done at it. Kept in the browser. */

import { ApiError, post } from "../../lib/api";
import type { AtTable, Refusal } from "../../lib/live.svelte";
import { patience } from "../../lib/prefs.svelte";
import { language, type Family } from "../../lib/words";
import type { Action, FirstShown, Happening, Scene, Wish } from "../../protocol";
import type { TutorWish } from "../../tutor/types";
import { keep, kept, pauseAfter, type Place } from "./place";

export class Guided implements AtTable {
  scene = $state.raw<Scene | null>(null);
  fresh = $state.raw<readonly Happening[]>([]);
  waiting = $state(0);
  refusal = $state.raw<Refusal | null>(null);
  told = $state.raw<FirstShown | null>(null);
  trouble = $state(""); // why the server cannot be asked
  playing = $state(false); // cards fall one after the other
  refused = $state(0); // how often something was, at this step
  #moves: readonly Action[] = [];
  #hurry: (() => void) | null = null;
  #hurried = false;

  constructor(readonly game: Family) {
    void this.begin();
  }

  /** Go on where it was left. What is kept may belong to another deal than the server has by now. */
  async begin(): Promise<void> {
    const place = kept(this.game);
    this.#moves = place.moves;
    if (!(await this.#go(place, false)) && place.at > 0 && !this.trouble) await this.#go({ at: 0, moves: [] }, false);
  }

  /** What the learner does at the table. */
  do(wish: Wish | TutorWish): void {
    const told = this.told;
    if (wish.type !== "Act" || told === null || told.action === null || this.waiting > 0) return;
    const moves = [...this.#moves.slice(0, told.made), (wish as { action: Action }).action];
    void this.#go({ at: told.step + 1, moves }, true);
  }

  next(): void {
    if (this.told && this.waiting === 0 && this.told.step + 1 < this.told.steps)
      void this.#go({ at: this.told.step + 1, moves: this.#moves }, true);
  }

  back(): void {
    if (this.told && this.waiting === 0 && this.told.step > 0)
      void this.#go({ at: this.told.step - 1, moves: this.#moves }, false);
  }

  again(): void {
    void this.#go({ at: 0, moves: [] }, false);
  }

  /** Do not wait for cards to fall. */
  hurry(): void {
    this.#hurried = true;
    this.#hurry?.();
  }

  /** No clock runs. */
  until(): number {
    return 0;
  }

  /** Ask for a step, let happen what leads to it, and be there; whether that is granted. */
  async #go(place: Place, shows: boolean): Promise<boolean> {
    this.refusal = null;
    this.trouble = "";
    this.waiting = 1;
    try {
      const told = await post<FirstShown>(`/api/school/first/${this.game}?lang=${language}`, place);
      if (shows) await this.#show(told);
      this.#moves = place.moves;
      keep(this.game, place);
      this.#arrive(told, shows);
      return true;
    } catch (failure) {
      this.#refuse(failure);
      return false;
    } finally {
      this.waiting = 0;
    }
  }

  /** What has happened since the step before, one thing after the other; the last of it is where one is. */
  async #show({ frames, kind }: FirstShown): Promise<void> {
    this.#hurried = false;
    this.playing = frames.length > 1;
    for (const { scene, story } of frames.slice(0, -1)) {
      this.scene = { ...scene, turn: null };
      this.fresh = story;
      await this.#wait(pauseAfter(story, kind) * Math.max(patience(), 0.1));
    }
    this.playing = false;
  }

  /** The trick that is over lies on the table until the next card is played, so that it can be looked at. */
  #arrive(told: FirstShown, shows: boolean): void {
    const { scene, story } = told.frames.at(-1)!;
    this.scene = { ...scene, trick: scene.trick ?? scene.last, turn: told.kind === "do" ? scene.turn : null };
    this.fresh = shows ? story : [];
    this.told = told;
    this.refused = 0;
  }

  #wait(long: number): Promise<void> {
    if (this.#hurried) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, long);
      this.#hurry = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  #refuse(failure: unknown): void {
    const { status, message } = failure as ApiError;
    if (status === 409) {
      this.refusal = { reason: message, cite: null };
      this.refused++;
    } else if (status !== 422 || this.told !== null) this.trouble = message;
  }
}
