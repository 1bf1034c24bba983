/**
 * The line to a table: commands go out once each, however often the network fails, and what the server
 * tells comes in. It knows nothing of what is said.
 */

import type { Wire } from "./house";
import type { Cited, Full, PageMessage, ServerMessage, Update, Wish } from "../protocol";

export type LineState = "opening" | "open" | "lost" | "closed";

export type Heard = {
  full(message: Full): void;
  update(message: Update): void;
  refused(wish: Wish, reason: string, cite: Cited | null): void;
  waiting(commands: number): void; // how many commands have no answer yet
  state(state: LineState, reason: string): void;
};

/** What the line needs of its surroundings; tests give their own. */
export type Surroundings = {
  socket(): Wire;
  command(): string;
  random(): number;
  now(): number; // milliseconds
};

export const FIRST_DELAY = 300;
export const LONGEST_DELAY = 5_000;
export const HEARTBEAT = 10_000;
export const SILENCE = 25_000;

/** How long to wait before the next try: twice as long each time, and never all pages at once. */
export function delay(tries: number, random: number): number {
  return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** tries) * (0.5 + random / 2);
}

export class Line {
  #socket: Wire | null = null;
  #pending = new Map<string, Wish>(); // in the order in which they were wished
  #seq = -1; // what this page has seen; -1 while it waits for everything
  #tries = 0;
  #heard = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval>;

  constructor(
    private readonly to: Heard,
    private readonly around: Surroundings,
  ) {
    this.#beat = setInterval(() => this.#pulse(), HEARTBEAT);
    this.#open();
  }

  /** Wish something of the table; it is sent until it is answered. Whether it could be sent at once. */
  do(wish: Wish, cmd = this.around.command()): boolean {
    this.#pending.set(cmd, wish);
    this.to.waiting(this.#pending.size);
    return this.#send({ type: "do", cmd, wish });
  }

  /** Try again at once, as when the device is back on the network. */
  hurry(): void {
    if (this.#socket === null && this.#retry !== undefined) this.#open();
  }

  close(reason = ""): void {
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#drop();
    this.to.state("closed", reason);
  }

  #open(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#seq = -1;
    this.#heard = this.around.now();
    const socket = this.around.socket();
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => this.#lost();
  }

  #opened(): void {
    this.#heard = this.around.now();
    for (const [cmd, wish] of this.#pending) this.#send({ type: "do", cmd, wish });
  }

  #receive(message: ServerMessage): void {
    this.#heard = this.around.now();
    switch (message.type) {
      case "full":
        this.#seq = message.seq;
        this.#tries = 0;
        this.to.full(message);
        this.to.state("open", "");
        break;
      case "update":
        this.#update(message);
        break;
      case "done":
        this.#answered(message.cmd);
        break;
      case "refused": {
        const wish = this.#pending.get(message.cmd);
        this.#answered(message.cmd);
        if (wish) this.to.refused(wish, message.reason, message.cite);
        break;
      }
      case "goodbye":
        if (message.again) this.#lost(message.reason);
        else this.close(message.reason);
        break;
    }
  }

  #update(message: Update): void {
    if (this.#seq === -1) return; // everything is on its way
    if (message.base !== this.#seq) {
      this.#seq = -1;
      this.#send({ type: "resync" });
      return;
    }
    this.#seq = message.seq;
    this.to.update(message);
  }

  #answered(cmd: string): void {
    this.#pending.delete(cmd);
    this.to.waiting(this.#pending.size);
  }

  #pulse(): void {
    if (this.#socket === null) return;
    if (this.around.now() - this.#heard > SILENCE) this.#lost();
    else this.#send({ type: "ping" });
  }

  #lost(reason = ""): void {
    this.#drop();
    this.#retry = setTimeout(() => this.#open(), delay(this.#tries++, this.around.random()));
    this.to.state("lost", reason);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #send(message: PageMessage): boolean {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}
