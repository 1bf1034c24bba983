/**
 * A visitor's part in the shuffling: he commits to a secret before the server's is known and reveals it
 * after, so that nobody alone decides the cards. The secret lives in this tab, for one deal.
 */

import type { FairShown, Wish } from "../protocol";
import { fromHex, sha256, toHex } from "./digests";

/** What this tab saw before the cards were dealt: the commitments, and the secret that it gave. */
export interface Seen {
  readonly server: string;
  readonly players: readonly string[];
  readonly secret: string;
}

/**
 * What the table waits for from this page, or null where it has nothing to give. A server that shows another
 * commitment than before gets no secret.
 */
export async function answer(table: string, fair: FairShown): Promise<Wish | null> {
  if (fair.wanted && kept(table, fair.deal, "server", fair.server) !== fair.server) return null;
  if (fair.wanted === "reveal") kept(table, fair.deal, "players", fair.players.join(" "));
  if (fair.wanted === "commit") {
    const digest = toHex(await sha256(secretFor(table, fair.deal)));
    return { type: "Commit", deal: fair.deal, digest };
  }
  const secret = fair.wanted && sessionStorage.getItem(key(table, fair.deal));
  return secret ? { type: "Reveal", deal: fair.deal, secret } : null;
}

/** What this tab can bear witness to; null if it took no part in the shuffle. */
export function seen(table: string, deal: number): Seen | null {
  const [server, players, secret] = (["server", "players", "secret"] as const).map((what) =>
    sessionStorage.getItem(key(table, deal, what)),
  );
  return server && players && secret ? { server, players: players.split(" "), secret } : null;
}

/** The id of the command, the same however often the table asks. */
export function commandOf(wish: Wish): string | undefined {
  if (wish.type === "Commit") return `commit-${wish.deal}-${wish.digest.slice(0, 32)}`;
  if (wish.type === "Reveal") return `reveal-${wish.deal}-${wish.secret.slice(0, 32)}`;
  return undefined;
}

function secretFor(table: string, deal: number): Uint8Array<ArrayBuffer> {
  const before = sessionStorage.getItem(key(table, deal));
  if (before) return fromHex(before);
  const secret = crypto.getRandomValues(new Uint8Array(32));
  sessionStorage.setItem(key(table, deal), toHex(secret));
  return secret;
}

/** What was kept first, which is now unless it was before. */
function kept(table: string, deal: number, what: keyof Seen, now: string): string {
  const before = sessionStorage.getItem(key(table, deal, what));
  if (before === null) sessionStorage.setItem(key(table, deal, what), now);
  return before ?? now;
}

const key = (table: string, deal: number, what: keyof Seen = "secret"): string => `ultimo.${what}.${table}.${deal}`;
