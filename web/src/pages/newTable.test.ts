import { expect, test } from "vitest";
import {
  byOneself,
  fresh,
  recalled,
  sectionOf,
  settingsOf,
  sitterOf,
  withBook,
  withRule,
  withSitter,
  withSize,
  withoutRules,
  type Form,
} from "./newTable";

const dtf = { id: "dtf", sizes: [3, 4, 5] };
const french = { id: "french4", sizes: [4] };
const sitters = (form: Form): string[] => form.seats.map(sitterOf);

test("a form opens with you and bots of the club", () => {
  const form = fresh(dtf);
  expect(form.size).toBe(3);
  expect(sitters(form)).toEqual(["host", "club", "club"]);
});

test("another book keeps what fits and leaves its house rules", () => {
  const form = withRule(withSitter(withSize(fresh(dtf), 5), 1, "open"), "skus.demandable", false, true);
  const other = withBook(form, french);
  expect([other.rules, other.size, other.house]).toEqual(["french4", 4, {}]);
  expect(sitters(other)).toEqual(["host", "open", "club", "club"]);
  expect(withBook(form, dtf)).toBe(form);
});

test("a smaller table never loses its host", () => {
  const form = withSitter(withSize(fresh(dtf), 5), 4, "host");
  expect(sitters(form)).toEqual(["club", "club", "club", "club", "host"]);
  expect(sitters(withSize(form, 3))).toEqual(["host", "club", "club"]);
});

test("there is one host, and he may sit nowhere to watch bots", () => {
  expect(sitters(withSitter(fresh(dtf), 2, "host"))).toEqual(["club", "club", "host"]);
  const watching = withSitter(fresh(dtf), 0, "expert");
  expect(sitters(watching)).toEqual(["expert", "club", "club"]);
  expect(sitters(withSize(watching, 4))).toEqual(["expert", "club", "club", "club"]);
});

test("a house rule at the book's own value is none", () => {
  const changed = withRule(withRule(fresh(dtf), "skus.demandable", false, true), "cups.ante", 10, 5);
  expect(changed.house).toEqual({ "skus.demandable": false, "cups.ante": 10 });
  expect(withRule(changed, "cups.ante", 5, 5).house).toEqual({ "skus.demandable": false });
  expect(withoutRules(changed).house).toEqual({});
});

test("what was chosen is found again, if it can still be played", () => {
  const form = withSitter(withSize(fresh(dtf), 4), 2, "open");
  expect(recalled(JSON.stringify(form), [dtf, french])).toEqual(form);
  expect(recalled(JSON.stringify(form), [french])).toBeNull();
  expect(recalled(JSON.stringify({ ...form, size: 3 }), [dtf])).toBeNull();
  for (const text of [null, "", "null", "{}", '{"rules":"dtf","size":3}', "nonsense"])
    expect(recalled(text, [dtf])).toBeNull();
});

test("the settings say all that was chosen", () => {
  expect(settingsOf(fresh(french))).toEqual({
    rules: "french4",
    size: 4,
    seats: [
      { kind: "host", level: "club" },
      { kind: "bot", level: "club" },
      { kind: "bot", level: "club" },
      { kind: "bot", level: "club" },
    ],
    house: {},
    deals: null,
    tempo: "normal",
    clock: null,
    public: false,
    help: "alone",
  });
});

test("an error is shown at the part it is about", () => {
  expect(sectionOf("settings.seats[1].level")).toBe("seats");
  expect(sectionOf("settings.deals")).toBe("deals");
  expect(sectionOf("house.skus.rename")).toBe("house");
  expect(sectionOf("skus.rename")).toBe("house");
  expect(sectionOf("settings")).toBeNull();
  expect(sectionOf("")).toBeNull();
});

test("a table on the device is for oneself and bots that think quickly", () => {
  const wish = withSitter(withSitter({ ...fresh({ id: "dtf", sizes: [4] }), public: true }, 1, "open"), 2, "expert");
  const form = byOneself(withSitter(wish, 3, "beginner"));
  expect(form.seats.map(sitterOf)).toEqual(["host", "club", "club", "beginner"]);
  expect(form.public).toBe(false);
});
