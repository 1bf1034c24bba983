/**
 * What is kept on this device, and bringing it to the account. The logs are read from the browser's database and sent as they are:
 * no house has to be started for it. The server checks them, and has one place for each; where that is, is kept beside the log.
 */

import { ApiError, del, get, send, trouble } from "../lib/api";
import { device, isHere, pocket } from "../lib/here.svelte";
import { language } from "../lib/words";
import type { Book, SheetBrought, SheetLine, SheetsDiffer, SessionBrought, Sitting } from "../protocol";
import { BROUGHT, type Kind, Store } from "./storage";

/** Where a log was brought to, by whom, and how much of it; an edition counts those that were kept beside another. */
type Mark = { readonly id: string; readonly player: string; readonly size: number; readonly edition: number };

/** A log: `size` is how much of it there is to bring, which are the entries of a sheet or the finished deals of a game. */
type Log = { readonly kind: Kind; readonly log: string; readonly size: number; readonly mark: Mark | null };
export type KeptSheet = Log & { readonly line: Omit<SheetLine, "title"> };
export type KeptSitting = Log & { readonly line: Omit<Sitting, "title"> & { readonly rules: string } };
export type Kept = { readonly name: string; readonly sheets: readonly KeptSheet[]; readonly sittings: readonly KeptSitting[] };

export const NOTHING: Kept = { name: "", sheets: [], sittings: [] };
const LISTED = 200; // lines that a server lists at most
const PATHS = { sheet: "sheets", table: "tables" } as const;

// --- what is here ----------------------------------------------------------------------------------------

type About = {
  readonly at: number;
  readonly settings: { readonly rules: string };
  readonly summary: {
    readonly moment: Sitting["moment"];
    readonly names: readonly string[];
    readonly series: readonly (readonly number[])[];
    readonly people: readonly (readonly [player: string, seat: number])[];
  };
};

/** All that is kept here, the latest first; nothing where this device answers, for then all is. */
export async function kept(): Promise<Kept> {
  if (pocket === null || device() !== null) return NOTHING;
  return (await using(all)) ?? NOTHING;
}

async function all(store: Store): Promise<Kept> {
  const own = parsed<{ id: string; name: string }>(await store.get("me"));
  const sheets = await each(store, "sheet", async (log, json, mark) => {
    const line = JSON.parse(json) as KeptSheet["line"];
    return { kind: "sheet" as const, log, mark, size: await store.length(log), line };
  });
  const sittings = await each(store, "table", async (log, json, mark) => {
    const line = sittingOf(log, JSON.parse(json) as About, own?.id);
    return { kind: "table" as const, log, mark, size: line.series.length, line };
  });
  return { name: own?.name ?? "", sheets, sittings };
}

async function each<One extends KeptSheet | KeptSitting>(
  store: Store,
  kind: Kind,
  made: (log: string, json: string, mark: Mark | null) => Promise<One>,
): Promise<readonly One[]> {
  const found = (await store.logs(kind)).map(async ([log, json]) => made(log, json, await markOf(store, log)));
  return (await Promise.all(found)).sort((one, other) => other.line.at - one.line.at);
}

/** A game as lists show it; who had no seat has no totals either. */
export function sittingOf(id: string, { at, settings, summary }: About, own = ""): KeptSitting["line"] {
  const seat = summary.people.find(([player]) => player === own)?.[1];
  const series = seat === undefined ? [] : summary.series.map((totals) => totals[seat] ?? 0);
  const { moment, names: players } = summary;
  return { id, at, rules: settings.rules, moment, deals: summary.series.length, total: series.at(-1) ?? 0, players, series, device: "" };
}

/** What somebody has not brought yet, or not all of it. */
export const unbrought = <One extends Log>(logs: readonly One[], player: string): readonly One[] =>
  logs.filter(({ size, mark }) => size > 0 && !(mark?.player === player && mark.size >= size));

/** What was brought before and has gone on since: it goes by itself. */
export const goneOn = <One extends Log>(logs: readonly One[], player: string): readonly One[] =>
  unbrought(logs, player).filter(({ mark }) => mark?.player === player);

/** What a list that the server gave does not have: it is on this device only. The server lists no more than so many. */
export function onlyHere<One extends Log>(logs: readonly One[], listed: readonly { readonly device: string }[]): readonly One[] {
  const there = new Set(listed.map(({ device }) => device));
  return logs.filter((one) => !there.has(edition(one)) && (listed.length < LISTED || !one.mark?.id));
}

type Lines = { readonly sheets: SheetLine; readonly sittings: Sitting };
const LISTS = { sheets: "/api/sheets", sittings: "/api/history" } as const;

const listThere = <What extends keyof Lines>(what: What): Promise<readonly Lines[What][]> =>
  get<readonly Lines[What][]>(`${LISTS[what]}?lang=${language}`);

/**
 * What there is in the account and on this device, each once and the latest first. It is known when both have answered; where
 * the server cannot be reached it is what is on this device, and `trouble` says so.
 */
