/** A run with a trainer: questions of one seed, until an answer is wrong. The server counts. */

export type Run = { readonly seed: string; readonly n: number; readonly streak: number };

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** A new run; `random` gives bytes of chance. */
export function begin(random: (many: number) => Iterable<number> = chance): Run {
  return { seed: [...random(12)].map((byte) => LETTERS[byte % LETTERS.length]).join(""), n: 0, streak: 0 };
}

/** The run after an answer; where the server counts none, another begins. */
export function after(run: Run, streak: number, fresh: () => Run = begin): Run {
  return streak > 0 ? { seed: run.seed, n: run.n + 1, streak } : fresh();
}

const chance = (many: number): Uint8Array => crypto.getRandomValues(new Uint8Array(many));
