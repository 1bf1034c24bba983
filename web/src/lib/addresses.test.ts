import { expect, test } from "vitest";
import { readAt, whole, written } from "./addresses";

const at = (address: string) => new URL(address, "http://cards.test") as unknown as Location;

test("with a server the path says where one is", () => {
  expect(readAt(at("/analyse?p=x#y"), false)).toEqual({ path: "/analyse", query: "?p=x" });
  expect(written("/t/abc", false)).toBe("/t/abc");
  expect(whole("/t/abc", at("/new"), false)).toBe("http://cards.test/t/abc");
});

test("alone it stands behind the #, in whatever folder the page is", () => {
  expect(readAt(at("/"), true)).toEqual({ path: "/", query: "" });
  expect(readAt(at("/cards/index.html#/puzzles/x7?theme=skus"), true)).toEqual({ path: "/puzzles/x7", query: "?theme=skus" });
  expect(written("/t/~abc", true)).toBe("#/t/~abc");
  const link = whole("/analyse?p=a+b", at("/cards/#/"), true);
  expect(link).toBe("http://cards.test/cards/#/analyse?p=a+b");
  expect(readAt(new URL(link) as unknown as Location, true)).toEqual({ path: "/analyse", query: "?p=a+b" });
});

test("a place within the page is no address", () => {
  expect(readAt(at("/#main"), true)).toBeNull();
});
