import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FromWorker, Pocket, ToWorker } from "../pocket/wire";

const POCKET: Pocket = {
  python: "python-1/",
  lock: "{}",
  wheels: [],
  ultimo: "ultimo-1.zip",
  files: [{ path: "ultimo-1.zip", bytes: 3 }],
};

/** A worker with a house that answers with the question. */
class FakeWorker {
  static made: FakeWorker[] = [];
  static silent = false; // whether it begins
  heard: ToWorker[] = [];
  ended = false;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;

  constructor() {
    FakeWorker.made.push(this);
  }

  postMessage(message: ToWorker) {
    this.heard.push(message);
    if (message.kind === "begin" && !FakeWorker.silent) this.say({ kind: "ready" });
    if (message.kind === "ask")
      this.say({
        kind: "answer",
        id: message.id,
        status: 200,
        headers: {},
        body: new TextEncoder().encode(`${message.method} ${message.path} ${message.body}`),
      });
    if (message.kind === "open") this.say({ kind: "opened", id: message.id });
    if (message.kind === "hear") this.say({ kind: "say", id: message.id, text: message.text });
  }

  say(data: FromWorker) {
    queueMicrotask(() => this.onmessage?.({ data }));
  }

  terminate() {
    this.ended = true;
  }
}

type Around = { alone?: boolean; chosen?: boolean; built?: boolean; kept?: boolean; server?: () => Promise<Response> };
const asked: string[] = [];

/** The seam, in a page that was sent like this. */
async function page({ alone = false, chosen = false, built = true, kept = false, server }: Around) {
  vi.resetModules();
  asked.length = 0;
  FakeWorker.made = [];
  FakeWorker.silent = false;
  vi.stubGlobal("location", new URL("http://cards.test/t/x"));
  vi.stubGlobal("document", {
    getElementById: (id: string) => (id === "pocket" && built ? { textContent: JSON.stringify(POCKET) } : null),
    querySelector: () => (alone ? { getAttribute: () => "pocket" } : null),
  });
  vi.stubGlobal("localStorage", { getItem: (key: string) => (key === "ultimo.device" && chosen ? "1" : null) });
  const urls = kept ? [{ url: "http://cards.test/pocket/ultimo-1.zip" }] : [];
  vi.stubGlobal("caches", { open: async () => ({ keys: async () => urls }) });
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return server ? server() : new Response("server");
  });
  return { house: await import("./house"), here: await import("./here.svelte"), inside: await import("../pocket/inside") };
}

const gone = async () => {
  throw new TypeError("no network");
};
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000 });
const text = async (answer: Promise<Response>) => (await answer).text();

beforeEach(() => vi.spyOn(console, "warn").mockImplementation(() => undefined));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("what has an id lives in one place", async () => {
  const { placeOf } = (await page({})).house;
  expect(placeOf("/api/tables/~abc/record?deal=1")).toBe("device");
  expect(placeOf("/api/sheets/~abc")).toBe("device");
  expect(placeOf("/api/tables/abc/hint?lang=da")).toBe("server");
  expect(placeOf("/api/clubs/x")).toBe("server");
  for (const path of ["/api/tables", "/api/sheets?lang=en", "/api/sheets/read?lang=en", "/api/enter", "/api/puzzles/x"])
    expect(placeOf(path)).toBe("either");
});

test("where a server answers, only what lives on this device starts a house", async () => {
  const { house, here } = await page({});
  expect(await text(house.ask("GET", "/api/history", undefined, null))).toBe("server");
  expect(FakeWorker.made).toHaveLength(0);
  expect(await text(house.ask("POST", "/api/sheets/~s", '{"a":1}', null))).toBe('POST /api/sheets/~s {"a":1}');
  expect(asked).toEqual(["/api/history"]);
  expect(here.device()).toBeNull();
});

test("whoever has chosen this device is answered by it, but for what lives at the server", async () => {
  const { house } = await page({ chosen: true });
  expect(await text(house.ask("GET", "/api/history", undefined, null))).toBe("GET /api/history ");
  expect(await text(house.ask("GET", "/api/tables/abc", undefined, null))).toBe("server");
});

test("a page that stands alone never asks a server", async () => {
  const { house } = await page({ alone: true });
  for (const path of ["/api/enter", "/api/tables/abc", "/api/clubs/x"])
    expect(await text(house.ask("GET", path, undefined, null))).toBe(`GET ${path} `);
  expect(asked).toEqual([]);
  expect(FakeWorker.made).toHaveLength(1);
});

