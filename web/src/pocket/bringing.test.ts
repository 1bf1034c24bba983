import { expect, test } from "vitest";
import { goneOn, onlyHere, sittingOf, unbrought } from "./bringing";

const log = (name: string, size: number, mark: { id: string; player: string; size: number } | null = null) => ({
  kind: "sheet" as const,
  log: name,
  size,
  mark: mark && { ...mark, edition: 0 },
});
const names = (logs: readonly { log: string }[]): string[] => logs.map((one) => one.log);

const LOGS = [
  log("~new", 3),
  log("~empty", 0),
  log("~there", 3, { id: "a", player: "me", size: 3 }),
  log("~longer", 4, { id: "b", player: "me", size: 3 }),
  log("~another", 3, { id: "c", player: "them", size: 3 }),
];

test("what was not brought by this person, or not all of it, waits", () => {
  expect(names(unbrought(LOGS, "me"))).toEqual(["~new", "~longer", "~another"]);
});

test("only what this person has brought before goes by itself", () => {
  expect(names(goneOn(LOGS, "me"))).toEqual(["~longer"]);
  expect(names(goneOn(LOGS, "nobody"))).toEqual([]);
});

test("nothing is listed twice, and what was deleted there is here only", () => {
  expect(names(onlyHere(LOGS, [{ device: "~there" }, { device: "~another" }, { device: "" }]))).toEqual(["~new", "~empty", "~longer"]);
  const full = Array.from({ length: 200 }, (_, at) => ({ device: `~s${at}` }));
  expect(names(onlyHere(LOGS, full))).toEqual(["~new", "~empty"]); // the server lists no more than so many
});

test("a game on the device is listed with one's own totals", () => {
  const about = {
    at: 7,
    settings: { rules: "dtf" },
    summary: {
      moment: "between" as const,
      names: ["Karen", "Me", "Bo"],
      series: [
        [1, 2, -3],
        [4, -9, 5],
      ],
      people: [["x", 1] as const],
    },
  };
  const line = sittingOf("~t", about, "x");
  expect([line.deals, line.total, line.series]).toEqual([2, -9, [2, -9]]);
  expect(sittingOf("~t", about, "y").series).toEqual([]);
});
