/** Which page a path shows. */

export type Route =
  | { page: "home" | "new" | "history" | "me" | "account" | "verify" | "words" | "analyse" | "school" | "sheets" | "clubs" | "tournaments" | "games" | "lost" }
  | { page: "table" | "rules"; table: string }
  | { page: "learn"; book: string }
  | { page: "sheet"; sheet: string }
  | { page: "tournament"; tournament: string }
  | { page: "club"; club: string }
  | { page: "join"; old: string }
  | { page: "evening"; club: string; evening: string }
  | { page: "season"; club: string; season: string }
  | { page: "member"; club: string; member: string }
  | { page: "lesson"; lesson: string }
  | { page: "trainer"; trainer: string }
  | { page: "puzzles" }
  | { page: "puzzle"; puzzle: string }
  | { page: "game"; game: string }
  | { page: "first"; game: "danish" | "french" }
  | { page: "replay" | "review"; table: string; deal: number };

const PLAIN = { "": "home", new: "new", history: "history", me: "me", account: "account", verify: "verify", words: "words", analyse: "analyse", school: "school", sheets: "sheets", clubs: "clubs", tournaments: "tournaments", games: "games" } as const;

export function routeOf(path: string): Route {
  const [first = "", table = "", part = "", last = "", ...rest] = path.replace(/^\/|\/$/g, "").split("/");
  if (rest.length === 0 && first === "t" && table) {
    if (!part) return { page: "table", table };
    if (part === "rules" && !last) return { page: "rules", table };
    if ((part === "deal" || part === "review") && /^[1-9]\d*$/.test(last))
      return { page: part === "deal" ? "replay" : "review", table, deal: Number(last) };
  }
  if (first === "school" && table === "first" && (part === "danish" || part === "french") && !last)
    return { page: "first", game: part };
  if (first === "learn" && table && !part) return { page: "learn", book: table };
  if (first === "school" && table === "trainers" && part && !last) return { page: "trainer", trainer: part };
  if (first === "school" && table && table !== "first" && table !== "trainers" && !part)
    return { page: "lesson", lesson: table };
  if (first === "puzzles" && !part) return table ? { page: "puzzle", puzzle: table } : { page: "puzzles" };
  if (first === "games" && table && !part) return { page: "game", game: table };
  if (first === "clubs" && table && rest.length === 0) return clubRoute(table, part, last);
  if (first === "sheets" && table && !part) return { page: "sheet", sheet: table };
  if (first === "tournaments" && table && !part) return { page: "tournament", tournament: table };
  if (!table && first in PLAIN) return { page: PLAIN[first as keyof typeof PLAIN] };
  return { page: "lost" };
}

function clubRoute(club: string, part: string, last: string): Route {
  if (club === "join") return last ? { page: "lost" } : { page: "join", old: part };
  if (!part) return { page: "club", club };
  if (part === "evenings" && last) return { page: "evening", club, evening: last };
  if (part === "seasons" && last) return { page: "season", club, season: last };
  if (part === "members" && last) return { page: "member", club, member: last };
  return { page: "lost" };
}
