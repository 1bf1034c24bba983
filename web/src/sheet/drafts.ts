/** A deal that is half written: kept in the browser until it is booked, so that a closed page loses nothing. */

import type { Kept } from "./queue";

type Draft = { readonly number: number; readonly draft: unknown };

const keyOf = (sheet: string): string => `ultimo.sheet.draft.${sheet}`;

/** What was written of a deal; null if that was another one. */
export function recallDraft<T>(kept: Kept, sheet: string, number: number): T | null {
  try {
    const found = JSON.parse(kept.getItem(keyOf(sheet)) ?? "null") as Draft | null;
    return found?.number === number ? (found.draft as T) : null;
  } catch {
    return null;
  }
}

/** Keep what is written of a deal; null is an empty form. */
export function keepDraft(kept: Kept, sheet: string, number: number, draft: unknown): void {
  if (draft === null) kept.removeItem(keyOf(sheet));
  else kept.setItem(keyOf(sheet), JSON.stringify({ number, draft } satisfies Draft));
}
