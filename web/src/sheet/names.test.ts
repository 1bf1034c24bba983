import { expect, test } from "vitest";
import { last, remember, remembered } from "./names";

function storage(): Pick<Storage, "getItem" | "setItem"> {
  const text = new Map<string, string>();
  return { getItem: (key) => text.get(key) ?? null, setItem: (key, value) => void text.set(key, value) };
}

test("names are remembered, the latest first, and each once", () => {
  const kept = storage();
  remember({ rules: "dtf", names: ["Karen", "Bo", "Ida"], dealer: 0, house: {} }, kept);
  const table = { rules: "dtf", names: ["Per", "Bo", "Asta"], dealer: 1, house: { "skus.demandable": false } };
  remember(table, kept);
  expect(remembered(kept)).toEqual(["Per", "Bo", "Asta", "Karen", "Ida"]);
  expect(last(kept)).toEqual(table);
});

test("what nobody can read is no table", () => {
  const kept = storage();
  kept.setItem("ultimo.sheet.last", "{");
  kept.setItem("ultimo.sheet.names", '{"a": 1}');
  expect([last(kept), remembered(kept)]).toEqual([null, []]);
});
