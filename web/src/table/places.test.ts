import { expect, test } from "vitest";
import { placeOf, shapeOf } from "./places";

test("who plays next sits at the right", () => {
  expect(placeOf(1, 0, 3)).toBe("topright");
  expect(placeOf(0, 4, 5)).toBe("right");
  expect(placeOf(2, 2, 4)).toBe("bottom");
});

test("the shape of a table follows from the room it has", () => {
  expect(shapeOf(390, 800)).toBe("upright");
  expect(shapeOf(320, 210)).toBe("upright");
  expect(shapeOf(640, 356)).toBe("low");
  expect(shapeOf(844, 346)).toBe("low");
  expect(shapeOf(944, 756)).toBe("wide");
});
