import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Awake, BEAT, GAP } from "./awake";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a page that runs is awake, and one that has slept is not until some time after", () => {
  const page = new Awake();
  vi.advanceTimersByTime(10 * BEAT);
  expect(page.steadily).toBe(true);
  vi.setSystemTime(Date.now() + 60_000); // no timer has run meanwhile
  expect(page.steadily).toBe(false);
  vi.advanceTimersByTime(BEAT);
  expect(page.steadily).toBe(false);
  vi.advanceTimersByTime(GAP + BEAT);
  expect(page.steadily).toBe(true);
  page.stop();
});
