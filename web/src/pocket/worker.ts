/**
 * The house inside the page: Python and Ultimo in a worker, with their log in the browser's database.
 *
 * Of all tabs only the one that holds the lock runs a house, so that nobody else writes.
 */

import type { loadPyodide as Load, PyodideInterface } from "pyodide";
import type { PyProxy } from "pyodide/ffi";
import { fetched, unpacked, Unreachable } from "./files";
import { Store } from "./storage";
import type { FromWorker, Pocket, ToWorker } from "./wire";

type Answer = [status: number, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>];
type House = {
  start(): Promise<void>;
  answer(method: string, path: string, body: string, language: string): Promise<PyProxy>;
  open(table: string, language: string, say: (text: string) => void): Promise<Line>;
};
type Line = { hear(text: string): Promise<void>; close(): void; destroy(): void };

const LOCK = "ultimo-house";
const ROOT = "/house";
const MADE = `
import sys
sys.path.insert(0, "${ROOT}")
from ultimo.pocket.browser import house
house
`;

const lines = new Map<number, Promise<Line | null>>();
let house: Promise<House> | null = null;
let waiting: AbortController | null = null; // for the house that another tab has
let begun: { base: string; pocket: Pocket };

onmessage = ({ data }: MessageEvent<ToWorker>): void => void heard(data);

function tell(message: FromWorker, moved: Transferable[] = []): void {
  postMessage(message, { transfer: moved });
}

async function heard(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case "begin":
      begun = message;
      return hold({ ifAvailable: true });
    case "take":
      waiting?.abort();
      return hold({ steal: true });
    case "ask":
      return ask(message);
    case "open":
      lines.set(message.id, open(message));
      return;
    case "hear":
      return (await lines.get(message.id))?.hear(message.text).catch(complain);
    case "close": {
      const line = await lines.get(message.id);
      lines.delete(message.id);
      line?.close();
      line?.destroy();
    }
  }
}

// --- one house for all tabs ----------------------------------------------------------------------------

/** Run the house as long as this tab may. A page without encryption has no locks: its logs refuse a second writer. */
async function hold(wish: LockOptions): Promise<void> {
  if (!navigator.locks) return start();
  try {
    await navigator.locks.request(LOCK, wish, async (lock) => {
      if (lock === null) return void wait();
      await start();
      await new Promise(() => undefined); // until the tab is closed, or another takes it
    });
  } catch (failure) {
    if (wish.signal?.aborted) return; // this tab takes it instead of waiting
    complain(failure);
    tell({ kind: "moved" });
    close();
  }
}

function wait(): Promise<void> {
  waiting = new AbortController();
  tell({ kind: "elsewhere" });
  return hold({ signal: waiting.signal });
}

async function start(): Promise<void> {
  house = made(begun.base, begun.pocket);
  try {
    await house;
    tell({ kind: "ready" });
  } catch (failure) {
    tell({ kind: "broken", offline: failure instanceof Unreachable, reason: String(failure) });
    close();
  }
}

// --- Python --------------------------------------------------------------------------------------------

async function made(base: string, pocket: Pocket): Promise<House> {
  const files = await fetched(base, pocket, (done, of) => tell({ kind: "loading", done, of }));
  tell({ kind: "starting" });
  const python = await interpreter(base, pocket, files);
  for (const wheel of pocket.wheels) python.unpackArchive(files.get(wheel)!, "wheel");
  python.unpackArchive(files.get(pocket.ultimo)!, "zip", { extractDir: ROOT });
  const make = python.runPython(MADE) as (storage: Store, clock: () => number) => House;
  const made = make(await Store.open(), () => Date.now() / 1000);
  await made.start();
  return made;
}

/** Pyodide, which fetches its parts by their usual names: it is given those that are here. */
async function interpreter(base: string, pocket: Pocket, files: Map<string, Uint8Array>): Promise<PyodideInterface> {
  const folder = base + pocket.python;
  const given = new Map<string, readonly [path: string, media: string]>([
    [`${folder}pyodide.asm.wasm`, [`${pocket.python}pyodide.asm.wasm.gz`, "application/wasm"]],
    [`${folder}python_stdlib.zip`, [`${pocket.python}python_stdlib.zip`, "application/zip"]],
  ]);
  const usual = globalThis.fetch;
  globalThis.fetch = async (wish, how) => {
    const [path, media] = given.get(String(wish instanceof Request ? wish.url : wish)) ?? [];
    if (!path) return usual(wish, how);
    return new Response(unpacked(files.get(path)!), { headers: { "Content-Type": media! } });
  };
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as { loadPyodide: typeof Load };
    return await loadPyodide({ indexURL: folder, lockFileContents: pocket.lock, packageBaseUrl: folder });
  } finally {
    globalThis.fetch = usual;
  }
}

// --- what the page says --------------------------------------------------------------------------------

async function ask({ id, method, path, body, language }: Extract<ToWorker, { kind: "ask" }>): Promise<void> {
  try {
    const told = await (await house!).answer(method, path, body, language);
    const [status, headers, bytes] = told.toJs({ dict_converter: Object.fromEntries }) as Answer;
    told.destroy();
    tell({ kind: "answer", id, status, headers, body: bytes }, [bytes.buffer]);
  } catch (failure) {
    complain(failure);
    tell({ kind: "answer", id, status: 500, headers: {}, body: new Uint8Array() });
  }
}

async function open({ id, table, language }: Extract<ToWorker, { kind: "open" }>): Promise<Line | null> {
  try {
    const line = await (await house!).open(table, language, (text) => tell({ kind: "say", id, text }));
    tell({ kind: "opened", id });
    return line;
  } catch (failure) {
    complain(failure);
    tell({ kind: "closed", id });
    return null;
  }
}

const complain = (failure: unknown): void => console.warn(failure);
