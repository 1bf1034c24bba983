import { expect, test } from "vitest";
import { routeOf } from "./routes";

test("a path shows a page", () => {
  expect(routeOf("/")).toEqual({ page: "home" });
  expect(routeOf("/new")).toEqual({ page: "new" });
  expect(routeOf("/t/abc")).toEqual({ page: "table", table: "abc" });
  expect(routeOf("/t/abc/")).toEqual({ page: "table", table: "abc" });
  expect(routeOf("/t/abc/rules")).toEqual({ page: "rules", table: "abc" });
  expect(routeOf("/words")).toEqual({ page: "words" });
  expect(routeOf("/learn/dtf")).toEqual({ page: "learn", book: "dtf" });
  expect(routeOf("/school/first/danish")).toEqual({ page: "first", game: "danish" });
  expect(routeOf("/school/first/french/")).toEqual({ page: "first", game: "french" });
  expect(routeOf("/sheets")).toEqual({ page: "sheets" });
  expect(routeOf("/sheets/Ab-_9")).toEqual({ page: "sheet", sheet: "Ab-_9" });
  expect(routeOf("/tournaments")).toEqual({ page: "tournaments" });
  expect(routeOf("/tournaments/Ab-_9")).toEqual({ page: "tournament", tournament: "Ab-_9" });
  expect(routeOf("/analyse")).toEqual({ page: "analyse" });
  expect(routeOf("/school")).toEqual({ page: "school" });
  expect(routeOf("/school/whip-sums")).toEqual({ page: "lesson", lesson: "whip-sums" });
  expect(routeOf("/school/trainers/declarations")).toEqual({ page: "trainer", trainer: "declarations" });
  expect(routeOf("/t/abc/review/3")).toEqual({ page: "review", table: "abc", deal: 3 });
  expect(routeOf("/t/abc/deal/12")).toEqual({ page: "replay", table: "abc", deal: 12 });
});

test("any other path is lost", () => {
  for (const path of [
    "/nowhere",
    "/new/more",
    "/t",
    "/t/abc/deal/0",
    "/t/abc/deal/x",
    "/t/abc/deal/1/2",
    "/t/abc/review",
    "/t/abc/review/0",
    "/analyse/x",
    "/t/a/b",
    "/learn",
    "/school/whip-sums/1",
    "/school/trainers/declarations/1",
    "/sheets/a/b",
    "/learn/dtf/3",
    "/school/first",
    "/school/first/swedish",
    "/school/first/danish/3",
  ])
    expect(routeOf(path)).toEqual({ page: "lost" });
});

test("puzzles have a page for all, and one for each", () => {
  expect(routeOf("/puzzles")).toEqual({ page: "puzzles" });
  expect(routeOf("/puzzles/day")).toEqual({ page: "puzzle", puzzle: "day" });
  expect(routeOf("/puzzles/abc/")).toEqual({ page: "puzzle", puzzle: "abc" });
  expect(routeOf("/puzzles/abc/more")).toEqual({ page: "lost" });
});

test("games to watch have a page for all, and one for each", () => {
  expect(routeOf("/games")).toEqual({ page: "games" });
  expect(routeOf("/games/french4-high/")).toEqual({ page: "game", game: "french4-high" });
  expect(routeOf("/games/dtf/more")).toEqual({ page: "lost" });
});

test("a club has pages for its evenings, seasons, members and invitations", () => {
  expect(routeOf("/clubs")).toEqual({ page: "clubs" });
  expect(routeOf("/clubs/Ab-_9")).toEqual({ page: "club", club: "Ab-_9" });
  expect(routeOf("/clubs/Ab/evenings/e1")).toEqual({ page: "evening", club: "Ab", evening: "e1" });
  expect(routeOf("/clubs/Ab/seasons/all/")).toEqual({ page: "season", club: "Ab", season: "all" });
  expect(routeOf("/clubs/Ab/members/m1")).toEqual({ page: "member", club: "Ab", member: "m1" });
  expect(routeOf("/clubs/join")).toEqual({ page: "join", old: "" });
  expect(routeOf("/clubs/join/s3cret")).toEqual({ page: "join", old: "s3cret" });
  for (const path of ["/clubs/join/a/b", "/clubs/Ab/evenings", "/clubs/Ab/x/e1", "/clubs/Ab/evenings/e1/more"])
    expect(routeOf(path)).toEqual({ page: "lost" });
});
