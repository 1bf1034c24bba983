/** What the tutor says: hints, take-backs, the review of a deal, the analysis board. */

import type { Action, Scene, TableShown } from "../protocol";

/** Whom a table helps with hints and take-backs: nobody, one person among bots, everyone. */
export type Help = "never" | "alone" | "everyone";
export const HELPS: readonly Help[] = ["alone", "everyone", "never"];

/** A decision that may be taken back. */
export type BackShown = { to: number; text: string };

/** What the table says about help. */
export type TableHelp = { help: Help; hints: boolean; backs: readonly BackShown[]; takenBack: boolean };

export type TutorWish = { type: "Undo"; to: number } | { type: "SetHelp"; help: Help };

/** The help of a table; one that does not speak of it gives none. */
export function helpOf(table: TableShown): TableHelp {
  const { help, hints, backs, takenBack } = table as TableShown & Partial<TableHelp>;
  return { help: help ?? "never", hints: hints ?? false, backs: backs ?? [], takenBack: takenBack ?? false };
}

/* --- the hint ------------------------------------------------------------------------------------------ */

export type HintShown = {
  action: Action;
  cards: readonly string[]; // to mark in the hand; none where something is said
  label: string;
  why: readonly string[];
  dangers: readonly string[];
  candidates: readonly CandidateShown[]; // best first
  hidden: readonly HiddenShown[];
  seats: readonly string[]; // the heads of the table of hidden cards; the last is what lies aside
  against: AgainstShown | null;
};

export type CandidateShown = {
  label: string;
  cards: readonly string[];
  action: Action;
  points: number | null;
  error: number | null;
  samples: number;
};

/** Where a card may lie: chances from 0 to 1, one for each head. */
export type HiddenShown = { card: string; name: string; chances: readonly number[] };

/** The answer to "why not this one?". */
export type AgainstShown = {
  label: string;
  cards: readonly string[];
  loses: number | null;
  error: number | null;
  sentences: readonly string[];
};

/* --- the review ---------------------------------------------------------------------------------------- */

export type Grade = "forced" | "best" | "fine" | "slip" | "mistake" | "blunder";

export type ReviewShown = {
  deal: number;
  title: string;
  family: "danish" | "french";
  seats: readonly ReviewedSeat[];
  decisions: readonly DecisionShown[];
  graph: readonly (readonly number[])[]; // before each decision, and at the end: the expected result of every seat
  thresholds: { slip: number; mistake: number; blunder: number };
  note: string;
};

export type ReviewedSeat = {
  seat: number;
  name: string;
  plays: boolean;
  result: number;
  luck: number;
  play: number;
  lost: number;
  worst: readonly number[]; // decisions, the costliest first
  grades: Record<Grade, number>;
  sentences: readonly string[];
};

export type DecisionShown = {
  at: number;
  step: number; // the frame of the replay that shows its consequence; the one before is the position
  seat: number;
  trick: number | null;
  question: string;
  label: string;
  cards: readonly string[];
  action: Action;
  grade: Grade;
  gradeWord: string;
  loss: number;
  error: number;
  openLoss: number | null;
  proven: boolean;
  words: readonly string[];
  principle: string;
  options: readonly OptionShown[]; // best first
  line: readonly LineStep[];
  played: readonly LineStep[];
};

export type OptionShown = {
  label: string;
  cards: readonly string[];
  action: Action;
  points: number;
  behind: number;
  error: number;
  open: number | null; // its value with all cards face up
  chosen: boolean;
  grade: Grade;
};

export type LineStep = { seat: number; name: string; label: string; cards: readonly string[]; trick: number | null };

/** What comes down the line while a deal is reviewed. */
export type ReviewLine = { done: number; of: number; waiting: number } | { review: ReviewShown } | { error: string };

/* --- the analysis board -------------------------------------------------------------------------------- */

export type BoardShown = {
  text: string; // the position before any move
  here: string; // the position after the moves
  scene: Scene;
  turn: number | null;
  over: boolean;
  actions: readonly ActionShown[];
  played: readonly LineStep[];
  seats: readonly { seat: number; letter: string; name: string }[];
  goals: readonly GoalShown[];
};

export type ActionShown = { action: Action; label: string; cards: readonly string[] };
export type GoalShown = { id: string; label: string };

export type SolvedShown = {
  finished: boolean;
  exact: boolean;
  nodes: number;
  seconds: number;
  depth: number; // tricks to come
  values: readonly ValueShown[];
  line: readonly LineStep[];
  verdict: string;
  forced: readonly string[];
};

export type ValueShown = {
  action: Action;
  label: string;
  cards: readonly string[];
  value: number;
  points: readonly number[] | null;
  best: boolean;
};

export type SolveLine = SolvedShown | { waiting: number } | { error: string };
