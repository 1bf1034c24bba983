import { beforeEach, expect, test, vi } from "vitest";
import type { FairShown } from "../protocol";
import { answer, commandOf, seen } from "./shuffling";

const fair = (wanted: FairShown["wanted"], deal = 1): FairShown => ({
  deal,
  server: "commitment",
  wanted,
  players: wanted === "reveal" ? ["mine", "yours"] : [],
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("what is revealed is what was committed to", async () => {
  const commit = await answer("table", fair("commit"));
  const reveal = await answer("table", fair("reveal"));
  if (commit?.type !== "Commit" || reveal?.type !== "Reveal") throw new Error("two answers are wanted");
  const bytes = Uint8Array.from(reveal.secret.match(/../g)!, (byte) => parseInt(byte, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  expect(commit.digest).toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
});

test("a table that asks twice gets the same answer, under the same command", async () => {
  const first = await answer("table", fair("commit"));
  const second = await answer("table", fair("commit"));
  expect(second).toEqual(first);
  expect(commandOf(second!)).toBe(commandOf(first!));
});

test("each deal and each table has a secret of its own", async () => {
  const answers = [
    await answer("table", fair("commit", 1)),
    await answer("table", fair("commit", 2)),
    await answer("other", fair("commit", 1)),
  ];
  expect(new Set(answers.map((wish) => JSON.stringify(wish))).size).toBe(3);
});

test("a tab that has committed to nothing reveals nothing", async () => {
  expect(await answer("table", fair("reveal"))).toBeNull();
  expect(await answer("table", fair(null))).toBeNull();
});

test("a server that shows another commitment gets no secret", async () => {
  await answer("table", fair("commit"));
  expect(await answer("table", { ...fair("reveal"), server: "another" })).toBeNull();
});

test("a tab that took part remembers what it was shown", async () => {
  expect(seen("table", 1)).toBeNull();
  await answer("table", fair("commit"));
  const reveal = await answer("table", fair("reveal"));
  await answer("table", { ...fair("reveal"), players: ["mine", "invented"] });
  const secret = reveal?.type === "Reveal" ? reveal.secret : "";
  expect(seen("table", 1)).toEqual({ server: "commitment", players: ["mine", "yours"], secret });
});
