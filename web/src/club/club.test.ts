import { expect, test } from "vitest";
import type { EveningShown } from "../protocol";
import { dayOf, headlineOf, points, today, usualSeason } from "./days";
import { guestId, membersIn, namesIn, unknown } from "./people";
import { bare, begun, missing, people, quality, roundNow, sizesFor, swapped, toggled, unseated, usualSize, withoutGuest } from "./plan";

test("a pasted list becomes names", () => {
  expect(namesIn("1. Karen\n2) Bo  Holm\n\n• Ida\nkaren\n")).toEqual(["Karen", "Bo Holm", "Ida"]);
  expect(namesIn("Karen, Bo; Ida,")).toEqual(["Karen", "Bo", "Ida"]);
  expect(namesIn("Holm, Bo\nJuhl, Ida")).toEqual(["Holm, Bo", "Juhl, Ida"]);
  expect(namesIn("Karen\t12345\nBo\t678")).toEqual(["Karen", "Bo"]);
  expect(namesIn(" \n–\n")).toEqual([]);
  expect(namesIn("x".repeat(40))[0]).toHaveLength(24);
  expect(unknown(["Karen", "Per"], [{ name: "KAREN" }])).toEqual(["Per"]);
});

test("a guest gets an id that is free", () => {
  expect(guestId({})).toBe("g1");
  expect(guestId({ g1: "Eva", g3: "Max" })).toBe("g2");
});

test("a file tells its members as they are called now", () => {
  const lines = [
    { type: "MemberAdded", member: "m1", name: "Karen" },
    { type: "MemberAdded", member: "m2", name: "Bo" },
    { type: "MemberRenamed", member: "m2", name: "Bo Holm" },
    { type: "MemberAdded", member: "m3", name: "–" }, // the name is deleted
    { type: "MemberAdded", member: "m4", name: "Per" },
    { type: "MemberRenamed", member: "m4", name: "–" },
  ].map((line) => JSON.stringify(line));
  expect([...membersIn(lines.join("\n"))]).toEqual([["m1", "Karen"], ["m2", "Bo Holm"]]);
  expect(membersIn('no file "MemberAdded"').size).toBe(0);
});

test("days, seasons and points are written as people do", () => {
  expect(dayOf("2026-11-17", "full", "da")).toBe("tirsdag den 17. november 2026");
  expect(headlineOf("2026-11-17", "fr")).toBe("Mardi 17 novembre 2026");
  expect(dayOf("soon")).toBe("soon");
  expect(today(new Date(2026, 0, 5))).toBe("2026-01-05");
  expect(usualSeason(new Date(2026, 10, 1))).toBe("2026/27");
  expect(usualSeason(new Date(2100, 0, 1))).toBe("2099/00");
  expect([points(12, false, "en"), points(-1234, false, "en"), points(0)]).toEqual(["+12", "−1,234", "0"]);
  expect([points(12.34, true, "da"), points(-3, true, "en"), points(-0.01, true, "en")]).toEqual(["+12,3", "−3.0", "0.0"]);
});

test("the sizes of tables are asked for by preference", () => {
  expect(sizesFor(4, [3, 4, 5])).toEqual([4, 3, 5]);
  expect(sizesFor(5, [3, 4, 5])).toEqual([5, 4, 3]);
  expect([usualSize([3, 4, 5]), usualSize([3]), usualSize([5])]).toEqual([4, 3, 5]);
});

test("a draw says how good it is", () => {
  const rounds = [[["m1"], ["m2"]], [["m1"], ["m2"]]];
  expect(quality({ rounds: [rounds[0]!], repeats: 0, bound: 0 }).key).toBe("club.drawOnce");
  expect(quality({ rounds: [[["m1"]], [["m1"]]], repeats: 0, bound: 0 }).key).toBe("club.drawOnce");
  expect(quality({ rounds, repeats: 0, bound: 0 }).key).toBe("club.drawPerfect");
  expect(quality({ rounds, repeats: 1, bound: 1 })).toEqual({ key: "club.drawBestOne", n: 1 });
  expect(quality({ rounds, repeats: 3, bound: 1 })).toEqual({ key: "club.drawAgainMany", n: 3 });
});

test("two people change places in one round", () => {
  const rounds = [[["m1", "m2"], ["m3", "m4"]], [["m1", "m3"], ["m2", "m4"]]];
  expect(swapped(rounds, 0, "m1", "m4")).toEqual([[["m4", "m2"], ["m3", "m1"]], [["m1", "m3"], ["m2", "m4"]]]);
});

test("who comes, goes, and has no seat", () => {
  let there = { members: ["m1", "m2"], guests: { g1: "Eva" }, late: { m2: 2 }, leaving: {} };
  expect(people(there)).toEqual(["m1", "m2", "g1"]);
  expect(unseated([[["m1", "g1"]], [["m1", "g1"]]], there)).toEqual(["m2"]);
  expect(unseated([[["m1", "g1"]], [["m1", "g1", "m2"]]], there)).toEqual([]);
  expect(toggled(there, "m2")).toEqual({ members: ["m1"], guests: { g1: "Eva" }, late: {}, leaving: {} });
  expect(toggled(there, "m3").members).toEqual(["m1", "m2", "m3"]);
  expect(withoutGuest(there, "g1").guests).toEqual({});
  expect(missing([[["m1", "m9"]], [["m9"]]], there)).toEqual(["m9"]);
});

test("the round that is played is the first with a table that is not closed", () => {
  const rounds = [[["m1"], ["m2"]], [["m1"], ["m2"]]];
  const sheet = { sheet: "x", seats: [], names: [], deals: 1, counted: false, totals: [] };
  const first = [{ ...sheet, round: 1, table: 1, closed: true }, { ...sheet, round: 1, table: 2, closed: true }];
  expect(roundNow({ rounds, sheets: [] })).toBe(1);
  expect(roundNow({ rounds, sheets: first })).toBe(2);
  expect(roundNow({ rounds: [rounds[0]!], sheets: first })).toBe(1);
  expect([begun([]), begun(first)]).toEqual([0, 1]);
});

test("tables without a deal are told before an evening is closed", () => {
  const rounds = [[["m1", "m2", "m3"], ["m4", "m5", "m6"], ["m7", "m8", "m9"]]];
  const sheet = (table: number, deals: number) => ({ round: 1, table, deals }) as EveningShown["sheets"][number];
  expect(bare({ rounds, sheets: [sheet(1, 3), sheet(2, 0)] }).map(({ table }) => table)).toEqual([2, 3]);
});
