import { expect, test } from "vitest";
import { clause, empty, give, holder, lettersOf, PACK, partAt, read, taking, withClause, withLeader, withTaking, write } from "./position";

const LINE = "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; F leads; cups 60 60";
const danish = lettersOf("danish", 3);

test("the pack has 78 cards", () => {
  expect(new Set(PACK).size).toBe(78);
});

test("a line is read and written", () => {
  const setup = read(LINE, danish);
  expect(setup.rules).toBe("hermansen");
  expect(setup.hands[1]).toEqual(["T21", "T0", "HK"]);
  expect([setup.leader, clause(setup, "cups")]).toEqual([0, "60 60"]);
  expect(read(write(setup, "danish"), danish)).toEqual({ ...setup, hands: [["T1", "S2", "S1"], ["T21", "T0", "HK"], ["H9", "H8", "H7"]] });
});

test("hands may stand without letters, cards be said in words and signs", () => {
  const setup = read("french4: ♠k / petit T4 / excuse / c1; trick B T0=S, C D2; A takes garde", lettersOf("french", 4));
  expect(setup.hands).toEqual([["SK"], ["T1", "T4"], ["T0"], ["C1"]]);
  expect(setup.trick).toEqual([
    { seat: 1, card: "T0", named: "S" },
    { seat: 2, card: "D2", named: "" },
  ]);
  expect(setup.leader).toBe(1);
  expect(setup.clauses).toEqual(["A takes garde"]);
  expect(write(setup, "french")).toContain("trick B T0=S, C D2; A takes garde");
});

test("what is not understood stays as it is written", () => {
  expect(write(read("dtf: F S1; announced F nolo 13", danish), "danish")).toBe(
    "dtf: F S1 / M / B; F leads; announced F nolo 13",
  );
});

test("a card lies in one place, and goes back when it is given again", () => {
  let setup = give(empty("dtf", 3), "SK", 1);
  expect(holder(setup, "SK")).toBe(1);
  setup = give(setup, "SK", "aside");
  expect([holder(setup, "SK"), setup.hands[1]]).toEqual(["aside", []]);
  expect(holder(give(setup, "SK", "aside"), "SK")).toBe(null);
});

test("the cards of a trick are played in order from the leader", () => {
  const setup = give(give(withLeader(empty("dtf", 3), 2), "SK", "trick"), "S4", "trick");
  expect(setup.trick.map(({ seat }) => seat)).toEqual([2, 0]);
  expect(withLeader(setup, 1).trick.map(({ seat }) => seat)).toEqual([1, 2]);
});

test("a field replaces its clause or takes it away", () => {
  const setup = withClause(read(LINE, danish), "cups", "80 40");
  expect(setup.clauses).toEqual(["cups 80 40"]);
  expect(withClause(setup, "cups", " ").clauses).toEqual([]);
});

test("who has taken is read and changed", () => {
  const five = read("french5: SK / T3 / HQ / T5 / D1; a takes garde with c; tricks 9", lettersOf("french", 5));
  expect(taking(five)).toEqual({ taker: "A", bid: "garde", partner: "C" });
  expect(withTaking(five, { taker: "B", bid: "sans", partner: "" }).clauses).toEqual(["B takes sans", "tricks 9"]);
  expect(taking(empty("french4", 4))).toBe(null);
});

test("an error is told where it belongs", () => {
  expect(partAt(LINE, 1)).toBe("rules");
  expect(partAt(LINE, LINE.indexOf("T21") + 1)).toBe("hands");
  expect(partAt(LINE, LINE.indexOf("leads") + 1)).toBe("leader");
  expect(partAt(LINE, LINE.indexOf("60") + 1)).toBe("cups");
  expect(partAt("dtf: F S1; demanded", 12)).toBe("more");
});
