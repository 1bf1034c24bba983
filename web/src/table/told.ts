/** What is read of a deal: every word, but of the cards only those of the last two tricks. */

import type { Happening } from "../protocol";

export function lines(story: readonly Happening[]): Happening[] {
  const won = story.flatMap((happening, at) => (happening.kind === "won" ? [at] : []));
  const since = won.at(-2) ?? -1;
  return story.filter(
    ({ kind, text }, at) => text !== "" && kind !== "chat" && (kind !== "played" || at > since),
  );
}

/** Payments that happened together, by their reason, in the order in which they were made. */
export function batches(fresh: readonly Happening[]): Happening[][] {
  const found = new Map<string, Happening[]>();
  for (const happening of fresh)
    if (happening.payment) {
      const reason = happening.payment.reason;
      found.set(reason, [...(found.get(reason) ?? []), happening]);
    }
  return [...found.values()];
}
