/** House rules as switches. */
import type { Switch, SwitchGroup } from "../protocol";
import type { HouseValue } from "./newTable";

export type House = Readonly<Record<string, HouseValue>>;

/** What a table with these house rules plays. */
export const valueOf = (one: Switch, house: House): HouseValue => house[one.key] ?? one.book;

export const isChanged = (one: Switch, house: House): boolean => valueOf(one, house) !== one.book;

/** How many rules of a group are not the book's. */
export const changedIn = (group: SwitchGroup, house: House): number =>
  group.switches.filter((one) => isChanged(one, house)).length;

/** What a value means, in a sentence. */
export const meaning = (one: Switch, value: HouseValue): string =>
  one.choices.find((choice) => choice.value === value)?.sentence ?? "";

/** A number as it was typed, within its bounds; null for what is no number. */
export function numberIn(one: Pick<Switch, "least" | "most">, text: string): number | null {
  if (!/^-?\d+$/.test(text.trim())) return null;
  return Math.max(one.least, Math.min(one.most, Number(text)));
}
