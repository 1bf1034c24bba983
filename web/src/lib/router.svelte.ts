/** Where the visitor is. Links to other pages of ours change the page without loading it anew. */

import { readAt, whole, written, type At } from "./addresses";
import { alone } from "./here.svelte";
import { answersHere } from "./house";
import { routeOf, type Route } from "./routes";

const here = $state<At>({ ...(readAt(location, alone) ?? { path: "/", query: "" }) });
let tries = $state(1);

/** The route of the present address, as a component reads it. */
export function route(): Route {
  return routeOf(here.path);
}

export function query(): URLSearchParams {
  return new URLSearchParams(here.query);
}

/** How often pages have been tried; a page that is tried again is made anew. */
export const triesNow = (): number => tries;

/** Try the page of the present address again. */
export function retry(): void {
  tries += 1;
}

/** The path of the present address; a page may have changed it by itself. */
export function pathNow(): string {
  return readAt(location, alone)?.path ?? here.path;
}

/** An address as one gives it to somebody else. */
export const linkTo = (address: string): string => whole(address, location, alone);

export function go(address: string, { replace = false } = {}): void {
  rename(address, { replace });
  read();
  scrollTo(0, 0);
}

/** Another address for what is shown. */
export function rename(address: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", written(address, alone));
}

/** Follow the history and the links; the end of it is returned. */
export function listen(): () => void {
  addEventListener("popstate", read);
  document.addEventListener("click", follow);
  return () => {
    removeEventListener("popstate", read);
    document.removeEventListener("click", follow);
  };
}

function read(): void {
  Object.assign(here, readAt(location, alone));
}

function follow(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.origin !== location.origin) return;
  const address = link.pathname + link.search;
  if (link.pathname.startsWith("/api/") && answersHere(address)) {
    event.preventDefault();
    void import("../pocket/download").then(({ download }) => download(address));
  }
  if (link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname) return within(event, link.hash.slice(1));
  event.preventDefault();
  go(address + link.hash);
}

/** To a place of this page; where the # has the address, it is left as it is. */
function within(event: MouseEvent, id: string): void {
  if (!alone) return;
  event.preventDefault();
  const place = document.getElementById(id);
  place?.scrollIntoView();
  place?.focus({ preventScroll: true });
}
