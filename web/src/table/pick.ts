/** Choosing cards for the skat, the écart or a poignée. */

import type { Action, PickOffer } from "../protocol";

/** The cards chosen after a card was touched: one that must be there stays, and no more than are asked for. */
export function toggled(offer: PickOffer, picked: readonly string[], card: string): readonly string[] {
  if (offer.must.includes(card)) return picked;
  if (picked.includes(card)) return picked.filter((one) => one !== card);
  const open = offer.among.includes(card) && picked.length < offer.size;
  return open ? [...picked, card] : picked;
}

export const complete = (offer: PickOffer, picked: readonly string[]): boolean =>
  picked.length === offer.size;

export function pickAction({ does, tout }: PickOffer, picked: readonly string[]): Action {
  return does === "Lay" ? { type: "Lay", cards: picked, tout } : { type: "ShowPoignee", cards: picked };
}
