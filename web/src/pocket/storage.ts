/**
 * What is kept on this device: logs, a line about each for lists, and single values. The house in the worker calls it from
 * Python, where a list comes as a proxy. What is written is on the disk before a promise is kept.
 */

import { type DBSchema, type IDBPDatabase, openDB } from "idb";

export type Kind = "table" | "sheet";

interface Kept extends DBSchema {
  rows: { key: [string, number]; value: string };
  commands: { key: [string, string]; value: number };
  about: { key: string; value: { kind: Kind; json: string }; indexes: { kind: Kind } };
  values: { key: string; value: string };
}

type Stores = "rows" | "commands" | "about" | "values";
type Transaction = ReturnType<IDBPDatabase<Kept>["transaction"]> & { done: Promise<void> };
type Proxy<T> = T | { toJs(): T };

/** A refusal that Python knows by its name. */
export class Refused extends Error {
  constructor(
    override readonly name: "Conflict" | "Full",
    message: string,
  ) {
    super(message);
  }
}

export const NAME = "ultimo";
export const BROUGHT = "brought "; // before the id of a log, the name of the value that says where it was brought to

export class Store {
  private constructor(private readonly db: IDBPDatabase<Kept>) {}

  static async open(name = NAME): Promise<Store> {
    const db = await openDB<Kept>(name, 1, {
      upgrade(fresh) {
        fresh.createObjectStore("rows");
        fresh.createObjectStore("commands");
        fresh.createObjectStore("about").createIndex("kind", "kind");
        fresh.createObjectStore("values");
      },
      blocking: (_, __, event) => (event.target as IDBDatabase).close(), // a newer page wants to change it
    });
    return new Store(db);
  }

  /** The store if this browser has one; none is made. */
  static async there(): Promise<Store | null> {
    if (!globalThis.indexedDB) return null;
    const all = await indexedDB.databases?.(); // an old browser does not tell
    return !all || all.some(({ name }) => name === NAME) ? Store.open() : null;
  }

  /** Write rows behind the first `after` of a log: all of them or, if others are there already, none. */
  append = (log: string, after: number, rows: Proxy<readonly string[]>, cmd?: string | null): Promise<void> =>
    this.#write(["rows", "commands"], async (stores) => {
      const kept = stores.objectStore("rows");
      const last = await kept.openKeyCursor(whole(log), "prev");
      const length = last?.key[1] ?? 0;
      if (length !== after) throw new Refused("Conflict", `${log} has ${length} rows, not ${after}`);
      if (cmd) {
        const commands = stores.objectStore("commands");
        if ((await commands.getKey([log, cmd])) !== undefined) throw new Refused("Conflict", `${cmd} is in ${log}`);
        await commands.put(after + 1, [log, cmd]);
      }
      await Promise.all(list(rows).map((json, place) => kept.put(json, [log, after + 1 + place])));
    });

  /** Where a command was written: the place of its first row. */
  applied = (log: string, cmd: string): Promise<number | undefined> => this.db.get("commands", [log, cmd]);

  read = async (log: string, after: number): Promise<[number, string][]> => {
    const stores = this.db.transaction("rows");
    const range = IDBKeyRange.bound([log, after], [log, Infinity], true);
    const [keys, rows] = await Promise.all([stores.store.getAllKeys(range), stores.store.getAll(range)]);
    return keys.map(([, seq], place) => [seq, rows[place]!]);
  };

  length = async (log: string): Promise<number> =>
    (await this.db.transaction("rows").store.openKeyCursor(whole(log), "prev"))?.key[1] ?? 0;

  describe = (log: string, kind: Kind, json: string): Promise<void> =>
    this.#write(["about"], (stores) => stores.objectStore("about").put({ kind, json }, log));

  logs = async (kind: Kind): Promise<[string, string][]> => {
    const about = this.db.transaction("about").store.index("kind");
    const [keys, lines] = await Promise.all([about.getAllKeys(kind), about.getAll(kind)]);
    return keys.map((log, place) => [log, lines[place]!.json]);
  };

  forget = (log: string): Promise<void> =>
    this.#write(["rows", "commands", "about", "values"], (stores) =>
      Promise.all([
        stores.objectStore("values").delete(BROUGHT + log),
        stores.objectStore("rows").delete(whole(log)),
        stores.objectStore("commands").delete(IDBKeyRange.bound([log], [log, []])),
        stores.objectStore("about").delete(log),
      ]),
    );

  clear = (): Promise<void> => {
    const all: Stores[] = ["rows", "commands", "about", "values"];
    return this.#write(all, (stores) => Promise.all(all.map((name) => stores.objectStore(name).clear())));
  };

  get = (key: string): Promise<string | undefined> => this.db.get("values", key);

  put = (key: string, json: string): Promise<void> =>
    this.#write(["values"], (stores) => stores.objectStore("values").put(json, key));

  close(): void {
    this.db.close();
  }

  async #write(names: Stores[], work: (stores: Writing) => Promise<unknown>): Promise<void> {
    const stores = this.db.transaction(names, "readwrite", { durability: "strict" }) as unknown as Writing;
    const done = stores.done.then(
      () => null,
      (failure: unknown) => failure,
    );
    try {
      await work(stores);
    } catch (failure) {
      if (failure instanceof Refused) {
        stores.abort();
        await done;
      }
      throw (await full(failure, done)) ?? failure;
    }
    const failure = await done;
    if (failure) throw (await full(failure, done)) ?? failure;
  }
}

type Writing = Omit<Transaction, "objectStore"> & {
  objectStore<Name extends Stores>(name: Name): import("idb").IDBPObjectStore<Kept, Stores[], Name, "readwrite">;
};

/** The refusal for a disk that is full; a request may only say that its transaction was given up. */
async function full(failure: unknown, done: Promise<unknown>): Promise<Refused | null> {
  const names = [failure, failure instanceof Refused ? null : await done].map((one) => (one as Error | null)?.name);
  return names.includes("QuotaExceededError") ? new Refused("Full", "the disk is full") : null;
}

const whole = (log: string): IDBKeyRange => IDBKeyRange.bound([log, 0], [log, Infinity]);

const list = (rows: Proxy<readonly string[]>): readonly string[] => ("toJs" in rows ? rows.toJs() : rows);
