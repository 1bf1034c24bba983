/** What the tutor says: hints, take-backs, the review of a deal, the analysis board. */

import type { Help, ReviewShown, SetHelp, SolvedShown, TableShown, Undo } from "../protocol";

export type {
  ActionShown,
  AgainstShown,
  BackShown,
  BoardShown,
  CandidateShown,
  DecisionShown,
  GoalShown,
  Grade,
  Help,
  HiddenShown,
  HintShown,
  LineStep,
  OptionShown,
  ReviewedSeat,
  ReviewShown,
  SolvedShown,
  ValueShown,
} from "../protocol";

/** Whom a table helps with hints and take-backs: one person among bots, everyone, nobody. */
export const HELPS: readonly Help[] = ["alone", "everyone", "never"];

/** What the table says about help. */
export type TableHelp = Pick<TableShown, "help" | "hints" | "backs" | "takenBack">;

export type TutorWish = Undo | SetHelp;

/** The help of a table. */
export const helpOf = (table: TableShown): TableHelp => table;

/** What comes down the line while a deal is reviewed. */
export type ReviewLine = { done: number; of: number; waiting: number } | { review: ReviewShown } | { error: string };

/** What comes down the line while a position is solved. */
export type SolveLine = SolvedShown | { waiting: number } | { error: string };
