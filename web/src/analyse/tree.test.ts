import { expect, test } from "vitest";
import {
  back,
  begun,
  commented,
  forward,
  go,
  keep,
  kept,
  mainLine,
  moves,
  nodeOf,
  path,
  play,
  promoted,
  removed,
  toEnd,
  toStart,
  type Line,
  type Move,
  type Tree,
} from "./tree";

const move = (card: string): Move => ({ action: { type: "Play", card, named: null }, label: card, name: "F", trick: 1 });
const played = (tree: Tree, ...cards: string[]): Tree => cards.reduce((at, card) => play(at, move(card)), tree);
const labels = (tree: Tree): string[] => path(tree).map((node) => node.move!.label);
const told = ({ moves: line }: Line): unknown[] =>
  line.flatMap(({ node, side }) => [node.move!.label, ...side.map(told)]);

test("moves make a line, and one goes back and forth on it", () => {
  const tree = played(begun(), "S1", "S2", "S3");
  expect(labels(tree)).toEqual(["S1", "S2", "S3"]);
  expect(labels(back(tree))).toEqual(["S1", "S2"]);
  expect(labels(forward(back(tree)))).toEqual(["S1", "S2", "S3"]);
  expect(back(begun()).at).toBe(0);
  expect(forward(tree)).toEqual(tree);
  expect(toEnd(toStart(tree)).at).toBe(tree.at);
  expect(moves(tree)).toHaveLength(3);
});

test("another move begins a side line, the same one does not", () => {
  const main = played(begun(), "S1", "S2");
  const same = play(back(main), move("S2"));
  expect(same.nodes).toHaveLength(main.nodes.length);
  const side = played(back(main), "H2", "H3");
  expect(labels(side)).toEqual(["S1", "H2", "H3"]);
  expect(told(mainLine(side))).toEqual(["S1", "S2", ["H2", "H3"]]);
});

test("a side line at the start is told after the first move", () => {
  const tree = played(toStart(played(begun(), "S1", "S2")), "H1");
  expect(told(mainLine(tree))).toEqual(["S1", ["H1"], "S2"]);
  expect(mainLine(begun()).moves).toEqual([]);
});

test("a side line may become the main one", () => {
  const tree = played(back(played(begun(), "S1", "S2")), "H2");
  expect(told(mainLine(promoted(tree, tree.at)))).toEqual(["S1", "H2", ["S2"]]);
  expect(promoted(tree, 0)).toBe(tree);
});

test("a move is removed with all that follows", () => {
  const tree = played(begun(), "S1", "S2", "S3");
  const second = path(tree)[1]!.id;
  const left = removed(tree, second);
  expect(labels(left)).toEqual(["S1"]);
  expect(told(mainLine(left))).toEqual(["S1"]);
  expect(go(left, second)).toBe(left);
  expect(removed(tree, 0)).toBe(tree);
});

test("a comment stays with its move", () => {
  const tree = commented(played(begun(), "S1"), 1, "the only way");
  expect(nodeOf(played(tree, "S2"), 1).comment).toBe("the only way");
});

test("what was tried on a position is there again after a reload, and on no other", () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as unknown as Storage;
  const tree = played(begun(), "S1", "S2");
  keep("dtf: F S1 / M S2 / B S3", tree, storage);
  expect(kept("dtf: F S1 / M S2 / B S3", storage)).toEqual(tree);
  expect(kept("dtf: F S4 / M S2 / B S3", storage)).toEqual(begun());
  items.set("ultimo.board", "{broken");
  expect(kept("dtf: F S1 / M S2 / B S3", storage)).toEqual(begun());
});
