/** The words of the game: fetched once, when somebody first looks at a text in which they may stand. */

import type { Explanation, Glossary } from "../protocol";
import { get } from "./api";
import { language, type Family } from "./words";

export type Piece = { text: string; term?: Explanation; tail?: string }; // what stays on the line of a term

let asked: Promise<readonly Explanation[]> | undefined;

export function glossary(): Promise<readonly Explanation[]> {
  asked ??= get<Glossary>(`/api/words?lang=${language}`).then(
    ({ words }) => words,
    () => {
      asked = undefined; // without them a text is a text
      return [];
    },
  );
  return asked;
}

type Search = { known: ReadonlyMap<string, Explanation>; pattern: RegExp };
const searches = new WeakMap<readonly Explanation[], Partial<Record<Family, Search>>>();

/** A text in pieces: each term is marked where it stands first, the longest word that fits going before. */
export function pieces(text: string, terms: readonly Explanation[], family: Family): Piece[] {
  if (terms.length === 0) return [{ text }];
  const { known, pattern } = searchFor(terms, family);
  const found: Piece[] = [];
  const seen = new Set<Explanation>();
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const term = known.get(match[0].toLowerCase())!;
    if (seen.has(term)) continue;
    seen.add(term);
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ text: match[0], term });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return withTails(found);
}

/** Lets what follows a term without a space go with it, so that no line begins with a full stop. */
function withTails(found: readonly Piece[]): Piece[] {
  const tails = found.map((piece, at) =>
    piece.term && found[at + 1] && !found[at + 1]!.term ? (/^\S*/.exec(found[at + 1]!.text)?.[0] ?? "") : "",
  );
  return found
    .map((piece, at) => {
      const own = at > 0 && !piece.term ? { ...piece, text: piece.text.slice(tails[at - 1]!.length) } : piece;
      return tails[at] ? { ...own, tail: tails[at] } : own;
    })
    .filter(({ text }) => text !== "");
}

/** How the words of a game are looked for: made once, as every text asks. */
function searchFor(terms: readonly Explanation[], family: Family): Search {
  const made = searches.get(terms) ?? {};
  searches.set(terms, made);
  return (made[family] ??= search(terms.filter((term) => !term.family || term.family === family)));
}

function search(terms: readonly Explanation[]): Search {
  const known = new Map(terms.flatMap((term) => term.words.map((word) => [word.toLowerCase(), term] as const)));
  const words = [...known.keys()].sort((a, b) => b.length - a.length).map(literal);
  return { known, pattern: new RegExp(`(?<![\\p{L}\\d-])(?:${words.join("|")})(?![\\p{L}\\d])`, "giu") };
}

const literal = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
