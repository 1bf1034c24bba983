import { expect, test } from "vitest";
import type { Explanation } from "../protocol";
import { pieces } from "./glossary";

const word = (id: string, family: "danish" | "french" | "", ...words: string[]): Explanation => ({
  id,
  family,
  word: words[0]!,
  words,
  says: id,
  books: [],
});

const terms = [
  word("ultimo", "danish", "ultimo"),
  word("bagud", "danish", "ultimo verloren"),
  word("petit", "french", "petit"),
  word("end", "french", "petit au bout"),
  word("trump", "", "Trümpfe", "trump"),
];

const marked = (text: string, family: "danish" | "french" = "danish") =>
  pieces(text, terms, family).flatMap(({ text: said, term }) => (term ? [`${said}=${term.id}`] : []));

test("a term is marked where it stands first, and the text stays as it is", () => {
  const text = "An ultimo, a trump: Ultimo.";
  expect(marked(text)).toEqual(["ultimo=ultimo", "trump=trump"]);
  expect(
    pieces(text, terms, "danish")
      .map((piece) => piece.text + (piece.tail ?? ""))
      .join(""),
  ).toBe(text);
});

test("the longest word goes before, and only whole words of this game count", () => {
  expect(marked("König ultimo verloren")).toEqual(["ultimo verloren=bagud"]);
  expect(marked("petit au bout, petit", "french")).toEqual(["petit au bout=end", "petit=petit"]);
  expect(marked("petit au bout")).toEqual([]);
  expect(marked("ultimokort, Obertrümpfe, Trümpfe")).toEqual(["Trümpfe=trump"]);
  expect(pieces("ultimo", [], "danish")).toEqual([{ text: "ultimo" }]);
});

test("what follows a word without a space goes with it", () => {
  const term = { id: "skat", word: "skat", words: ["skat"], says: "", family: "danish", books: [] } as const;
  expect(pieces("Lay the skat, then the skat.", [term], "danish")).toEqual([
    { text: "Lay the " },
    { text: "skat", term, tail: "," },
    { text: " then the skat." },
  ]);
  expect(pieces("The skat.", [term], "danish").at(-1)).toEqual({ text: "skat", term, tail: "." });
});
