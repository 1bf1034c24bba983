/** The files of the pocket: from the cache of the browser where they are, else from where the page came from. */

import { within } from "../lib/patience";
import { CACHE, type Pocket } from "./wire";

const unreachable = (failure: Error): never => {
  throw new Unreachable(failure.message);
};

type Tell = (done: number, of: number) => void;

/** Nothing could be fetched: the device is offline, or the server gone. */
export class Unreachable extends Error {}

/** All files by their paths; each is kept for the next time, and for when there is no network. */
export async function fetched(base: string, { files }: Pocket, tell: Tell): Promise<Map<string, Uint8Array>> {
  const cache = await globalThis.caches?.open(CACHE);
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const count = (bytes: number): void => tell(Math.min(all, (done += bytes)), all);
  count(0);
  const got = files.map(async ({ path }) => [path, await one(base + path, cache, count)] as const);
  return new Map(await Promise.all(got));
}

/** Whether all files are on this device. */
export async function kept(base: string, { files }: Pocket): Promise<boolean> {
  const cache = await globalThis.caches?.open(CACHE);
  if (!cache) return false;
  const found = new Set((await cache.keys()).map(({ url }) => url));
  return files.every(({ path }) => found.has(base + path));
}

/** Whether there are files of any build. */
export async function keptSome(): Promise<boolean> {
  const cache = await globalThis.caches?.open(CACHE);
  return cache !== undefined && (await cache.keys()).length > 0;
}

async function one(address: string, cache: Cache | undefined, count: (bytes: number) => void): Promise<Uint8Array> {
  const at = await cache?.match(address, { ignoreVary: true });
  if (at) {
    const body = new Uint8Array(await at.arrayBuffer());
    count(body.length);
    return body;
  }
  const answer = await within(fetch(address)).catch(unreachable);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const kept = cache?.put(address, answer.clone()).catch(() => undefined);
  const body = await read(answer.body, count);
  await kept; // a full disk keeps nothing: then it is fetched again the next time
  return body;
}

async function read(stream: ReadableStream<Uint8Array>, count: (bytes: number) => void): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await within(reader.read()).catch(unreachable);
    if (done) break;
    parts.push(value);
    count(value.length);
  }
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}

/** A file that is packed by gzip, unpacked; some servers have done so already. */
export function unpacked(body: Uint8Array): ReadableStream<Uint8Array> {
  const stream = new Blob([body as Uint8Array<ArrayBuffer>]).stream();
  return body[0] === 0x1f && body[1] === 0x8b ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
}
