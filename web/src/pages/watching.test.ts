import { expect, test } from "vitest";
import type { DecisionShown, Frame } from "../protocol";
import { begin, toldOf } from "./watching";

const decision = (step: number, options: number) => ({ step, options: Array(options).fill({}) }) as unknown as DecisionShown;
const frame = (...hands: string[][]) => ({ scene: { seats: hands.map((hand) => ({ hand })) } }) as unknown as Frame;

test("what is explained stands at the step before it is done", () => {
  const told = toldOf({ decisions: [decision(3, 0), decision(5, 2), decision(0, 3)] });
  expect(told.map(({ step }) => step)).toEqual([4, 0]);
  expect(told[0]!.decision.step).toBe(5);
});

test("a game begins when the cards are dealt", () => {
  expect(begin([frame([]), frame([], ["SK"]), frame(["S2"])])).toBe(1);
  expect(begin([frame([])])).toBe(0);
});
