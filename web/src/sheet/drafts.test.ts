import { expect, test } from "vitest";
import { keepDraft, recallDraft } from "./drafts";

const text = new Map<string, string>();
const kept = {
  getItem: (key: string) => text.get(key) ?? null,
  setItem: (key: string, value: string) => void text.set(key, value),
  removeItem: (key: string) => void text.delete(key),
};

test("a draft is that of one deal of one sheet", () => {
  keepDraft(kept, "a", 3, { digits: "30" });
  expect(recallDraft(kept, "a", 3)).toEqual({ digits: "30" });
  expect(recallDraft(kept, "a", 4)).toBe(null);
  expect(recallDraft(kept, "b", 3)).toBe(null);
  keepDraft(kept, "a", 3, null);
  expect(text.size).toBe(0);
});

test("a damaged draft is none", () => {
  text.set("ultimo.sheet.draft.a", "{");
  expect(recallDraft(kept, "a", 3)).toBe(null);
});
