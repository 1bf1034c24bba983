import { expect, test } from "vitest";
import { preferred } from "./words";

test("a page without a server speaks the first language that it knows", () => {
  expect(preferred(["", "nb-NO", "da-DK", "fr"])).toBe("da");
  expect(preferred(["de", "fr-CA"])).toBe("de");
  expect(preferred(["pl"])).toBe("en");
});
