import { expect, test } from "vitest";
import { localeOf, preferred } from "./words";

test("a page without a server speaks the first language that it knows", () => {
  expect(preferred(["", "nb-NO", "da-DK", "fr"])).toBe("da");
  expect(preferred(["de", "fr-CA"])).toBe("de");
  expect(preferred(["pl"])).toBe("en");
});

test("dates are those of the visitor's country", () => {
  expect(localeOf("en", ["da-DK", "en-AU"])).toBe("en-AU");
  expect(localeOf("en", ["en"])).toBe("en-GB");
  expect(localeOf("fr", ["en-US", "fr"])).toBe("fr");
});
