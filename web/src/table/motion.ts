/** Movements over the table: from where a thing comes to where it goes. */

import { cubicInOut, cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import type { Account } from "../protocol";

export type Point = { x: number; y: number };

/** The middle of an account's place on the screen: a seat or a cup. */
export function pointOf(account: Account): Point | null {
  const element = document.querySelector(`[data-account="${account}"]`);
  return element && middleOf(element);
}

export function middleOf(element: Element): Point {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A card comes from its seat. */
export function comes(node: Element, { seat, pace }: { seat: number; pace: number }): TransitionConfig {
  return flight(node, seat, 320 * pace, cubicOut, 0.7);
}

/** A card goes to the winner of the trick, or where nobody has won it yet, back to its seat. */
export function goes(node: Element, { seat, pace }: { seat: () => number; pace: number }): TransitionConfig {
  return flight(node, seat(), 420 * pace, cubicInOut, 0.35);
}

function flight(
  node: Element,
  seat: number,
  duration: number,
  easing: (t: number) => number,
  size: number,
): TransitionConfig {
  const there = pointOf(seat);
  if (there === null || duration === 0) return { duration: 0 };
  const here = middleOf(node);
  const own = getComputedStyle(node).transform.replace("none", "");
  const way = { x: there.x - here.x, y: there.y - here.y };
  return {
    duration,
    easing,
    css: (t, u) => `
      transform: translate(${way.x * u}px, ${way.y * u}px) ${own} scale(${size + (1 - size) * t});
      opacity: ${Math.min(1, 3 * t)}`,
  };
}
