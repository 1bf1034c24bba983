import { expect, test } from "vitest";
import type { TournamentShown, TournamentTable } from "../../protocol";
import { begun, changed, complete, digit, fields, missing, plan, sum, turned, wish } from "./report";

const shown = (some: object) => ({ kind: "individual", family: "danish", cups: false, deals: 2, boards: [], ...some }) as unknown as TournamentShown;
const table = (some: object = {}) => ({ number: 3, people: [5, 1, 7], reported: false, points: [], boards: [], figures: [], cups: 0, ...some }) as unknown as TournamentTable;

test("points of a table add up to zero, and the last one follows", () => {
  const own = plan(shown({}), table());
  expect(fields(own)).toBe(3);
  expect(missing(own, ["20", "", "-5"])).toBe(1);
  expect(missing(own, ["20", "", ""])).toBeNull();
  expect(complete(own, ["20", "-15", "-6"])).toBe(false);
  expect(sum(["20", "-15", "-6"])).toBe(-1);
  expect(complete(own, ["20", "-15", "-5"])).toBe(true);
  expect(wish(own, ["20", "-15", "-5"], 2, table(), 0)).toMatchObject({ round: 2, table: 3, points: [20, -15, -5], cups: 0, amend: false });
});

test("what is left in the cups belongs to the sum", () => {
  const own = plan(shown({ cups: true }), table());
  expect(complete(own, ["20", "-15", "-45", "40"])).toBe(true);
  expect(wish(own, ["20", "-15", "-45", "40"], 1, table(), 9)).toMatchObject({ cups: 40, deals: 9 });
  expect(begun(own, table({ reported: true, figures: [1, 2, -7, 4] }))).toEqual(["1", "2", "-7", "4"]);
});

test("on a French board the taker's score is enough, and a board may be missing", () => {
  const french = shown({ kind: "duplicate", family: "french", boards: [{ taker: 0 }, { taker: 1 }] });
  const own = plan(french, table());
  expect(own.form).toBe("scores");
  expect(complete(own, ["", ""])).toBe(false);
  expect(wish(own, ["-52", ""], 1, table(), 0)).toMatchObject({ scores: [-52, null] });
  expect(begun(own, table({ reported: true, figures: [50, null] }))).toEqual(["50", ""]);
});

test("on a Danish board every seat is typed", () => {
  const own = plan(shown({ kind: "duplicate" }), table());
  expect(fields(own)).toBe(6);
  expect(complete(own, ["1", "2", "3", "", "", ""])).toBe(true);
  expect(complete(own, ["1", "2", "", "", "", ""])).toBe(false);
  expect(wish(own, ["1", "2", "3", "", "", ""], 1, table({ reported: true }), 0)).toMatchObject({ boards: [[1, 2, 3], []], amend: true });
});

test("digits are added, signs turned", () => {
  expect(digit("0", "5")).toBe("5");
  expect(digit("-1", "5")).toBe("-15");
  expect(digit("12345", "6")).toBe("12345");
  expect(digit("-56", "5", true)).toBe("5"); // a chosen field is typed from the beginning
  expect(turned("15")).toBe("-15");
  expect(turned("-15")).toBe("15");
});

test("a result that another wrote since the form was opened is noticed", () => {
  const [empty, theirs] = [table({ figures: [] }), table({ reported: true, figures: [56, -56, 0] })];
  expect(changed(empty, empty)).toBe(false);
  expect(changed(empty, theirs)).toBe(true);
  expect(changed(theirs, { ...theirs })).toBe(false);
  expect(changed(theirs, table({ reported: true, figures: [56, -55, -1] }))).toBe(true);
  expect(wish(plan(shown({}), theirs), ["1", "2", "-3"], 1, theirs, 0, true)).toMatchObject({ amend: true, anyway: true });
});
