import { expect, test } from "vitest";
import * as danish from "./danish";
import * as french from "./french";

const ORDER = [1, 3, 0];
const keyed = (draft: danish.Draft, digits: string): danish.Draft => [...digits].reduce(danish.typed, draft);

test("an ordinary Danish deal is a winner and four digits", () => {
  const draft = keyed(danish.wonBy(danish.BLANK, 3), "3022");
  expect(danish.entryOf(draft, ORDER, 0)).toEqual({ game: "danish", winner: 3, counts: { 3: 30, 0: 22 } });
  expect(danish.counts(draft.digits, ORDER, 0).map(({ seat, text }) => [seat, text])).toEqual([
    [3, "30"],
    [0, "22"],
    [1, "26"],
  ]);
});

test("nothing is asked before there is enough", () => {
  expect(danish.entryOf(danish.BLANK, ORDER, 0)).toBeNull();
  expect(danish.entryOf(danish.wonBy(danish.BLANK, 3), ORDER, 0)).toBeNull();
  expect(danish.entryOf(keyed(danish.wonBy(danish.BLANK, 3), "302"), ORDER, 0)).toBeNull();
  expect(danish.entryOf(keyed(danish.BLANK, "3022"), ORDER, 0)).toBeNull();
});

test("a nolo, a tout and a scrapped deal need no count", () => {
  expect(danish.entryOf(danish.nolo(danish.wonBy(danish.BLANK, 3), 1), ORDER, 0)).toEqual({
    game: "danish",
    winner: 3,
    nolo: [1],
  });
  expect(danish.entryOf(danish.tout(danish.wonBy(danish.BLANK, 3)), ORDER, 0)).toEqual({ game: "danish", winner: 3, tout: true });
  expect(danish.entryOf(danish.scrapped(danish.wonBy(danish.BLANK, 3)), ORDER, 0)).toEqual({ game: "danish" });
});

test("of each kind a player declares one, and a second tap takes it away", () => {
  const ten = { kind: "tarok", count: 10, pagat: true } as const;
  const eleven = { kind: "tarok", count: 11, pagat: false } as const;
  const full = { kind: "full", of: "S" } as const;
  let draft = danish.declared(danish.declared(danish.BLANK, 1, ten), 1, full);
  draft = danish.declared(draft, 1, eleven);
  expect(draft.deal.declarations).toEqual({ 1: [full, eleven] });
  draft = danish.declared(danish.declared(draft, 1, eleven), 1, full);
  expect(draft.deal.declarations).toEqual({});
});

test("a king is lost by one, and whoever wins the last trick loses nothing in it", () => {
  let draft = danish.kingLost(danish.kingLost(danish.BLANK, 1, "SK"), 3, "SK");
  expect(draft.deal.kings_lost).toEqual([{ seat: 3, card: "SK" }]);
  draft = danish.bagud(danish.wonBy(draft, 1), 3, "T1");
  expect(draft.deal.fallen).toEqual([{ type: "CardPlayed", seat: 3, card: "T1" }]);
  expect(danish.wonBy(draft, 3).deal.fallen).toEqual([]);
  expect(danish.wonWith(draft, "T1").deal.fallen).toEqual([]);
});

test("an entry that is opened again is the same, also where others were counted", () => {
  const entry = { game: "danish", winner: 3, won_with: "SK", fines: [], counts: { 3: 5, 1: 51 } } as const;
  const draft = danish.draftOf(entry, ORDER, 0);
  expect(draft.digits).toBe("0522");
  expect(danish.entryOf(draft, ORDER, 0)).toEqual({ game: "danish", winner: 3, won_with: "SK", counts: { 3: 5, 0: 22 } });
});

test("a French deal is a taker, a bid, bouts and points, at five with a partner", () => {
  let draft: french.Draft = { ...french.BLANK, taker: 2, bid: "garde", bouts: 2 };
  draft = french.typed(french.typed(draft, "4"), "5");
  expect(french.entryOf(draft, true)).toBeNull();
  expect(french.entryOf(draft, false)).toEqual({ game: "french", taker: 2, bid: "garde", bouts: 2, half_points: 90 });
  const half = { ...draft, half: true, partner: 4 };
  expect(french.entryOf(half, true)).toMatchObject({ half_points: 91, partner: 4 });
  expect(french.entryOf({ ...draft, partner: null }, true)).not.toHaveProperty("partner");
  expect(french.entryOf({ ...french.BLANK, passed: true }, true)).toEqual({ game: "french" });
});

test("a French entry that is opened again is the same", () => {
  const entry = { game: "french", taker: 1, bid: "sans", bouts: 3, half_points: 81, poignees: [["taker", 10]], petit_au_bout: "defence", fault: "taker" } as const;
  expect(french.entryOf(french.draftOf(entry), false)).toEqual(entry);
  expect(french.erased(french.draftOf(entry)).half).toBe(false);
  expect(french.shown(french.draftOf(entry), "taker", 10).poignees).toEqual([]);
});
