import { expect, test } from "vitest";
import { fill, localeOf, preferred } from "./words";

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

test("a word follows its number as the language counts", () => {
  const text = "{n} {n|donne|donnes}";
  const [french, english] = [new Intl.PluralRules("fr"), new Intl.PluralRules("en")];
  expect([0, 1, 2].map((n) => fill(text, { n }, french))).toEqual(["0 donne", "1 donne", "2 donnes"]);
  expect([0, 1, 2].map((n) => fill(text, { n }, english))).toEqual(["0 donnes", "1 donne", "2 donnes"]);
  expect(fill("{name} and {other}", { name: "Bo" })).toBe("Bo and {other}");
});
