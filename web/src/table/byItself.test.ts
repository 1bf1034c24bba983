import { describe, expect, it } from "vitest";
import type { Scene } from "../protocol";
import { amongBots, onlyCard, waitFor } from "./byItself";

function scene(only: string | null, hand: readonly string[], kinds = ["person", "bot", "bot"]): Scene {
  const seats = kinds.map((kind, seat) => ({ kind, seat, turn: seat === 0 }));
  return { you: 0, hand, seats, turn: { only } } as unknown as Scene;
}

describe("a card that plays itself", () => {
  it("is the only one, and may be the last", () => {
    expect(onlyCard(scene("SK", ["SK", "H1"]))).toEqual({ card: "SK", last: false });
    expect(onlyCard(scene("SK", ["SK"]))).toEqual({ card: "SK", last: true });
    expect(onlyCard(scene(null, ["SK", "H1"]))).toBeNull();
  });

  it("belongs to a turn of one's own", () => {
    expect(onlyCard({ ...scene("SK", ["SK"]), you: null })).toBeNull();
    expect(onlyCard({ ...scene("SK", ["SK"]), you: 1 })).toBeNull();
    expect(onlyCard({ ...scene(null, []), turn: null })).toBeNull();
  });

  it("comes among people after as long as a turn takes", () => {
    const forced = { card: "SK", last: false };
    expect(amongBots(scene(null, []))).toBe(true);
    expect(amongBots(scene(null, [], ["person", "person", "bot"]))).toBe(false);
    expect(waitFor(forced, true, [], 1, 0)).toBe(400);
    expect(waitFor(forced, false, [], 1, 0)).toBe(2500);
    expect(waitFor(forced, false, [1500, 3200], 0, 0.9)).toBe(3200);
    expect(waitFor(forced, false, [20, 90_000], 1, 0)).toBe(1000);
    expect(waitFor(forced, false, [20, 90_000], 1, 0.9)).toBe(6000);
    expect(waitFor({ card: "SK", last: true }, false, [3200], 1, 0)).toBe(400);
  });
});
