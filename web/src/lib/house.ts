/**
 * Who answers the page: the server that sent it, or the house on this device. The rest of the page does not know.
 *
 * What has an id lives in one place: on this device if it begins with `~`, else at the server. The rest is answered where the
 * visitor is; who has the house on the device goes on there when no server can be reached.
 */

import type { Device, Line, News } from "../pocket/device";
import { alone, device, pocket, stay, tellHouse } from "./here.svelte";
import { language, t } from "./words";

export type Place = "device" | "server" | "either";

/** The house on this device cannot answer, and why, for a person. */
export class NoHouse extends Error {}

const OWNED = /^\/api\/(?:tables|sheets|clubs|tournaments)\/(?!read\b|presets\b)([^/?]+)/;
const GATEWAY: ReadonlySet<number> = new Set([502, 504]); // what stands before a server says that it is gone

/** Where the answer to a path is to be found. */
export function placeOf(path: string): Place {
  const id = OWNED.exec(path)?.[1];
  return id === undefined ? "either" : id.startsWith("~") ? "device" : "server";
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
  try {
    const answer = await fetch(path, { method, credentials: "same-origin", signal, ...json });
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
  if (alone || table.startsWith("~")) return new Inside(table);
  const server = location.origin.replace(/^http/, "ws");
  return new WebSocket(`${server}/ws/${encodeURIComponent(table)}?lang=${language}`);
}

// --- the house on this device --------------------------------------------------------------------------

/** Where the files of the house are. */
export const pocketBase = (): string => new URL(`${import.meta.env.BASE_URL}pocket/`, location.href).href;
const loaded = (): Promise<typeof import("../pocket/device")> => import("../pocket/device");

let here: Device | null = null;
let begun: Promise<Device> | null = null;

/** The house, begun when it is first needed; one that has ended is begun anew. */
export function house(): Promise<Device> {
  if (pocket === null) return Promise.reject(new NoHouse(t("pocket.missing")));
  if (here?.ended) begun = here = null;
  begun ??= begin(pocket).catch((failure: unknown) => {
    begun = null;
    throw failure;
  });
  return begun;
}

async function begin(made: NonNullable<typeof pocket>): Promise<Device> {
  const { Device } = await loaded();
  const worker = (): Worker => new Worker(new URL("../pocket/worker.ts", import.meta.url), { type: "module" });
  here = new Device({ worker, base: pocketBase(), pocket: made, news });
  return here;
}

/** Have the house here, though another tab has it. */
export async function takeHouse(): Promise<void> {
  const device = await house();
  tellHouse({ at: "starting" });
  device.take();
}

function news(message: News): void {
  if (message.kind === "loading") tellHouse({ at: "loading", done: message.done, of: message.of });
  else tellHouse({ at: message.kind === "moved" ? "elsewhere" : message.kind });
  if (message.kind === "broken") console.warn(message.reason);
}

async function askHere(method: string, path: string, body = ""): Promise<Response> {
  try {
    return await (await house()).answer(method, path, body, language);
  } catch (failure) {
    throw failure instanceof NoHouse ? failure : new NoHouse(t("pocket.broken"));
  }
}

/** Whether the house on this device may answer instead of a server that does not. */
async function mayStay(path: string): Promise<boolean> {
  if (pocket === null || placeOf(path) !== "either") return false;
  try {
    return await (await loaded()).Device.kept(pocketBase(), pocket);
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
    house().then(
      (device) => this.#open(device, table),
      () => this.#closed(),
    );
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
