/**
 * The page without a network. It keeps the files of the page, and hands out those of the house on this device, which the
 * worker has fetched. Where a server can be reached, the page itself comes from there.
 */

import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkOnly } from "workbox-strategies";
import { CACHE } from "./wire";

type Listed = { shell: string; page: PrecacheEntry[]; pocket: string[] };
type Waiting = { waitUntil(promise: Promise<unknown>): void };
declare const self: EventTarget & {
  __ULTIMO_FILES: Listed;
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
};

const PATIENCE = 4000; // milliseconds that a server has to send the page

const files = self.__ULTIMO_FILES; // put in by the build
const folder = new URL("pocket/", self.registration.scope).href;

// A file is the same for everybody, whatever a server says that its answers vary with.
const matchOptions = { ignoreVary: true };
const found = async (name: string, request: Request): Promise<Response | undefined> =>
  (await caches.open(name)).match(request, matchOptions);

cleanupOutdatedCaches();
addPlugins([
  { cachedResponseWillBeUsed: async ({ cacheName, request, cachedResponse }) => cachedResponse ?? found(cacheName, request) },
]);
precacheAndRoute(files.page, { directoryIndex: "", cleanURLs: false });
registerRoute(({ url }) => url.href.startsWith(folder), new CacheFirst({ cacheName: CACHE, matchOptions }));

const server = new NetworkOnly({ networkTimeoutSeconds: PATIENCE / 1000 });
const shell = createHandlerBoundToURL(files.shell);
const page = new NavigationRoute(
  async (asked) => {
    const answer = await server.handle(asked).catch(() => null);
    return answer && answer.status < 500 ? answer : shell(asked);
  },
  { denylist: [/\/(api|ws|metrics|healthz|readyz)(\/|$)/] },
);
registerRoute(page);

/** What other builds have left. */
async function tidied(): Promise<void> {
  const cache = await caches.open(CACHE);
  const own = new Set(files.pocket.map((path) => folder + path));
  await Promise.all((await cache.keys()).filter(({ url }) => !own.has(url)).map((one) => cache.delete(one)));
}

self.addEventListener("activate", (event) =>
  (event as unknown as Waiting).waitUntil(Promise.all([tidied(), self.clients.claim()])),
);
self.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === "now") void self.skipWaiting(); // the visitor wants the new page
});
