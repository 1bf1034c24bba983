/** How this visitor sees the cards of a game. */

import type { Look } from "../deck";
import { prefs } from "./prefs.svelte";
import { letters, type Family } from "./words";

export function lookOf(family: Family): Look {
  return {
    letters: letters(family),
    fourColour: prefs.fourColour,
    contrast: prefs.contrast,
    back: prefs.back,
    skus: family === "danish" ? "skus" : "excuse",
  };
}
