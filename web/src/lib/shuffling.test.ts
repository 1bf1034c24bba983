import { beforeEach, expect, test, vi } from "vitest";
import type { FairShown } from "../protocol";
import { answer, commandOf, refused, seen, sent } from "./shuffling";
import { commitment } from "./fair";

const fair = (wanted: FairShown["wanted"], number = 1, players: readonly string[] = []): FairShown => ({
  number,
  draw: "cards",
  deal: 7,
  server: "commitment",
  wanted,
  players,
});

const SEAT = 2;
const asked = (shown: FairShown, table = "table") => answer(table, SEAT, shown);

/** The commitment of the tab, when it has been asked for one. */
async function committed(): Promise<string> {
  const wish = await asked(fair("commit"));
  if (wish?.type !== "Commit") throw new Error("a commitment is wanted");
  return wish.digest;
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("what is revealed is what was committed to", async () => {
  const mine = await committed();
  const reveal = await asked(fair("reveal", 1, [mine, "yours"]));
  expect(reveal?.type === "Reveal" && (await commitment(reveal.secret))).toBe(mine);
});

test("a table that asks twice gets the same answer, under the same command", async () => {
  const first = await asked(fair("commit"));
  const second = await asked(fair("commit"));
  expect(second).toEqual(first);
  expect(commandOf(second!)).toBe(commandOf(first!));
});

test("each attempt and each table has a secret of its own", async () => {
  const answers = [await asked(fair("commit", 1)), await asked(fair("commit", 2)), await asked(fair("commit", 1), "b")];
  expect(new Set(answers.map((wish) => wish?.type === "Commit" && wish.digest)).size).toBe(3);
});

test("a tab that has committed to nothing reveals nothing", async () => {
  expect(await asked(fair("reveal"))).toBeNull();
  expect(await asked(fair(null))).toBeNull();
});

test("a server that shows another commitment, or none of this tab, or other players gets no secret", async () => {
  const mine = await committed();
  expect(await asked({ ...fair("reveal", 1, [mine]), server: "another" })).toBeNull();
  expect(await asked(fair("reveal", 1, [mine, "yours"]))).not.toBeNull();
  expect(await asked(fair("reveal", 1, [mine, "invented"]))).toBeNull();
  await asked(fair("commit", 2));
  expect(await asked(fair("reveal", 2, ["yours"]))).toBeNull();
});

test("a tab that took part remembers what it was shown, and what it gave at once", async () => {
  expect(seen("table", "cards", 7)).toEqual([]);
  const commit = (await asked(fair("commit")))!;
  sent("table", commit, true);
  const mine = commit.type === "Commit" ? commit.digest : "";
  const reveal = (await asked(fair("reveal", 1, [mine, "yours"])))!;
  sent("table", reveal, false);
  sent("table", reveal, true); // the first time counts
  const secret = reveal.type === "Reveal" ? reveal.secret : "";
  const shown = { number: 1, draw: "cards", deal: 7, seat: SEAT, server: "commitment", players: [mine, "yours"] };
  expect(seen("table", "cards", 7)).toEqual([{ ...shown, secret, committed: true, revealed: false }]);
  expect(seen("table", "dealer", 0)).toEqual([]);
});

test("a tab remembers that its commitment was not taken", async () => {
  const commit = (await asked(fair("commit")))!;
  refused("table", commit);
  expect(seen("table", "cards", 7)[0]?.refused).toBe(true);
});
