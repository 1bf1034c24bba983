/** A club as its pages have it: looked at, followed, and written in. */

import { ApiError, get, sendOnce } from "../lib/api";
import { language, t } from "../lib/words";
import { command } from "../sheet/queue";
import type { AnyClubWish, ClubBehind, ClubNews, ClubShown, ClubWritten, WriteClub } from "../protocol";
import { streamed } from "../tutor/stream";

const AGAIN = 3000; // milliseconds until a line that was lost is tried again

export class ClubView {
  shown = $state.raw<ClubShown | null>(null);
  trouble = $state(""); // why the club cannot be seen
  refused = $state(""); // why the last thing was not done
  busy = $state(false);
  offline = false; // the server could not be reached
  leaving = false; // the club is deleted or left just now: it is not looked at again
  private last: Promise<unknown> = Promise.resolve();
  private lost: { wish: string; cmd: string } | null = null; // what was sent without an answer

  /** `also` loads whatever else a page shows of the club. */
  constructor(
    readonly id: string,
    private readonly also: () => Promise<unknown> = async () => undefined,
  ) {}

  get secretary(): boolean {
    return this.shown?.role === "secretary";
  }

  get scorer(): boolean {
    return this.secretary || this.shown?.role === "scorer";
  }

  /** The address of something of the club on the server. */
  at(path: string): string {
    return `/api/clubs/${this.id}${path}${path.includes("?") ? "&" : "?"}lang=${language}`;
  }

  async load(): Promise<void> {
    if (this.leaving) return;
    try {
      const [found] = await Promise.all([get<ClubShown>(this.at("")), this.also()]);
      if (!this.shown || found.seq >= this.shown.seq) this.shown = found;
      this.trouble = "";
    } catch (failure) {
      this.offline = (failure as ApiError).status === 0;
      this.trouble = (failure as Error).message;
    }
  }

  /** Show the club now and whenever it changes; the end of it is returned. */
  follow(): () => void {
    const stop = new AbortController();
    void this.followed(stop.signal);
    return () => stop.abort();
  }

  private async followed(signal: AbortSignal): Promise<void> {
    await this.load();
    while (!signal.aborted) {
      if (this.shown?.role === "") return; // a stranger looks once
      if (this.shown) {
        try {
          for await (const { seq } of streamed<ClubNews>("GET", this.at(`/follow?since=${this.shown.seq}`), undefined, signal))
            if (seq !== this.shown.seq) await this.load();
        } catch (failure) {
          const status = (failure as ApiError).status;
          if (signal.aborted || status === 404 || status === 401) return;
        }
      } else if (this.trouble && !this.offline) return;
      await new Promise((done) => setTimeout(done, AGAIN));
      if (!this.shown && !signal.aborted) await this.load();
    }
  }

  /** Write something in the club; null if that could not be, and the page says why. */
  write(wish: AnyClubWish): Promise<ClubWritten | null> {
    const next = this.last.then(() => this.done(() => this.written(wish)));
    this.last = next;
    return next;
  }

  /** Do something on the server, then look again; null if that could not be, and the page says why. */
  async done<T>(work: () => Promise<T>): Promise<T | null> {
    this.busy = true;
    this.refused = "";
    try {
      const result = await work();
      this.offline = false;
      await this.load();
      return result;
    } catch (failure) {
      this.offline = (failure as ApiError).status === 0;
      this.refused = (failure as Error).message;
      return null;
    } finally {
      this.busy = false;
    }
  }

  private async written(wish: AnyClubWish): Promise<ClubWritten> {
    const text = JSON.stringify(wish);
    const cmd = this.lost?.wish === text ? this.lost.cmd : command();
    this.lost = { wish: text, cmd };
    const item: WriteClub = { cmd, base: this.shown?.seq ?? 0, wish };
    const answer = await sendOnce(this.at(""), item);
    const said = (await answer.json().catch(() => ({}))) as Partial<ClubWritten & ClubBehind>;
    if (answer.status < 500) this.lost = null;
    if (answer.ok) return said as ClubWritten;
    if (answer.status === 409) await this.load(); // others have written: what is shown is not what stands there
    throw new ApiError(answer.status, said.error ?? t("common.failed", { status: answer.status }));
  }
}
