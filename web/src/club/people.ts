/** Names that somebody pastes, guests, and the members in a file. */

const LONGEST = 24;
const DELETED = "–"; // stands in a file instead of a name that is deleted

/** The names in a text: one a line; in a single line with commas between them. Numbers before them are left out. */
export function namesIn(text: string): readonly string[] {
  const rows = text.split(/[\n\r]+/).filter((row) => row.trim() !== "");
  const parts = rows.length > 1 ? rows : (rows[0] ?? "").split(/[,;]/);
  const names = parts.map(bare).filter((name) => /[\p{L}\p{N}]/u.test(name));
  return names.filter((name, at) => names.findIndex((other) => same(other, name)) === at);
}

const bare = (part: string): string =>
  (part.split("\t")[0] ?? "")
    .replace(/^\s*(?:\d+\s*[.):]|[-–•*])\s*/, "")
    .replace(/[,;]\s*$/, "")
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, LONGEST)
    .trim();

/** Whether two names are the same to a reader. */
export const same = (one: string, other: string): boolean => one.localeCompare(other, undefined, { sensitivity: "accent" }) === 0;

/** Those of the names that nobody on the list has yet. */
export const unknown = (names: readonly string[], list: readonly { readonly name: string }[]): readonly string[] =>
  names.filter((name) => !list.some((one) => same(one.name, name)));

/** An id for one more guest of an evening. */
export function guestId(guests: Readonly<Record<string, string>>): string {
  let number = 1;
  while (`g${number}` in guests) number += 1;
  return `g${number}`;
}

/** The members in an exported club, by id, as they are called now; nothing if it is no such file. */
export function membersIn(file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of file.split("\n")) {
    if (!/"Member(Added|Renamed)"/.test(line)) continue;
    try {
      const { type, member, name } = JSON.parse(line) as { type: string; member: string; name: string };
      if (name === DELETED) found.delete(member);
      else if (type === "MemberAdded" || type === "MemberRenamed") found.set(member, name);
    } catch {
      // not a line of a club; the server tells what is wrong with it
    }
  }
  return found;
}
