/**
 * Where the address of a page of ours stands: it is the path, or what comes behind the # in a page that stands alone, as a
 * host of plain files knows no other path than that of the file.
 */

export type At = { readonly path: string; readonly query: string };

/** Where one is; null behind a # that is a place within the page. */
export function readAt({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">, alone: boolean): At | null {
  if (!alone) return { path: pathname, query: search };
  if (hash === "") return { path: "/", query: "" };
  if (!hash.startsWith("#/")) return null;
  const { pathname: path, search: query } = new URL(hash.slice(1), "http://alone");
  return { path, query };
}

/** An address as the browser's history has it. */
export function written(address: string, alone: boolean): string {
  return alone ? `#${address}` : address;
}

/** An address as one gives it to somebody else. */
export function whole(address: string, { origin, pathname }: Pick<Location, "origin" | "pathname">, alone: boolean): string {
  return alone ? `${origin}${pathname}#${address}` : origin + address;
}
