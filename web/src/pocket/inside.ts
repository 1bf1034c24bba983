/** The house on this device as the page has it: begun when it is first needed, and anew when it has ended. */

import { pocket, tellHouse } from "../lib/here.svelte";
import { NoHouse } from "../lib/house";
import { language, t } from "../lib/words";
import { Device, type News } from "./device";
import { pocketBase } from "./keeping";

let begun: Device | null = null;

export function house(): Device {
  if (pocket === null) throw new NoHouse(t("pocket.missing"));
  if (begun === null || begun.ended) {
    const worker = (): Worker => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    begun = new Device({ worker, base: pocketBase(), pocket, news });
  }
  return begun;
}

/** Have the house here, though another tab has it. */
export function takeHouse(): void {
  const device = house();
  tellHouse({ at: "starting" });
  device.take();
}

export async function answer(method: string, path: string, body: string): Promise<Response> {
  try {
    return await house().answer(method, path, body, language);
  } catch (failure) {
    throw failure instanceof NoHouse ? failure : new NoHouse(t("pocket.broken"));
  }
}

function news(message: News): void {
  if (message.kind === "loading") tellHouse({ at: "loading", done: message.done, of: message.of });
  else tellHouse({ at: message.kind === "moved" ? "elsewhere" : message.kind });
  if (message.kind === "broken") console.warn(message.reason);
}
