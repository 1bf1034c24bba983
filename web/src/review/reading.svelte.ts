/** The review of a deal as it comes: first how far it is, then the review itself. */

import { get } from "../lib/api";
import { language, t } from "../lib/words";
import type { Replay } from "../protocol";
import { stopped, streamed } from "../tutor/stream";
import type { ReviewLine, ReviewShown } from "../tutor/types";

export class Reading {
  done = $state(0);
  of = $state(0);
  waiting = $state(0); // reviews that come first
  review = $state.raw<ReviewShown | null>(null);
  replay = $state.raw<Replay | null>(null);
  trouble = $state("");
  readonly #control = new AbortController();

  constructor(table: string, deal: number) {
    void this.#read(table, deal);
  }

  /** Whoever leaves lets the server stop. */
  close(): void {
    this.#control.abort();
  }

  async #read(table: string, deal: number): Promise<void> {
    try {
      await Promise.all([this.#listen(table, deal), this.#frames(table, deal)]);
      if (this.review === null && !this.trouble) this.trouble = t("review.broken");
    } catch (failure) {
      if (!stopped(failure)) this.trouble = (failure as Error).message;
    }
  }

  async #frames(table: string, deal: number): Promise<void> {
    this.replay = await get<Replay>(`/api/tables/${table}/replay/${deal}?lang=${language}`);
  }

  async #listen(table: string, deal: number): Promise<void> {
    const path = `/api/tables/${table}/review/${deal}?lang=${language}`;
    for await (const line of streamed<ReviewLine>("GET", path, undefined, this.#control.signal)) {
      if ("error" in line) this.trouble = line.error;
      else if ("review" in line) this.review = line.review;
      else [this.done, this.of, this.waiting] = [line.done, line.of, line.waiting];
    }
  }
}
