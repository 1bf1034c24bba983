/** What was written and is not yet at the server: kept in the browser, sent in order, each command once. */

import type { SheetBehind, WriteSheet } from "../protocol";

export type Wish = WriteSheet["wish"];
export type Entry = Extract<Wish, { type: "BookDeal" }>["entry"];
export type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The server has refused something: nothing of it was written. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly news: SheetBehind["news"] = [],
  ) {
    super(message);
  }
}

/** How sending has ended: all is there, the server cannot be reached, or it refuses the first that waits. */
export type Sent = { all: true } | { all: false; refused: Refused | null };

/** Sends one command and says where it was written; throws `Refused`, or anything else when it must be sent again. */
export type Send = (item: WriteSheet) => Promise<number>;

export class Queue {
  private sending: Promise<Sent> | null = null;
  private items: readonly WriteSheet[];

  constructor(
    private readonly kept: Kept,
    private readonly key: string,
    private readonly changed: (items: readonly WriteSheet[]) => void = () => {},
  ) {
    this.items = recalled(kept.getItem(key));
    changed(this.items);
  }

  get waiting(): readonly WriteSheet[] {
    return this.items;
  }

  /** Keep a wish; `seq` is what the writer has seen, and what waits before it will be written first. */
  add(wish: Wish, seq: number): void {
    this.put([...this.items, { cmd: command(), base: seq + this.items.length, wish }]);
  }

  /** Go on behind what others have written, as whoever writes has seen it now. */
  rebase(seq: number): void {
    this.put(this.items.map((item, place) => ({ ...item, base: seq + place })));
  }

  /** Throw away the first that waits, which the server has refused; those behind it move up. */
  drop(): void {
    const [first, ...others] = this.items;
    if (first) this.put(others.map((item, place) => ({ ...item, base: first.base + place })));
  }

  /** Take back the deal that was booked last, if it waits and is not on its way. */
  takeBack(): Entry | null {
    const last = this.items.at(-1);
    if (last?.wish.type !== "BookDeal" || (this.sending && this.items.length === 1)) return null;
    this.put(this.items.slice(0, -1));
    return last.wish.entry;
  }

  /** Send all that waits, in order; who asks twice waits for the same. */
  flush(send: Send): Promise<Sent> {
    this.sending ??= this.flushed(send).finally(() => (this.sending = null));
    return this.sending;
  }

  private async flushed(send: Send): Promise<Sent> {
    for (let first = this.items[0]; first; first = this.items[0]) {
      try {
        await send(first);
      } catch (failure) {
        return { all: false, refused: failure instanceof Refused ? failure : null };
      }
      this.put(this.items.slice(1));
    }
    return { all: true };
  }

  private put(items: readonly WriteSheet[]): void {
    this.items = items;
    if (items.length > 0) this.kept.setItem(this.key, JSON.stringify(items));
    else this.kept.removeItem(this.key);
    this.changed(items);
  }
}

/** A command and where it was written. */
export type Written = WriteSheet & { readonly seq: number };

/**
 * How many deals were booked here that somebody who has seen so much does not see yet. What waits may have been written
 * already, with the answer still on its way: then its place in the log has been seen.
 */
export function unseen(
  waiting: readonly WriteSheet[],
  written: readonly Written[],
  seq: number,
  counts: (entry: Entry) => boolean = () => true,
): number {
  const some = [...waiting.filter((one) => one.base >= seq), ...written.filter((one) => one.seq > seq)];
  return new Set(some.flatMap(({ cmd, wish }) => (wish.type === "BookDeal" && counts(wish.entry) ? cmd : []))).size;
}

function recalled(text: string | null): readonly WriteSheet[] {
  try {
    const items = JSON.parse(text ?? "[]") as readonly WriteSheet[];
    return Array.isArray(items) && items.every((item) => typeof item?.cmd === "string") ? items : [];
  } catch {
    return [];
  }
}

/** A new name for a command; also where a page without encryption has no `randomUUID`. */
export function command(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
