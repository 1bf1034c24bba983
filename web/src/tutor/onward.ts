/** Ways on from a step of a replayed deal: playing on with the same cards, and the analysis board. */

import { get, post } from "../lib/api";
import { go } from "../lib/router.svelte";
import { language } from "../lib/words";
import type { TableMade } from "../protocol";

/** A table at which the deal is played on from this frame. */
export async function again(table: string, deal: number, step: number | null): Promise<void> {
  const made = await post<TableMade>(`/api/tables/${table}/again`, { deal, step });
  go(`/t/${made.id}`);
}

/** The analysis board with the position of this frame. */
export const analyse = (table: string, deal: number, step: number): Promise<void> =>
  lay(`/api/tables/${table}/position/${deal}/${step}`);

/** A table at which a game that one has watched is played on from this frame, from a seat. */
export async function watchOn(game: string, step: number, seat: number): Promise<void> {
  const made = await post<TableMade>(`/api/games/${game}/again`, { step, seat });
  go(`/t/${made.id}`);
}

/** The analysis board with the position of this frame of such a game. */
export const analyseGame = (game: string, step: number): Promise<void> => lay(`/api/games/${game}/position/${step}`);

async function lay(path: string): Promise<void> {
  const { text } = await get<{ text: string }>(`${path}?lang=${language}`);
  go(boardOf(text));
}

/** The address that holds a position. */
export const boardOf = (text: string): string => `/analyse?${new URLSearchParams({ p: text })}`;
