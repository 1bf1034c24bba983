import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../lib/api";
import { inAccount, listed } from "./bringing";

const { get, state } = vi.hoisted(() => ({ get: vi.fn(), state: { device: null as string | null } }));
vi.mock("../lib/api", async (original) => ({ ...(await original<object>()), get }));
vi.mock("../lib/here.svelte", () => ({ pocket: {}, device: () => state.device, isHere: (id: string) => id.startsWith("~") }));
vi.mock("./storage", () => ({ BROUGHT: "brought ", Store: { there: async () => new Kept() } }));

const LINES: Record<string, object> = { "~new": { id: "~new", rules: "dtf", at: 2 }, "~old": { id: "~old", rules: "dtf", at: 1 } };
const OLD = { id: "old", rules: "dtf", title: "DTF", at: 1, device: "~old" };

/** A device with a sheet that was brought to the account as "old", and one that was not. */
class Kept {
  get = async (key: string) => (key === "brought ~old" ? '{"id":"old","player":"me","size":3,"edition":0}' : undefined);
  length = async () => 3;
  logs = async (kind: string) => (kind === "sheet" ? Object.entries(LINES).map(([log, line]) => [log, JSON.stringify(line)]) : []);
  close() {}
}

/** What the server answers: its list of sheets, and the books. */
function answering(sheets: Promise<unknown>) {
  get.mockImplementation((path: string) => (path.startsWith("/api/sheets") ? sheets : Promise.resolve([{ id: "dtf", title: "DTF" }])));
}

beforeEach(() => {
  state.device = null;
});

test("nothing is listed before both places have answered, and then each sheet once", async () => {
  let answer = (_: unknown): void => {};
  answering(new Promise((done) => (answer = done)));
  let found: Awaited<ReturnType<typeof listed>> | null = null;
  const listing = listed("sheets").then((all) => (found = all));
  await vi.waitFor(() => expect(get).toHaveBeenCalled());
  await new Promise((done) => setTimeout(done));
  expect(found).toBeNull();
  answer([OLD]);
  const { lines, trouble } = await listing;
  expect(lines.map(({ id, title }) => [id, title])).toEqual([["~new", "DTF"], ["old", "DTF"]]);
  expect(trouble).toBe("");
});

test("where no server can be reached what is on this device is listed, and why no more", async () => {
  answering(Promise.reject(new ApiError(0, "offline")));
  const { lines, trouble } = await listed("sheets");
  expect(lines.map(({ id }) => id)).toEqual(["~new", "~old"]);
  expect(trouble).toBe("offline");
});

test("a refusal of the server, or nothing to list, is an error", async () => {
  answering(Promise.reject(new ApiError(429, "too often")));
  await expect(listed("sheets")).rejects.toMatchObject({ status: 429 });
  get.mockRejectedValue(new ApiError(0, "offline"));
  await expect(listed("sittings")).rejects.toMatchObject({ status: 0 });
});

test("a device that answers by itself lists each sheet once", async () => {
  get.mockImplementation(async () => {
    state.device = "unreachable"; // the server was lost while it was asked
    return Object.values(LINES);
  });
  expect((await listed("sheets")).lines.map(({ id }) => id)).toEqual(["~new", "~old"]);
});

test("the old address of what was brought has a place in the account, as long as it is there", async () => {
  answering(Promise.resolve([OLD]));
  expect(await inAccount("sheets", "~old")).toBe("old");
  expect(await inAccount("sheets", "~new")).toBeNull();
  expect(await inAccount("sheets", "~old", 4)).toBeNull(); // not so much of it was brought
  answering(Promise.resolve([]));
  expect(await inAccount("sheets", "~old")).toBeNull(); // it was deleted there
  answering(Promise.reject(new ApiError(0, "offline")));
  expect(await inAccount("sheets", "~old")).toBeNull();
});
