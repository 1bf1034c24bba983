/** The moves that were tried from a position: a main line, side lines, and where one stands among them. */

import type { Action } from "../protocol";

export interface Move {
  readonly action: Action;
  readonly label: string;
  readonly name: string; // who does it
  readonly trick: number | null;
}

export interface Node {
  readonly id: number;
  readonly parent: number | null; // the root has none
  readonly move: Move | null;
  readonly comment: string;
  readonly children: readonly number[]; // the first goes on with the line
}

export interface Tree {
  readonly nodes: readonly (Node | null)[]; // by their id; what was removed is null
  readonly at: number;
}

export const ROOT = 0;
export const begun = (): Tree => ({
  nodes: [{ id: ROOT, parent: null, move: null, comment: "", children: [] }],
  at: ROOT,
});

export const nodeOf = (tree: Tree, id: number): Node => tree.nodes[id] ?? tree.nodes[ROOT]!;

const changed = (tree: Tree, id: number, change: Partial<Node>): Tree => ({
  ...tree,
  nodes: tree.nodes.map((node) => (node?.id === id ? { ...node, ...change } : node)),
});

const same = (one: Action, other: Action): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A move is made: one that was tried before is gone to, another begins a side line. */
export function play(tree: Tree, move: Move): Tree {
  const here = nodeOf(tree, tree.at);
  const known = here.children.find((id) => same(nodeOf(tree, id).move!.action, move.action));
  if (known !== undefined) return { ...tree, at: known };
  const id = tree.nodes.length;
  const grown = changed(tree, here.id, { children: [...here.children, id] });
  return { nodes: [...grown.nodes, { id, parent: here.id, move, comment: "", children: [] }], at: id };
}

export const go = (tree: Tree, id: number): Tree => (tree.nodes[id] ? { ...tree, at: id } : tree);
export const back = (tree: Tree): Tree => go(tree, nodeOf(tree, tree.at).parent ?? tree.at);
export const forward = (tree: Tree): Tree => go(tree, nodeOf(tree, tree.at).children[0] ?? tree.at);
export const toStart = (tree: Tree): Tree => go(tree, ROOT);

export function toEnd(tree: Tree): Tree {
  let next = tree;
  while (nodeOf(next, next.at).children.length > 0) next = forward(next);
  return next;
}

/** The nodes from the first move to one. */
export function path(tree: Tree, id = tree.at): Node[] {
  const found: Node[] = [];
  for (let node = nodeOf(tree, id); node.parent !== null; node = nodeOf(tree, node.parent)) found.unshift(node);
  return found;
}

export const moves = (tree: Tree, id = tree.at): Action[] => path(tree, id).map(({ move }) => move!.action);

export const commented = (tree: Tree, id: number, comment: string): Tree => changed(tree, id, { comment });

/** A side line becomes the one that goes on. */
export function promoted(tree: Tree, id: number): Tree {
  const parent = nodeOf(tree, id).parent;
  if (parent === null) return tree;
  return changed(tree, parent, { children: [id, ...nodeOf(tree, parent).children.filter((one) => one !== id)] });
}

/** A move goes with all that follows it; who stood there stands before it. */
export function removed(tree: Tree, id: number): Tree {
  const { parent } = nodeOf(tree, id);
  if (parent === null) return tree;
  const gone = new Set<number>();
  const collect = (one: number): void => {
    gone.add(one);
    nodeOf(tree, one).children.forEach(collect);
  };
  collect(id);
  const left = changed(tree, parent, { children: nodeOf(tree, parent).children.filter((one) => one !== id) });
  return {
    nodes: left.nodes.map((node) => (node && gone.has(node.id) ? null : node)),
    at: gone.has(tree.at) ? parent : tree.at,
  };
}

const KEPT = "ultimo.board";

/** What was tried on a board is kept in the tab, so that a reload does not lose it. */
export function keep(position: string, tree: Tree, storage: Storage = sessionStorage): void {
  storage.setItem(KEPT, JSON.stringify({ position, tree }));
}

/** What was tried on this position before a reload, or nothing. */
export function kept(position: string, storage: Storage = sessionStorage): Tree {
  try {
    const found = JSON.parse(storage.getItem(KEPT) ?? "") as { position: string; tree: Tree };
    return found.position === position && found.tree.nodes[ROOT] ? found.tree : begun();
  } catch {
    return begun();
  }
}

/** A line as it is written down: its moves, and after a move the lines that might have been played instead. */
export interface Line {
  readonly moves: readonly { readonly node: Node; readonly side: readonly Line[] }[];
}

export function lineFrom(tree: Tree, from: number): Line {
  const found: { node: Node; side: readonly Line[] }[] = [];
  for (let id: number | undefined = from; id !== undefined; ) {
    const node: Node = nodeOf(tree, id);
    const siblings: readonly number[] = node.parent === null || id === from ? [] : nodeOf(tree, node.parent).children.slice(1);
    found.push({ node, side: siblings.map((one) => lineFrom(tree, one)) });
    id = node.children[0];
  }
  return { moves: found };
}

/** The main line, with what might have been done at the very start among its first side lines. */
export function mainLine(tree: Tree): Line {
  const [first, ...others] = nodeOf(tree, ROOT).children;
  if (first === undefined) return { moves: [] };
  const line = lineFrom(tree, first);
  const [head, ...rest] = line.moves;
  return { moves: [{ node: head!.node, side: others.map((one) => lineFrom(tree, one)) }, ...rest] };
}
