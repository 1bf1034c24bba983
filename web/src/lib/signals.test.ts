import { describe, expect, it, vi } from "vitest";
import { mayNotify, signal, signalsFor } from "./signals";

const all = { sound: true, vibrate: true, notify: true };
const none = { sound: false, vibrate: false, notify: false };

describe("signals of a turn", () => {
  it("is silent unless something is switched on", () => {
    expect(signalsFor(none, true, 60_000)).toEqual(none);
  });

  it("does not sound for each card of a quick trick", () => {
    expect(signalsFor(all, false, 500)).toEqual(none);
    expect(signalsFor(all, false, 5_000)).toEqual({ ...all, notify: false });
  });

  it("calls a visitor who looks at another page", () => {
    expect(signalsFor(all, true, 0)).toEqual(all);
  });

  it("asks for nothing where the browser can do nothing", async () => {
    vi.stubGlobal("Notification", undefined);
    vi.stubGlobal("AudioContext", undefined);
    vi.stubGlobal("navigator", {});
    expect(() => signal(all, "Your turn", "Danish Tarok")).not.toThrow();
    expect(await mayNotify()).toBe(false);
    vi.unstubAllGlobals();
  });
});
