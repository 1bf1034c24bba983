/** Where the school leads to beside its own lessons. */

import type { Family } from "../lib/words";

export const FIRST = (family: Family): string => `/school/first/${family}`;
export const PUZZLES = "/puzzles";
export const HOW_TO_PLAY: Record<Family, string> = { danish: "/learn/dtf", french: "/learn/french4" };