export async function listed<What extends keyof Lines>(what: What): Promise<{ readonly lines: readonly Lines[What][]; readonly trouble: string }> {
  const asked = listThere(what).catch((failure: ApiError) => failure);
  const [answer, here] = await Promise.all([asked, keptIfAny()]);
  const lost = answer instanceof ApiError ? answer : null;
  const there = answer instanceof ApiError ? [] : answer;
  // A device that answers by itself has listed all that it has.
  const only = device() === null ? onlyHere<KeptSheet | KeptSitting>(here[what], there) : [];
  if (lost && (lost.status !== 0 || only.length === 0)) throw lost;
  const books = only.length > 0 ? await get<readonly Book[]>(`/api/books?lang=${language}`).catch(() => []) : [];
  const titled = only.map(({ line }) => ({ ...line, title: books.find(({ id }) => id === line.rules)?.title ?? "" }) as Lines[What]);
  return { lines: [...there, ...titled].sort((one, other) => other.at - one.at), trouble: lost?.message ?? "" };
}

/** All that is kept here; nothing in a browser that keeps nothing. */
const keptIfAny = (): Promise<Kept> => kept().catch(() => NOTHING);

/** The id in the account of a sheet, or of the game with this deal, that was brought there; null as long as it is only here. */
export async function inAccount(what: keyof Lines, id: string, deal = 0): Promise<string | null> {
  const one = (await keptIfAny())[what].find(({ log }) => log === id);
  if (!one?.mark?.id || deal > one.mark.size) return null;
  const there = await listThere(what).catch(() => []);
  if (onlyHere<KeptSheet | KeptSitting>([one], there).length > 0) return null;
  return there.find((line) => line.device === edition(one))?.id ?? one.mark.id;
}

/** A log as the server knows it. */
const edition = ({ log, mark }: Log): string => (mark?.edition ? `${log}.${mark.edition}` : log);

// --- bringing it -----------------------------------------------------------------------------------------

/** What came of it: it is there; both were changed, and how; or it was deleted there since. */
export type Outcome =
  | { readonly is: "there"; readonly id: string }
  | { readonly is: "differs"; readonly differ: SheetsDiffer }
  | { readonly is: "gone" };

/** Bring a log; as often as one likes. `anew` brings one that was deleted. May throw an `ApiError`. */
export async function bring(one: Log, name: string, player: string, anew = false): Promise<Outcome> {
  const { kind, log, mark } = one;
  const rows = (await using((store) => store.read(log, 0))) ?? [];
  const known = !anew && mark?.player === player && mark.id !== "";
  const body = { log: rows.map(([, row]) => row).join("\n"), known, ...(kind === "sheet" ? { name } : {}) };
  const answer = await send("PUT", `/api/${PATHS[kind]}/from-device/${edition(one)}`, body);
  if (answer.ok) {
    const { id } = (await answer.json()) as SheetBrought | SessionBrought;
    await remember(log, { id, player, size: one.size, edition: mark?.edition ?? 0 });
    return { is: "there", id };
  }
  if (answer.status === 410) return { is: "gone" };
  const differ = answer.status === 409 ? ((await answer.clone().json()) as Partial<SheetsDiffer>) : {};
  if (differ.same !== undefined) return { is: "differs", differ: differ as SheetsDiffer };
  throw await trouble(answer);
}

/** Let a sheet that differs be one of its own; it is still to be brought. */
export async function keepBoth<One extends Log>(one: One): Promise<One> {
  const mark = { id: "", player: "", size: 0, edition: (one.mark?.edition ?? 0) + 1 };
  await remember(one.log, mark);
  return { ...one, mark };
}

const remember = (log: string, mark: Mark): Promise<void | null> =>
  using((store) => store.put(BROUGHT + log, JSON.stringify(mark)));

const markOf = async (store: Store, log: string): Promise<Mark | null> => parsed<Mark>(await store.get(BROUGHT + log));

// --- deleting --------------------------------------------------------------------------------------------

/** Where something is, by its id in either place. */
export type Places = { readonly here: string | null; readonly there: string | null };

export async function places(kind: Kind, id: string): Promise<Places> {
  if (device() !== null) return { here: id, there: null };
  const found = await using(async (store) => {
    for (const [log] of await store.logs(kind)) {
      const mark = await markOf(store, log);
      if (log === id || mark?.id === id) return { here: log, there: mark?.id || null };
    }
    return null;
  });
  return found ?? { here: null, there: isHere(id) ? null : id };
}

/** Delete something in its places: in the account first, so that it does not come back from there. */
export async function forget(kind: Kind, { here, there }: Places): Promise<void> {
  if (there) await del(`/api/${PATHS[kind]}/${there}`).catch(unlessGone);
  if (!here) return;
  if (device() !== null) await del(`/api/${PATHS[kind]}/${here}`).catch(unlessGone);
  else await forgetHere(here);
}

export const forgetHere = (log: string): Promise<void | null> => using((store) => store.forget(log));

function unlessGone(failure: ApiError): void {
  if (failure.status !== 404) throw failure;
}

/** Work with what is kept, if anything is. */
async function using<T>(work: (store: Store) => Promise<T>): Promise<T | null> {
  const store = await Store.there();
  if (store === null) return null;
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

const parsed = <T>(json: string | undefined): T | null => (json ? (JSON.parse(json) as T) : null);
