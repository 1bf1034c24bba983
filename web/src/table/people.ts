/** People about whom the visitor, as the host, can do something. */

import type { Scene } from "../protocol";

/** What opens the menu of whoever has a seat, if there is one. */
export function menuOf(
  scene: Scene,
  seat: number,
  onperson: ((who: string) => void) | undefined,
): (() => void) | undefined {
  const person = scene.people.find((one) => one.seat === seat);
  return person && onperson ? () => onperson(person.who) : undefined;
}
