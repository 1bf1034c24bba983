import { expect, test } from "vitest";
import { settingsFor } from "./atOnce";

test("a newcomer begins as forehand, the seat behind the dealer's", () => {
  expect(settingsFor("danish", true)).toMatchObject({ size: 3, firstDealer: 2, seats: [{ kind: "host" }, {}, {}] });
  expect(settingsFor("danish", false).firstDealer ?? null).toBe(null);
  expect(settingsFor("french", true).firstDealer ?? null).toBe(null);
});
