/**
 * Who answers the page: the server that sent it, or the house on this device. The rest of the page does not know.
 *
 * What has an id lives in one place: on this device if it begins with `~`, else at the server. The rest is answered where the
 * visitor is; who has the house on the device goes on there when no server can be reached.
 */

import type { Device, Line } from "../pocket/device";
import { alone, device, isHere, pocket, stay } from "./here.svelte";
import { within } from "./patience";
import { language } from "./words";

export type Place = "device" | "server" | "either";

/** The house on this device cannot answer, and why, for a person. */
export class NoHouse extends Error {}

const OWNED = /^\/api\/(?:tables|sheets|clubs|tournaments)\/(?!read\b|presets\b)([^/?]+)/;
const GATEWAY: ReadonlySet<number> = new Set([502, 504]); // what stands before a server says that it is gone

/** Where the answer to a path is to be found. */
export function placeOf(path: string): Place {
  const id = OWNED.exec(path)?.[1];
  return id === undefined ? "either" : isHere(id) ? "device" : "server";
}

/** Whether this device answers a path. */
export function answersHere(path: string): boolean {
  const place = placeOf(path);
  return alone || place === "device" || (place === "either" && device() !== null);
}

/** Ask, as `fetch` does. */
export async function ask(
  method: string,
  path: string,
  body: string | undefined,
  signal: AbortSignal | null,
): Promise<Response> {
  if (answersHere(path)) return until(signal, askHere(method, path, body));
  const json = body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } };
  const stop = new AbortController();
  signal?.throwIfAborted();
  signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
  try {
    const wish = { method, credentials: "same-origin", signal: stop.signal, ...json } as const;
    const answer = await within(fetch(path, wish), () => stop.abort());
    if (!GATEWAY.has(answer.status) || !(await mayStay(path))) return answer;
  } catch (failure) {
    if (signal?.aborted || !(await mayStay(path))) throw failure;
  }
  stay();
  return until(signal, askHere(method, path, body));
}

/** A line to a table, as a `WebSocket` is one. */
export type Wire = Pick<WebSocket, "readyState" | "send" | "close"> & {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent<string>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
};

export function socket(table: string): Wire {
  if (alone || isHere(table)) return new Inside(table);
  const server = location.origin.replace(/^http/, "ws");
  return new WebSocket(`${server}/ws/${encodeURIComponent(table)}?lang=${language}`);
}

// --- the house on this device, of which nothing is loaded before it is needed ---------------------------

const inside = (): Promise<typeof import("../pocket/inside")> => import("../pocket/inside");

const askHere = async (method: string, path: string, body = ""): Promise<Response> =>
  (await inside()).answer(method, path, body);

/** Whether the house on this device may answer instead of a server that does not. */
async function mayStay(path: string): Promise<boolean> {
  if (pocket === null || placeOf(path) !== "either") return false;
  try {
    return await (await import("../pocket/keeping")).keptAll();
  } catch {
    return false; // nor is the rest of the page to be had
  }
}

/** A promise that whoever has asked may give up. */
function until<T>(signal: AbortSignal | null, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  return new Promise((done, failed) => {
    signal.addEventListener("abort", () => failed(signal.reason as Error), { once: true });
    promise.then(done, failed);
  });
}

class Inside implements Wire {
  readyState: Wire["readyState"] = 0;
  onopen: Wire["onopen"] = null;
  onmessage: Wire["onmessage"] = null;
  onclose: Wire["onclose"] = null;
  #line: Line | null = null;

  constructor(table: string) {
    inside()
      .then(({ house }) => this.#open(house(), table))
      .catch(() => this.#closed());
  }

  send(text: string): void {
    this.#line?.hear(text);
  }

  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#line?.close();
  }

  #open(device: Device, table: string): void {
    if (this.readyState === 3) return;
    this.#line = device.open(table, language, {
      opened: () => {
        this.readyState = 1;
        this.onopen?.(new Event("open"));
      },
      said: (data) => this.onmessage?.(new MessageEvent("message", { data })),
      closed: () => this.#closed(),
    });
  }

  #closed(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.(new Event("close") as CloseEvent);
  }
}
