/** What a visitor likes, kept in the browser. */

import type { Back } from "../deck";

export type Theme = "auto" | "light" | "dark";
export type Speed = "none" | "fast" | "normal" | "slow";
export type Cloth = "green" | "blue";
export type Sorting = {
  trumps: "left" | "right";
  suits: string; // the order of the suits, such as "SHCD"
  descending: boolean;
};
export type Prefs = {
  theme: Theme;
  cloth: Cloth;
  back: Back;
  coach: boolean; // a line of help under each question
  contrast: boolean;
  fourColour: boolean;
  largeIndex: boolean;
  oneTap: boolean;
  speed: Speed;
  sorting: Sorting;
  sound: boolean; // when it is one's turn
  vibrate: boolean;
  notify: boolean;
  autoForced: boolean; // the only card that may be played plays itself
  autoLast: boolean; // the last card of a hand does
  skatLaid: boolean; // a skat was, and need not be taught
};

const KEY = "ultimo.prefs";
const PACES: Record<Speed, number> = { none: 0, fast: 0.5, normal: 1, slow: 1.8 };

export const prefs: Prefs = $state({ ...usual(), ...kept() });

function usual(): Prefs {
  return {
    theme: "auto",
    cloth: "green",
    back: "sun",
    coach: true,
    contrast: matchMedia("(prefers-contrast: more)").matches,
    fourColour: false,
    largeIndex: false,
    oneTap: false,
    speed: "normal",
    sorting: { trumps: "left", suits: "SHCD", descending: true },
    sound: false,
    vibrate: false,
    notify: false,
    autoForced: false,
    autoLast: true,
    skatLaid: false,
  };
}

function kept(): Partial<Prefs> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>;
  } catch {
    return {}; // a browser that keeps nothing, or kept nonsense
  }
}

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** How long movements take, as a factor; 0 where nothing is to move. */
export function pace(): number {
  return stillness.matches ? 0 : PACES[prefs.speed];
}

/** How long things are left to be seen, as a factor; whoever wants nothing to move does not read faster. */
export function patience(): number {
  return PACES[prefs.speed];
}

/** Keep what is liked and put it on the document; call it inside an effect. */
export function apply(): void {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = prefs.theme === "auto" ? (dark.matches ? "dark" : "light") : prefs.theme;
  root.dataset.theme = theme;
  root.dataset.cloth = prefs.cloth;
  root.dataset.contrast = prefs.contrast ? "more" : "usual";
  root.dataset.motion = pace() === 0 ? "none" : "usual";
  root.style.setProperty("--pace", String(pace()));
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // a browser that keeps nothing: the choice holds until the page is left
  }
}

/** Call `again` when the system changes between light and dark, or its wish for stillness. */
export function watchSystem(again: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  stillness.addEventListener("change", again);
}
