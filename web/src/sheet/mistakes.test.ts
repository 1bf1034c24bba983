import { expect, test } from "vitest";
import type { MistakeChoice } from "../protocol";
import * as danish from "./danish";
import * as m from "./mistakes";

const ORDER = [1, 3, 0]; // 0 deals
const choice = (offence: MistakeChoice["offence"], some: Partial<MistakeChoice> = {}): MistakeChoice => ({
  offence,
  label: "",
  price: "",
  rule: "",
  by: "anybody",
  asks: [],
  ends: false,
  ante: false,
  passes: false,
  ...some,
});
const REVOKE = choice("revoke", { asks: ["captured", "helped"] });
const WRONG = choice("wrongDecl", { by: "declarer", asks: ["true", "nine"] });
const STOP = choice("wrongCards", { ends: true });
const ALL = [REVOKE, WRONG, STOP];
const TEN = { kind: "tarok", count: 10, pagat: false } as const;
const fine = (seat: number, offence: MistakeChoice["offence"]) => ({ seat, offence, overpaid: 0, false_ten: false });

test("a mistake is made by whom it can be made", () => {
  const dealers = choice("wrongSkat", { by: "dealer" });
  expect(ORDER.map((seat) => m.possible(danish.BLANK, ORDER, seat, dealers))).toEqual(["no", "no", "yes"]);
  expect(m.possible(danish.BLANK, ORDER, 1, WRONG)).toBe("declareFirst");
  expect(m.possible(danish.declared(danish.BLANK, 1, TEN), ORDER, 1, WRONG)).toBe("yes");
});

test("a mistake that ends the deal cancels it, until it is taken away", () => {
  const draft = m.erred(danish.wonBy(danish.BLANK, 1), 3, STOP);
  expect(danish.entryOf(draft, ORDER, 0)).toEqual({ game: "danish", fines: [fine(3, "wrongCards")] });
  expect(m.over(draft.deal, ALL)).toBe(true);
  expect(m.unfined(draft, 0, ALL).scrapped).toBe(false);
});

test("a dealer who antes again is written down, and antes once otherwise", () => {
  const misdeal = choice("misdeal", { by: "dealer", ante: true });
  const twice = m.erred(m.erred(danish.scrapped(danish.BLANK), 0, misdeal), 0, misdeal);
  expect(danish.entryOf(twice, ORDER, 0)).toEqual({ game: "danish", antes: 3 });
  expect(danish.entryOf(m.anteLess(m.anteLess(twice)), ORDER, 0)).toEqual({ game: "danish" });
});

test("of a wrong declaration it is written what would have been true", () => {
  let draft = m.erred(danish.declared(danish.BLANK, 1, TEN), 1, WRONG);
  expect(draft.deal.true_declarations).toEqual({ 1: [] });
  expect(m.mayBeNine(draft, 1, TEN)).toBe(true);
  expect(m.nine(draft, 0).deal.fines).toEqual([{ ...fine(1, "wrongDecl"), false_ten: true }]);
  const other = { kind: "tarok", count: 10, pagat: true } as const;
  draft = m.truth(draft, 1, TEN, other);
  expect(m.trueOf(draft, 1, TEN)).toEqual(other);
  expect(m.mayBeNine(draft, 1, TEN)).toBe(false);
  const passed = m.letPass(draft, 0, ALL);
  expect(danish.entryOf(danish.scrapped(passed), ORDER, 0)).toEqual({ game: "danish", declarations: { 1: [TEN] }, let_pass: [1] });
  expect(m.notLetPass(passed, 1).deal.let_pass).toEqual([]);
});

test("what was captured goes with the loss or the mistake it hangs on", () => {
  const lost = danish.pagatFell(danish.kingLost(danish.BLANK, 0, "SK"), 3, false);
  expect(m.capturable(lost, 1)).toEqual(["SK", "T1"]);
  expect(m.capturable(lost, 3)).toEqual(["SK"]);
  const draft = m.capture(m.erred(lost, 1, REVOKE), 1, "SK");
  expect(draft.deal.captured).toEqual([{ by: 1, card: "SK" }]);
  expect(danish.kingLost(draft, 0, "SK").deal.captured).toEqual([]);
  expect(m.unfined(draft, 0, ALL).deal.captured).toEqual([]);
});

test("only an ultimo of another is charged, and no longer once it was none", () => {
  const draft = m.erred(danish.wonWith(danish.wonBy(danish.BLANK, 3), "T1"), 1, REVOKE);
  expect([m.mayHaveHelped(draft, 1), m.mayHaveHelped(draft, 3)]).toEqual([true, false]);
  const charged = m.helped(draft, 1);
  expect(charged.deal.charged).toBe(1);
  expect(danish.wonWith(charged, "T1").deal.charged).toBeNull();
  expect(m.unfined(charged, 0, ALL).deal.charged).toBeNull();
});
