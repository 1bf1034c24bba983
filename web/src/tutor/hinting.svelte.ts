/** A hint at the table: asked for, thought about, shown, asked back about, and put away. */

import { ApiError, post } from "../lib/api";
import type { Live } from "../lib/live.svelte";
import { language } from "../lib/words";
import type { Action } from "../protocol";
import type { Choosing } from "../table/choosing.svelte";
import { pickAction } from "../table/pick";
import { helpOf, type AgainstShown, type HintShown } from "./types";

const PATIENCE = 300; // milliseconds, then a club player is asked meanwhile

export class Hinting {
  open = $state(false);
  thinking = $state<"hint" | "against" | null>(null);
  hint = $state.raw<HintShown | null>(null);
  against = $state.raw<AgainstShown | null>(null); // the answer to "why not this one?"
  trouble = $state("");
  more = $state(false); // all that was looked at is shown
  first = $state(false); // the hint is a club player's, until the tutor has thought
  readonly #table: string;
  readonly #live: Live;
  readonly #choosing: Choosing;
  #answered: Promise<void> = Promise.resolve(); // when the tutor has thought of the last question
  #asked = 0; // an answer that comes after another question, or after the turn, is none

  constructor(table: string, live: Live, choosing: Choosing) {
    this.#table = table;
    this.#live = live;
    this.#choosing = choosing;
  }

  /** Whether a hint can be asked for now: it is the viewer's turn, and the table helps. */
  may = $derived.by(() => {
    const scene = this.#live.scene;
    if (scene === null || scene.you === null || scene.turn === null) return false;
    return scene.seats[scene.you]!.turn && helpOf(scene.table).hints;
  });

  /** The lamp: on and off. */
  toggle(): void {
    if (this.open) this.close();
    else if (this.may) void this.#ask(null);
  }

  /** Why not this instead? */
  whyNot(action: Action): void {
    if (this.open) void this.#ask(action);
  }

  /** Do what the hint says. */
  follow(): void {
    const action = this.hint?.action;
    this.close();
    if (action) this.#choosing.act(action);
  }

  close(): void {
    this.#asked += 1;
    this.open = this.more = this.first = false;
    this.thinking = this.hint = this.against = null;
    this.trouble = "";
    this.#choosing.hinted = [];
    this.#choosing.inquire = null;
  }

  async #ask(against: Action | null): Promise<void> {
    const asked = (this.#asked += 1);
    this.open = true;
    this.trouble = "";
    this.against = null;
    this.thinking = against ? "against" : "hint";
    const first = against ? undefined : setTimeout(() => void this.#lookFirst(asked), PATIENCE);
    try {
      const hint = await this.#told(against, false);
      if (asked !== this.#asked) return;
      this.against = hint.against;
      if (!against || this.hint === null) this.#show(hint, false);
    } catch (failure) {
      if (asked === this.#asked) this.trouble = (failure as ApiError).message;
    } finally {
      clearTimeout(first);
      if (asked === this.#asked) this.thinking = null;
    }
  }

  /** What a club player would do, while the tutor still thinks; nothing if that cannot be said. */
  async #lookFirst(asked: number): Promise<void> {
    const hint = await this.#told(null, true).catch(() => null);
    if (hint && asked === this.#asked && this.thinking === "hint" && this.hint === null) this.#show(hint, true);
  }

  /** Ask the server; the tutor thinks of one question of a person at a time, so the next one waits. */
  #told(against: Action | null, first: boolean): Promise<HintShown> {
    const ask = () => post<HintShown>(`/api/tables/${this.#table}/hint?lang=${language}`, { move: null, against, first });
    if (first) return ask();
    const answer = this.#answered.then(ask);
    this.#answered = answer.then(() => {}, () => {});
    return answer;
  }

  #show(hint: HintShown, first: boolean): void {
    this.hint = hint;
    this.first = first;
    this.#choosing.hinted = hint.cards;
    this.#choosing.inquire = (card) => this.whyNot(this.#playing(card));
  }

  /** The cards that are picked, if they are enough and not what is advised. */
  picked = $derived.by((): Action | null => {
    const { pick, picked, hinted } = this.#choosing;
    if (!pick || picked.length !== pick.size) return null;
    return picked.every((card) => hinted.includes(card)) ? null : pickAction(pick, picked);
  });

  /** Playing a card, as the hint has looked at it; a skus that is led has a name. */
  #playing(card: string): Action {
    const same = this.hint?.candidates.find(({ action }) => action.type === "Play" && action.card === card);
    const play = this.#choosing.play;
    const named = card === "T0" && play?.naming ? (play.suits[0]?.suit ?? null) : null;
    return same?.action ?? { type: "Play", card, named };
  }
}
