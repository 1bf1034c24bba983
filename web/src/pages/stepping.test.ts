import { expect, test } from "vitest";
import type { Frame, Scene, TrickShown } from "../protocol";
import { beginning, marks, pause, shownTrick, stepByKey, trickAt, within } from "./stepping";

const trick = (number: number, cards: number): TrickShown => ({
  number,
  plays: Array.from({ length: cards }, (_, seat) => ({ seat, card: "S1", named: null, asWord: "" })),
  winner: null,
});
const frame = (shown: TrickShown | null): Pick<Frame, "scene"> => ({
  scene: { trick: shown, last: null } as unknown as Scene,
});
const frames = [null, null, trick(1, 1), trick(1, 2), trick(1, 3), trick(2, 0), trick(2, 1), null].map(frame);
const found = marks(frames);

test("a trick begins with its first card", () => {
  expect(found).toEqual([
    { trick: 1, step: 2 },
    { trick: 2, step: 6 },
  ]);
});

test("each step belongs to the trick that began last", () => {
  expect([0, 1, 2, 5, 6, 7].map((step) => trickAt(found, step))).toEqual([null, null, 1, 1, 2, 2]);
});

test("keys lead to steps and tricks, never beyond the ends", () => {
  const to = (key: string, step: number) => stepByKey(key, step, frames.length, found);
  expect([to("ArrowLeft", 0), to("ArrowLeft", 3), to("ArrowRight", 3), to("ArrowRight", 7)]).toEqual([0, 2, 4, 7]);
  expect([to("ArrowUp", 7), to("ArrowUp", 6), to("ArrowUp", 2), to("PageDown", 0), to("ArrowDown", 6)]).toEqual([
    6, 2, 0, 2, 7,
  ]);
  expect([to("Home", 5), to("End", 5), to("a", 5)]).toEqual([0, 7, null]);
});

test("a step that does not exist is the next that does", () => {
  expect([within(-1, 4), within(2, 4), within(9, 4)]).toEqual([0, 2, 3]);
});

test("twice as fast stays half as long", () => {
  expect(pause(2)).toBe(pause(1) / 2);
});

test("the last trick is shown until somebody leads to the next", () => {
  const last = trick(1, 3);
  expect(shownTrick({ trick: trick(2, 0), last } as unknown as Scene)).toBe(last);
  expect(shownTrick({ trick: null, last } as unknown as Scene)).toBe(last);
  expect(shownTrick({ trick: trick(2, 1), last } as unknown as Scene)?.number).toBe(2);
});

test("a trick begins before its first card, if something is said there", () => {
  expect(beginning({ trick: 2, step: 9 }, [])).toBe(9);
  expect(beginning({ trick: 2, step: 9 }, [3, 8])).toBe(8);
  expect(beginning({ trick: 2, step: 9 }, [10])).toBe(9);
});
