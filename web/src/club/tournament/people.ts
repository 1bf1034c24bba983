/** Participants as lines of text: "name; team; club", also as pasted from a spreadsheet. */

import type { PersonWish } from "../../protocol";

/** Who is named in a text, a line each; commas, semicolons and tabs part name, team and club. */
export function read(text: string): PersonWish[] {
  return text
    .split(/\r?\n/)
    .map((line) => {
      const mark = /[;\t]/.test(line) ? /[;\t]/ : ",";
      const [name = "", team = "", club = ""] = line.split(mark).map((part) => part.trim());
      return { name, team, club };
    })
    .filter(({ name }) => name !== "");
}
