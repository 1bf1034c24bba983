import { expect, test } from "vitest";
import type { Declaration, DeclareOffer, PickOffer } from "../protocol";
import { declareAction, dueChoice, words } from "./declare";
import { complete, pickAction, toggled } from "./pick";
import { placeOf } from "./places";

const SKAT: PickOffer = {
  kind: "pick",
  does: "Lay",
  label: "Lay the skat",
  size: 3,
  must: ["S1"],
  among: ["S2", "S3", "H4"],
  tout: false,
  suggestion: ["S1", "S2", "S3"],
};

test("cards are picked and put back, but never too many, and never a barred one", () => {
  let picked: readonly string[] = SKAT.must;
  picked = toggled(SKAT, picked, "S2");
  picked = toggled(SKAT, picked, "S3");
  expect(picked).toEqual(["S1", "S2", "S3"]);
  expect(complete(SKAT, picked)).toBe(true);
  expect(toggled(SKAT, picked, "H4")).toBe(picked);
  expect(toggled(SKAT, picked, "S2")).toEqual(["S1", "S3"]);
  expect(toggled(SKAT, picked, "S1")).toBe(picked);
  expect(toggled(SKAT, ["S1"], "SK")).toEqual(["S1"]);
});

test("what is picked becomes the action that was offered", () => {
  expect(pickAction(SKAT, ["S1"])).toEqual({ type: "Lay", cards: ["S1"], tout: false });
  expect(pickAction({ ...SKAT, tout: true }, ["S1"])).toEqual({ type: "Lay", cards: ["S1"], tout: true });
  expect(pickAction({ ...SKAT, does: "ShowPoignee" }, ["T2"])).toEqual({
    type: "ShowPoignee",
    cards: ["T2"],
  });
});

const ELEVEN: Declaration = { kind: "tarok", count: 11, pagat: true };
const TEN: Declaration = { kind: "tarok", count: 10, pagat: true };
const KINGS: Declaration = { kind: "full", of: "K" };
const OFFER: DeclareOffer = {
  kind: "declare",
  slots: [
    {
      name: "Tarokker",
      options: [
        { declaration: TEN, label: "Ten" },
        { declaration: ELEVEN, label: "Eleven" },
      ],
    },
    { name: "Kings", options: [{ declaration: KINGS, label: "Full kings" }] },
  ],
  due: [{ ...ELEVEN, of: null, missing: null }],
  nothing: "I pass",
};

test("what the hand holds is chosen at first", () => {
  expect(dueChoice(OFFER)).toEqual([1, -1]);
  expect(words(OFFER, dueChoice(OFFER))).toEqual(["Eleven"]);
});

test("declarations are made in the order of the slots; none is a pass", () => {
  expect(declareAction(OFFER, [0, 0])).toEqual({ type: "Declare", declarations: [TEN, KINGS] });
  expect(declareAction(OFFER, [-1, -1])).toEqual({ type: "Declare", declarations: [] });
});

test("the next to play sits at the right", () => {
  expect(placeOf(2, 2, 4)).toBe("bottom");
  expect(placeOf(3, 2, 4)).toBe("right");
  expect(placeOf(0, 2, 4)).toBe("top");
  expect(placeOf(1, 2, 4)).toBe("left");
  expect([1, 2].map((seat) => placeOf(seat, 0, 3))).toEqual(["topright", "topleft"]);
});
