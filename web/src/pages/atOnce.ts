/** A table against bots that one tap opens. */
import { type ApiError, get, post } from "../lib/api";
import type { Family } from "../lib/words";
import type { Settings, Sitting, TableMade } from "../protocol";
import { fresh, settingsOf } from "./newTable";

const LOGGED_OUT = 401; // who has no session yet has never sat down

const usual: Record<Family, Settings> = {
  danish: settingsOf(fresh({ id: "dtf", sizes: [3] })),
  french: settingsOf(fresh({ id: "french4", sizes: [4] })),
};

/**
 * What the table plays. A newcomer to Danish Tarok sits behind the dealer, and so begins as forehand: the skat comes in the
 * second deal.
 */
export function settingsFor(family: Family, newcomer: boolean): Settings {
  const settings = usual[family];
  return newcomer && family === "danish" ? { ...settings, firstDealer: settings.size - 1 } : settings;
}

/** Its rulebook. */
export const bookAtOnce = (family: Family): string => usual[family].rules;

/** Open it; its address. */
export async function openAtOnce(family: Family): Promise<string> {
  const newcomer = await get<readonly Sitting[]>("/api/history").then(
    (sat) => sat.length === 0,
    (failure: ApiError) => failure.status === LOGGED_OUT,
  );
  return `/t/${(await post<TableMade>("/api/tables", { settings: settingsFor(family, newcomer) })).id}`;
}
