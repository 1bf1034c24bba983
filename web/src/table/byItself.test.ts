import { describe, expect, it } from "vitest";
import type { AnyOffer, Scene } from "../protocol";
import { amongBots, onlyCard, waitFor } from "./byItself";

function scene(offers: readonly unknown[], hand: readonly string[], kinds = ["person", "bot", "bot"]): Scene {
  const seats = kinds.map((kind, seat) => ({ kind, seat, turn: seat === 0 }));
  return { you: 0, hand, seats, turn: { offers: offers as readonly AnyOffer[] } } as unknown as Scene;
}

const play = (cards: readonly string[], naming = false) => ({ kind: "play", cards, naming, suits: [] });

describe("a card that plays itself", () => {
  it("is the only thing that may be done", () => {
    expect(onlyCard(scene([play(["SK"])], ["SK", "H1"]))).toEqual({ card: "SK", last: false });
    expect(onlyCard(scene([play(["SK"])], ["SK"]))).toEqual({ card: "SK", last: true });
    expect(onlyCard(scene([play(["SK", "H1"])], ["SK", "H1"]))).toBeNull();
    expect(onlyCard(scene([play(["SK"]), { kind: "button" }], ["SK"]))).toBeNull();
    expect(onlyCard(scene([{ kind: "button" }], ["SK"]))).toBeNull();
  });

  it("is not a skus that has to be named", () => {
    expect(onlyCard(scene([play(["T0"], true)], ["T0"]))).toBeNull();
    expect(onlyCard(scene([play(["T0"])], ["T0"]))).toEqual({ card: "T0", last: true });
  });

  it("belongs to a turn of one's own", () => {
    expect(onlyCard({ ...scene([play(["SK"])], ["SK"]), you: null })).toBeNull();
    expect(onlyCard({ ...scene([play(["SK"])], ["SK"]), you: 1 })).toBeNull();
    expect(onlyCard({ ...scene([], []), turn: null })).toBeNull();
  });

  it("comes among people after as long as a turn takes", () => {
    const forced = { card: "SK", last: false };
    expect(amongBots(scene([], []))).toBe(true);
    expect(amongBots(scene([], [], ["person", "person", "bot"]))).toBe(false);
    expect(waitFor(forced, true, [], 1, 0)).toBe(400);
    expect(waitFor(forced, false, [], 1, 0)).toBe(2500);
    expect(waitFor(forced, false, [1500, 3200], 0, 0.9)).toBe(3200);
    expect(waitFor(forced, false, [20, 90_000], 1, 0)).toBe(1000);
    expect(waitFor(forced, false, [20, 90_000], 1, 0.9)).toBe(6000);
    expect(waitFor({ card: "SK", last: true }, false, [3200], 1, 0)).toBe(400);
  });
});
