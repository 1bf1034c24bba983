/** The files of the house on this device as the page keeps them, before there is a worker. */

import { pocket } from "../lib/here.svelte";
import { fetched, kept, keptSome } from "./files";

/** Where the files of the house are. */
export const pocketBase = (): string => new URL(`${import.meta.env.BASE_URL}pocket/`, location.href).href;

/** Whether all of them are on this device. */
export const keptAll = async (): Promise<boolean> => pocket !== null && (await kept(pocketBase(), pocket));

/** Fetch all that is missing; the browser is asked not to throw it away. */
export async function keepAll(tell: (done: number, of: number) => void = () => {}): Promise<void> {
  if (pocket === null) return;
  await fetched(pocketBase(), pocket, tell);
  await navigator.storage?.persist?.().catch(() => false);
}

/** Whoever had the files of another build gets those of this one. */
export async function keepUp(): Promise<void> {
  if ((await keptSome()) && !(await keptAll())) await keepAll().catch(() => undefined);
}
