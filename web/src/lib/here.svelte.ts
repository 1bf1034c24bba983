/** Where the visitor is: with the server that sent the page, or in the house on this device. */

import type { Pocket } from "../pocket/wire";

/** Why the house on this device answers: there is no server at all, the visitor wants it so, or none can be reached. */
export type Why = "static" | "chosen" | "unreachable";

/** What becomes of the house on this device; it is not there until it is needed. */
export type House =
  | { at: "none" | "starting" | "ready" | "elsewhere" | "broken" }
  | { at: "loading"; done: number; of: number };

const KEY = "ultimo.device";
const part = <T>(id: string): T | null => {
  const text = globalThis.document?.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as T) : null;
};

/** What the house on this device is made of; null in a page that was built without it. */
export const pocket = part<Pocket>("pocket");
/** Whether this page was made to be served by itself. */
export const alone = globalThis.document?.querySelector('meta[name="ultimo-house"]')?.getAttribute("content") === "pocket";

let why = $state<Why | null>(alone ? "static" : pocket && kept() ? "chosen" : null);
let house = $state.raw<House>({ at: "none" });
let update = $state.raw<(() => void) | null>(null);

let settle = (): void => {};
/** Kept as soon as this device answers, though its house may still have to start. */
export const here = new Promise<void>((kept) => (settle = kept));
if (why) settle();

/** Why this device answers; null where the server does. */
export const device = (): Why | null => why;
export const houseHere = (): House => house;

/** Loads the new page that waits; null while there is none. */
export const updateHere = (): (() => void) | null => update;

export function tellUpdate(load: () => void): void {
  update = load;
}

/** Whether something lives on this device, as its id tells. */
export const isHere = (id: string): boolean => id.startsWith("~");

/** Whether a seat can be given to this at a table on the device, to which nobody else comes and which thinks slowly. */
export const sitsHere = (sitter: string): boolean => !["open", "expert", "master"].includes(sitter);

export function tellHouse(news: House): void {
  house = news;
}

/** No server can be reached: from now on this device answers. */
export function stay(): void {
  why ??= "unreachable";
  settle();
}

/** Go to the house on this device, or back to the server, with a new page. */
export function choose(wish: "device" | "server"): void {
  try {
    if (wish === "device") localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // a browser that keeps nothing has no house either
  }
  location.assign("/");
}

function kept(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
