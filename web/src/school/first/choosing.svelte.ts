/** Touching cards in a guided deal: one touch plays, and a card that is not played shakes its head. */

import { pace } from "../../lib/prefs.svelte";
import { Choosing } from "../../table/choosing.svelte";

export class Touching extends Choosing {
  touched: string | null = null;

  override touch(card: string): void {
    this.touched = card;
    super.touch(card, true);
    if (this.why) this.shake();
  }

  override lead(card: string): void {
    this.touched = card;
    super.lead(card);
  }

  /** The card that was touched says no. */
  shake(): void {
    const element = this.touched && document.querySelector(`[data-testid=hand] [data-card="${this.touched}"]`);
    if (!element || pace() === 0) return;
    const sway = [0, -7, 6, -4, 3, 0].map((x) => ({ translate: `${x}px 0` }));
    element.animate(sway, { duration: 420, easing: "ease-in-out" });
  }
}
