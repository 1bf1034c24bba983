/** The page's end of the house on this device: questions and lines to the worker, and what becomes of it. */

import type { FromWorker, Pocket, ToWorker } from "./wire";

export type News = Extract<FromWorker, { kind: "loading" | "starting" | "ready" | "elsewhere" | "moved" | "broken" }>;
export type Around = { worker(): Worker; base: string; pocket: Pocket; news(news: News): void };

/** A line to a table as a socket has it. */
export type Heard = { opened(): void; said(text: string): void; closed(): void };
export type Line = { hear(text: string): void; close(): void };

/** The house has ended before it could answer. */
export class Gone extends Error {}

type Asked = { done(answer: Response): void; failed(failure: Error): void };

export class Device {
  readonly #worker: Worker;
  readonly #asked = new Map<number, Asked>();
  readonly #lines = new Map<number, Heard>();
  #unsent: ToWorker[] | null = []; // until the house is ready
  #last = 0;
  ended = false;

  constructor(private readonly around: Around) {
    this.#worker = around.worker();
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#heard(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#heard({ kind: "broken", offline: !navigator.onLine, reason: event.message ?? "" });
    };
    this.#post({ kind: "begin", base: around.base, pocket: around.pocket });
  }

  answer(method: string, path: string, body: string, language: string): Promise<Response> {
    const id = (this.#last += 1);
    return new Promise((done, failed) => {
      this.#asked.set(id, { done, failed });
      this.#send({ kind: "ask", id, method, path, body, language });
    });
  }

  open(table: string, language: string, heard: Heard): Line {
    const id = (this.#last += 1);
    this.#lines.set(id, heard);
    this.#send({ kind: "open", id, table, language });
    return {
      hear: (text) => this.#send({ kind: "hear", id, text }),
      close: () => {
        this.#lines.delete(id);
        this.#send({ kind: "close", id });
      },
    };
  }

  /** Have the house here, though another tab has it. */
  take(): void {
    this.#post({ kind: "take" });
  }

  #send(message: ToWorker): void {
    if (this.ended) return;
    if (this.#unsent) this.#unsent.push(message);
    else this.#post(message);
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #heard(message: FromWorker): void {
    switch (message.kind) {
      case "answer":
        this.#asked.get(message.id)?.done(told(message));
        this.#asked.delete(message.id);
        return;
      case "opened":
        return this.#lines.get(message.id)?.opened();
      case "say":
        return this.#lines.get(message.id)?.said(message.text);
      case "closed":
        this.#lines.get(message.id)?.closed();
        this.#lines.delete(message.id);
        return;
      case "ready":
        this.#unsent?.forEach((one) => this.#post(one));
        this.#unsent = null;
        break;
      case "moved":
      case "broken":
        this.#end();
    }
    this.around.news(message);
  }

  #end(): void {
    this.ended = true;
    this.#worker.terminate();
    for (const { failed } of this.#asked.values()) failed(new Gone());
    for (const { closed } of this.#lines.values()) closed();
    this.#asked.clear();
    this.#lines.clear();
  }
}

const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304]); // answers that have no body

function told({ status, headers, body }: Extract<FromWorker, { kind: "answer" }>): Response {
  return new Response(EMPTY.has(status) ? null : body, { status, headers });
}
