/** What is read of a deal. */

import type { Happening } from "../protocol";

/** While it is played, every word, but of the cards only those of the last two tricks. */
export function lines(story: readonly Happening[]): Happening[] {
  const won = story.flatMap((happening, at) => (happening.kind === "won" ? [at] : []));
  const since = won.at(-2) ?? -1;
  return story.filter(
    ({ kind, text }, at) => text !== "" && kind !== "chat" && (kind !== "played" || at > since),
  );
}

/** After the deal, every trick with its cards, `tricks` in the order in which they were won. */
export function whole(story: readonly Happening[], tricks: readonly string[]): Happening[] {
  let won = 0;
  return story
    .filter(({ kind, text }) => text !== "" && kind !== "chat" && kind !== "played")
    .map((one) => (one.kind === "won" ? { ...one, text: tricks[won++] ?? one.text } : one));
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
