/** What the page and the worker with the house say to each other. */

/** A file of the pocket, by its path under `pocket/`, which names its content. */
export type PocketFile = { readonly path: string; readonly bytes: number };

/** What the pocket is made of, as the build has written it into the page. */
export type Pocket = {
  readonly python: string; // the folder of Pyodide
  readonly lock: string; // what Pyodide is to know of packages: none, but for which version
  readonly wheels: readonly string[];
  readonly ultimo: string;
  readonly files: readonly PocketFile[];
};

export type ToWorker =
  | { kind: "begin"; base: string; pocket: Pocket } // base: the address of the folder of the pocket
  | { kind: "take" } // the house, from another tab that has it
  | { kind: "ask"; id: number; method: string; path: string; body: string; language: string }
  | { kind: "open"; id: number; table: string; language: string }
  | { kind: "hear"; id: number; text: string }
  | { kind: "close"; id: number };

export type FromWorker =
  | { kind: "loading"; done: number; of: number } // bytes
  | { kind: "starting" } // all is here
  | { kind: "ready" }
  | { kind: "elsewhere" } // another tab has the house; the worker waits for it
  | { kind: "moved" } // another tab has taken it; the worker has ended
  | { kind: "broken"; offline: boolean; reason: string }
  | { kind: "answer"; id: number; status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }
  | { kind: "opened"; id: number }
  | { kind: "say"; id: number; text: string }
  | { kind: "closed"; id: number };

/** Where browsers keep the files of the pocket. The service worker throws out those of older builds. */
export const CACHE = "ultimo-pocket";
