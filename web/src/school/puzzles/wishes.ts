/** What somebody wants of the next puzzle: a theme, a rulebook, both or neither. */

/** The query that says so. */
export function wishesOf(theme: string, rules: string): string {
  const said = Object.entries({ theme, rules }).filter(([, value]) => value !== "");
  return new URLSearchParams(said).toString();
}

/** The address of the next puzzle. */
export function addressOf(theme: string, rules: string, which = "next"): string {
  const wishes = wishesOf(theme, rules);
  return `/puzzles/${which}${wishes && `?${wishes}`}`;
}
