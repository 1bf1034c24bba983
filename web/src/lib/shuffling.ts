/**
 * A visitor's part in the shuffling: they commit to a secret before the server's is known and reveal it after, so that
 * nobody alone decides the cards. The secrets live in this tab, one for each attempt, with what the tab has seen.
 */

import type { FairShown, Wish } from "../protocol";
import { fromHex, sha256, toHex } from "./digests";

/** What this tab has seen of an attempt before anything was drawn, and what it gave. */
export interface Seen {
  readonly number: number;
  readonly draw: FairShown["draw"];
  readonly deal: number;
  readonly seat: number;
  readonly server: string;
  readonly players: readonly string[];
  readonly secret: string;
  readonly committed?: boolean; // at once, on an open line; false if it took longer
  readonly revealed?: boolean;
  readonly refused?: boolean; // the table did not take it
}

export const AT_ONCE = 1_000; // milliseconds
const KEPT = 400; // attempts of a table

/**
 * What the table waits for from this page, or null where it has nothing to give. A server that shows another
 * commitment than before, or has not taken that of this tab, gets no secret.
 */
export async function answer(table: string, seat: number, fair: FairShown): Promise<Wish | null> {
  if (!fair.wanted) return null;
  const known = seen(table).find((one) => one.number === fair.number);
  if (known && known.server !== fair.server) return null;
  if (fair.wanted === "commit") {
    const one = known ?? begun(table, seat, fair);
    return { type: "Commit", deal: fair.number, digest: await committed(one) };
  }
  if (!known) return null;
  if (known.players.length === 0) keep(table, { ...known, players: fair.players });
  else if (known.players.join() !== fair.players.join()) return null;
  if (!fair.players.includes(await committed(known))) return null;
  return { type: "Reveal", deal: fair.number, secret: known.secret };
}

/** Note whether what the page has answered went out at once; the first time counts. */
export function sent(table: string, wish: Wish, atOnce: boolean): void {
  if (wish.type === "Commit") note(table, wish.deal, (one) => ({ ...one, committed: one.committed ?? atOnce }));
  if (wish.type === "Reveal") note(table, wish.deal, (one) => ({ ...one, revealed: one.revealed ?? atOnce }));
}

/** Note that the table has not taken what the page has answered. */
export function refused(table: string, wish: Wish): void {
  if (wish.type === "Commit") note(table, wish.deal, (one) => ({ ...one, refused: true }));
}

/** What this tab can bear witness to at a table, or of one of its draws. */
export function seen(table: string, draw?: FairShown["draw"], deal?: number): readonly Seen[] {
  const all = JSON.parse(sessionStorage.getItem(key(table)) ?? "[]") as Seen[];
  return draw === undefined ? all : all.filter((one) => one.draw === draw && one.deal === deal);
}

/** The id of the command, the same however often the table asks. */
export function commandOf(wish: Wish): string | undefined {
  if (wish.type === "Commit") return `commit-${wish.deal}-${wish.digest.slice(0, 32)}`;
  if (wish.type === "Reveal") return `reveal-${wish.deal}-${wish.secret.slice(0, 32)}`;
  return undefined;
}

/** A secret for an attempt that this tab has not seen before. */
function begun(table: string, seat: number, { number, draw, deal, server }: FairShown): Seen {
  const secret = toHex(crypto.getRandomValues(new Uint8Array(32)));
  return keep(table, { number, draw, deal, seat, server, players: [], secret });
}

const committed = async ({ secret }: Seen): Promise<string> => toHex(await sha256(fromHex(secret)));

function note(table: string, number: number, change: (one: Seen) => Seen): void {
  const known = seen(table).find((one) => one.number === number);
  if (known) keep(table, change(known));
}

function keep(table: string, changed: Seen): Seen {
  const others = seen(table).filter((one) => one.number !== changed.number);
  sessionStorage.setItem(key(table), JSON.stringify([...others, changed].slice(-KEPT)));
  return changed;
}

const key = (table: string): string => `ultimo.fair.${table}`;
