/** What the viewer is about to do: the card he has taken hold of, the cards he picks. */

import type { AtTable } from "../lib/live.svelte";
import type { Action, AnyOffer, Barred, PickOffer, Turn } from "../protocol";
import { complete, pickAction, toggled } from "./pick";

type Kind = AnyOffer["kind"];
type OfferOf<K extends Kind> = Extract<AnyOffer, { kind: K }>;

/** The offers of one kind. */
export function offersOf<K extends Kind>(turn: Turn | null | undefined, kind: K): OfferOf<K>[] {
  return (turn?.offers ?? []).filter((offer): offer is OfferOf<K> => offer.kind === kind);
}

export class Choosing {
  selected = $state<string | null>(null);
  pick = $state.raw<PickOffer | null>(null); // what cards are being picked for
  picked = $state.raw<readonly string[]>([]);
  naming = $state<string | null>(null); // the skus that waits for its suit
  why = $state.raw<Barred | null>(null); // why the card that was touched may not be chosen
  hinted = $state.raw<readonly string[]>([]); // the cards that a hint advises
  inquire: ((card: string) => void) | null = null; // while a hint is open, another card is asked about
  readonly #live: AtTable;

  constructor(live: AtTable) {
    this.#live = live;
  }

  turn = $derived.by(() => this.#live.scene?.turn ?? null);
  play = $derived.by(() => offersOf(this.turn, "play")[0] ?? null);
  picks = $derived.by(() => offersOf(this.turn, "pick"));
  busy = $derived.by(() => this.#live.waiting > 0);

  /** The cards that may be touched now. */
  open = $derived.by(() => {
    const pick = this.pick;
    return new Set(pick ? [...pick.must, ...pick.among] : (this.play?.cards ?? []));
  });

  /** Begin anew, as the turn has changed. Where cards can only be picked, picking has begun. */
  reset(): void {
    this.selected = this.naming = this.why = null;
    this.choose(this.play ? null : (this.picks[0] ?? null));
  }

  /** Pick cards for this offer, or for none. */
  choose(offer: PickOffer | null): void {
    this.pick = offer;
    this.picked = offer?.must ?? [];
    this.selected = null;
  }

  suggest(): void {
    if (this.pick) this.picked = this.pick.suggestion;
  }

  /** A tap on a card: it is picked, or taken hold of; the second tap plays it. */
  touch(card: string, atOnce: boolean): void {
    this.why = this.#live.refusal = null; // which covers what can be done
    if (!this.open.has(card)) {
      this.why = this.turn?.barred.find((barred) => barred.cards.includes(card)) ?? null;
      this.selected = null;
    } else if (this.pick) {
      this.picked = toggled(this.pick, this.picked, card);
    } else if (this.inquire && !this.hinted.includes(card)) {
      this.selected = null;
      this.inquire(card);
    } else if (atOnce || this.selected === card) {
      this.lead(card);
    } else {
      this.selected = card;
    }
  }

  /** Play a card; a skus that is to be named waits for its suit. */
  lead(card: string): void {
    if (this.busy || !this.play?.cards.includes(card)) return;
    if (card === "T0" && this.play.naming) this.naming = card;
    else this.act({ type: "Play", card, named: null });
  }

  lay(): void {
    if (this.pick && complete(this.pick, this.picked)) this.act(pickAction(this.pick, this.picked));
  }

  act(action: Action): void {
    if (this.busy) return;
    this.naming = null;
    this.#live.do({ type: "Act", action });
  }

  /** Let go of everything. */
  drop(): void {
    this.selected = this.naming = this.why = null;
  }
}
