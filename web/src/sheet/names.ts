/** Who has been written down before, and at which table last: kept in the browser. */

import type { OpenSheet } from "../protocol";

const NAMES = "ultimo.sheet.names";
const LAST = "ultimo.sheet.last";
const MOST = 24;

export type Table = Required<Pick<OpenSheet, "rules" | "names" | "dealer" | "house">>;

/** The names that are known, the latest first. */
export function remembered(kept: Pick<Storage, "getItem"> = localStorage): readonly string[] {
  return read<readonly string[]>(kept, NAMES, (value) => Array.isArray(value) && value.every((one) => typeof one === "string")) ?? [];
}

/** The table at which was played last. */
export function last(kept: Pick<Storage, "getItem"> = localStorage): Table | null {
  return read<Table>(kept, LAST, (value) => Array.isArray((value as Table | null)?.names) && typeof (value as Table).rules === "string");
}

/** Remember a table that was opened and its people. */
export function remember(table: Table, kept: Pick<Storage, "getItem" | "setItem"> = localStorage): void {
  const others = remembered(kept).filter((name) => !table.names.includes(name));
  kept.setItem(NAMES, JSON.stringify([...table.names, ...others].slice(0, MOST)));
  kept.setItem(LAST, JSON.stringify(table));
}

function read<T>(kept: Pick<Storage, "getItem">, key: string, fits: (value: unknown) => boolean): T | null {
  try {
    const value: unknown = JSON.parse(kept.getItem(key) ?? "null");
    return fits(value) ? (value as T) : null;
  } catch {
    return null;
  }
}
