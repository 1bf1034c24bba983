/** The decisions of a game that are explained to whoever watches it. */
import type { DecisionShown, Frame, ReviewShown } from "../protocol";

/** A decision that is explained, and the step at which it is about to be made. */
export interface Told {
  readonly step: number;
  readonly decision: DecisionShown;
}

/** Those with something to choose from; of the others nothing is told. */
export const toldOf = ({ decisions }: Pick<ReviewShown, "decisions">): Told[] =>
  decisions
    .filter(({ options }) => options.length > 1)
    .map((decision) => ({ step: Math.max(0, decision.step - 1), decision }));

/** The step with which a game begins: the cards are dealt. */
export const begin = (frames: readonly Pick<Frame, "scene">[]): number =>
  Math.max(0, frames.findIndex(({ scene }) => scene.seats.some(({ hand }) => hand.length > 0)));
