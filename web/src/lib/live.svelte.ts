/** A table as this page sees it, kept up to date over the line. */

import type { Cited, Full, Happening, Scene, Update, Wish } from "../protocol";
import type { TutorWish } from "../tutor/types";
import { socket } from "./house";
import { Awake } from "./awake";
import { AT_ONCE, answer, commandOf, refused, sent } from "./shuffling";
import { Line, type LineState } from "./socket";

export type Refusal = { reason: string; cite: Cited | null };

/** Words that were not let through, and why. */
export type Unsaid = { reason: string; text: string };

/** What the parts of a table need of it, whether it is live or a guided deal. */
export type AtTable = Pick<Live, "scene" | "fresh" | "waiting" | "refusal" | "do" | "until">;

const STORY = 400; // as many happenings are kept

export class Live {
  scene = $state.raw<Scene | null>(null);
  story = $state.raw<readonly Happening[]>([]);
  /** What has come with the last update, for what moves and for what is read aloud; empty after a reload. */
  fresh = $state.raw<readonly Happening[]>([]);
  line = $state<LineState>("opening");
  reason = $state(""); // why the line is closed
  waiting = $state(0);
  refusal = $state.raw<Refusal | null>(null);
  unsaid = $state.raw<Unsaid | null>(null);
  #skew = 0; // the server's clock less ours, in seconds
  #line: Line;
  #awake = new Awake();

  constructor(private readonly table: string) {
    this.#line = new Line(
      {
        full: (message) => this.#full(message),
        update: (message) => this.#update(message),
        refused: (wish, reason, cite) => this.#refused(wish, reason, cite),
        waiting: (count) => (this.waiting = count),
        state: (state, reason) => this.#state(state, reason),
      },
      {
        socket: () => socket(table),
        command: newCommand,
        random: Math.random,
        now: () => performance.now(),
      },
    );
  }

  do(wish: Wish | TutorWish): void {
    if (wish.type === "Say") this.unsaid = null;
    else this.refusal = null;
    this.#line.do(wish as Wish);
  }

  /** Seconds from now until a moment of the server's clock. */
  until(at: number): number {
    return at - (Date.now() / 1000 + this.#skew);
  }

  hurry(): void {
    this.#line.hurry();
  }

  close(): void {
    this.#line.close();
    this.#awake.stop();
  }

  #full({ scene, story, now }: Full): void {
    this.#skew = now - Date.now() / 1000;
    this.scene = scene;
    this.story = story;
    this.fresh = [];
    void this.#shuffle(scene);
  }

  #update({ patch, story, now }: Update): void {
    if (this.scene === null) return;
    this.#skew = now - Date.now() / 1000;
    const scene = { ...this.scene, ...patch } as Scene;
    const before = scene.number === this.scene.number ? this.story : [];
    this.scene = scene;
    this.story = [...before, ...story].slice(-STORY);
    this.fresh = story;
    if ("turn" in patch) this.refusal = null;
    if ("fair" in patch) void this.#shuffle(scene);
  }

  /** What the page wishes by itself, for the shuffling, may come too late; that is nobody's concern. */
  #refused(wish: Wish, reason: string, cite: Cited | null): void {
    if (wish.type === "Say") this.unsaid = { reason, text: wish.text };
    else if (wish.type === "Commit" || wish.type === "Reveal") refused(this.table, wish);
    else this.refusal = { reason, cite };
  }

  #state(state: LineState, reason: string): void {
    this.line = state;
    this.reason = reason;
  }

  async #shuffle(scene: Scene): Promise<void> {
    if (!scene.fair?.wanted) return;
    const asked = Date.now();
    const steadily = this.#awake.steadily;
    const wish = await answer(this.table, scene.you ?? -1, scene.fair);
    if (!wish) return;
    const out = this.#line.do(wish, commandOf(wish));
    sent(this.table, wish, out && steadily && Date.now() - asked < AT_ONCE);
  }
}

/** An id that nobody else invents; `randomUUID` is missing where the address is plain http. */
function newCommand(): string {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")
  );
}