test("without a server a device that has kept the house goes on with it, and stays", async () => {
  const { house, here } = await page({ kept: true, server: gone });
  expect(await text(house.ask("POST", "/api/enter", "{}", null))).toBe("POST /api/enter {}");
  expect(here.device()).toBe("unreachable");
  expect(await text(house.ask("GET", "/api/history", undefined, null))).toBe("GET /api/history ");
  expect(asked).toEqual(["/api/enter"]);
});

test("a gate that finds no server behind it is as good as none", async () => {
  const { house, here } = await page({ kept: true, server: async () => new Response("", { status: 502 }) });
  expect(await text(house.ask("GET", "/api/books", undefined, null))).toBe("GET /api/books ");
  expect(here.device()).toBe("unreachable");
});

test("what lives at the server is not looked for on the device, nor is a house that is not there", async () => {
  const offline = await page({ kept: true, server: gone });
  await expect(offline.house.ask("POST", "/api/sheets/abc", "{}", null)).rejects.toThrow("no network");
  const bare = await page({ kept: false, server: gone });
  await expect(bare.house.ask("GET", "/api/history", undefined, null)).rejects.toThrow("no network");
  expect(bare.here.device()).toBeNull();
  const unbuilt = await page({ built: false, chosen: true });
  expect(await text(unbuilt.house.ask("GET", "/api/history", undefined, null))).toBe("server");
  await expect(unbuilt.house.ask("GET", "/api/tables/~x", undefined, null)).rejects.toBeInstanceOf(unbuilt.house.NoHouse);
  expect(FakeWorker.made).toHaveLength(0);
});

test("a question can be given up", async () => {
  const { house } = await page({ alone: true });
  FakeWorker.silent = true;
  const control = new AbortController();
  const answer = house.ask("GET", "/api/books", undefined, control.signal);
  control.abort();
  await expect(answer).rejects.toHaveProperty("name", "AbortError");
});

test("a table on this device has a line as any other", async () => {
  const { house } = await page({});
  const line = house.socket("~t");
  const heard: string[] = [];
  await new Promise<void>((open) => (line.onopen = () => open()));
  expect(line.readyState).toBe(1);
  line.onmessage = ({ data }) => heard.push(data);
  line.send("ping");
  await until(() => expect(heard).toEqual(["ping"]));
  line.close();
  expect(FakeWorker.made[0]!.heard.at(-1)).toMatchObject({ kind: "close" });
});

test("nothing is asked before the house is ready; another tab's house is taken when the visitor says so", async () => {
  const { house, here, inside } = await page({ alone: true });
  FakeWorker.silent = true;
  const answer = text(house.ask("GET", "/api/books", undefined, null));
  await until(() => expect(FakeWorker.made).toHaveLength(1));
  const worker = FakeWorker.made[0]!;
  worker.say({ kind: "elsewhere" });
  await until(() => expect(here.houseHere().at).toBe("elsewhere"));
  expect(worker.heard.map(({ kind }) => kind)).toEqual(["begin"]);
  inside.takeHouse();
  worker.say({ kind: "ready" });
  expect(await answer).toBe("GET /api/books ");
  expect(worker.heard.map(({ kind }) => kind)).toEqual(["begin", "take", "ask"]);
  expect(here.houseHere().at).toBe("ready");
});

test("when another tab takes the house, lines are lost, questions fail, and the next one begins anew", async () => {
  const { house, here } = await page({ alone: true });
  const line = house.socket("~t");
  await new Promise<void>((open) => (line.onopen = () => open()));
  const lost = new Promise<void>((closed) => (line.onclose = () => closed()));
  const worker = FakeWorker.made[0]!;
  const unanswered = vi.fn();
  worker.postMessage = unanswered;
  const answer = house.ask("GET", "/api/books", undefined, null);
  answer.catch(() => undefined);
  await until(() => expect(unanswered).toHaveBeenCalled());
  worker.say({ kind: "moved" });
  await lost;
  await expect(answer).rejects.toBeInstanceOf(house.NoHouse);
  expect([worker.ended, here.houseHere().at]).toEqual([true, "elsewhere"]);
  expect(await text(house.ask("GET", "/api/books", undefined, null))).toBe("GET /api/books ");
  expect(FakeWorker.made).toHaveLength(2);
});

test("the bytes that have come are told while the house is fetched", async () => {
  const { house, here } = await page({ alone: true });
  FakeWorker.silent = true;
  void house.ask("GET", "/api/books", undefined, null).catch(() => undefined);
  await until(() => expect(FakeWorker.made).toHaveLength(1));
  FakeWorker.made[0]!.say({ kind: "loading", done: 2, of: 3 });
  await until(() => expect(here.houseHere()).toEqual({ at: "loading", done: 2, of: 3 }));
});
