/** Where the visitor is. Links to other pages of ours change the page without loading it anew. */

import { routeOf, type Route } from "./routes";

const here = $state({ path: location.pathname, query: location.search });

/** The route of the present address, as a component reads it. */
export function route(): Route {
  return routeOf(here.path);
}

export function query(): URLSearchParams {
  return new URLSearchParams(here.query);
}

export function go(address: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  read();
  scrollTo(0, 0);
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
  here.path = location.pathname;
  here.query = location.search;
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
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
