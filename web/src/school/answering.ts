/** Answering a question: what is chosen so far, when that is an answer, and how it is marked afterwards. */

import type { Verdict, Widget } from "../protocol";

export type Draft = readonly string[]; // the numbers of options, cards in notation, or one number

/** Choose an option or a card, or take it back; where only one or so many fit, the oldest makes room. */
export function choose(widget: Widget, draft: Draft, word: string): Draft {
  if (widget.kind === "number") return [word];
  const most = widget.kind === "pick" ? widget.count : widget.many ? widget.options.length : 1;
  if (draft.includes(word)) return most === 1 ? draft : draft.filter((one) => one !== word);
  return [...draft, word].slice(-most);
}

/** Whether this can be sent as an answer. */
export function isAnswer(widget: Widget, draft: Draft): boolean {
  if (widget.kind === "number") return /^\s*[-−]?\d{1,8}\s*$/.test(draft[0] ?? "");
  return widget.kind === "pick" ? draft.length === widget.count : draft.length > 0;
}

/** The keys that choose the options, in their order. */
export const KEYS = [..."1234567890abcdef"];

/** The option that a key chooses: 1 is the first. */
export function optionOf(widget: Widget, key: string): string | null {
  if (widget.kind !== "choice") return null;
  const place = KEYS.indexOf(key.toLowerCase());
  return place >= 0 && place < widget.options.length ? String(place) : null;
}

/** A number with the other sign, as far as it is written. */
export function negated(text: string): string {
  const plain = text.trim().replace(/^[-−]/, "");
  return plain === text.trim() ? `−${plain}` : plain;
}

export type Tone = "right" | "wrong" | null;

/** How something that could be chosen is marked: whatever is right, and what was chosen and is not. */
export function toneOf(word: string, given: Draft, verdict: Pick<Verdict, "right" | "answer">): Tone {
  if (verdict.answer.includes(word)) return "right";
  if (!given.includes(word)) return null;
  return verdict.right ? "right" : "wrong"; // another answer was right as well
}

/** Whether options are so short that many stand side by side. */
export function areShort(options: readonly string[]): boolean {
  return options.every((option) => option.length <= 12);
}
