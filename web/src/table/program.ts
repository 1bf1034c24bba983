/** A program in a seat: what it may be called, and how it is started. */

const BEHIND = " (bot)"; // the server puts it behind the name of a program

/** A name for a program that nobody at the table has: the usual one, or that with a number. */
export function freeName(usual: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? usual : `${usual} ${number}`;
    if (!names.has(`${name}${BEHIND}`.toLowerCase())) return name;
  }
}

/** The command that lets a program sit; what starts the program itself is left to whoever runs it. */
export function commandFor(url: string, table: string, token: string): string {
  return `ULTIMO_TOKEN=${token} ultimo sit --url ${url} --table ${table} --program "…"`;
}
