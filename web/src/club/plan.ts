/** Who sits where on an evening: how good a draw is, changes by hand, and what is played already. */

import type { ClubSheet, DrawTables, EveningShown, TablesDrawn } from "../protocol";

export type Rounds = EveningShown["rounds"];

/** The sizes of tables to draw, the best first; among the others the nearest to it. */
export function sizesFor(best: number, allowed: readonly number[]): NonNullable<DrawTables["sizes"]> {
  const others = allowed.filter((size) => size !== best).sort((one, other) => Math.abs(one - best) - Math.abs(other - best) || one - other);
  return [best, ...others];
}

/** The size that is best for so many people: the largest of 4 and below that the rules allow. */
export function usualSize(allowed: readonly number[]): number {
  const small = allowed.filter((size) => size <= 4);
  return small.length > 0 ? Math.max(...small) : Math.min(...allowed);
}

/** What is to be said of a draw: a key, and how many times two people meet again. */
export function quality({ rounds, repeats, bound }: Pick<TablesDrawn, "rounds" | "repeats" | "bound">): { key: string; n: number } {
  if (rounds.length === 1 || rounds.every((tables) => tables.length === 1)) return { key: "club.drawOnce", n: 0 };
  if (repeats === 0) return { key: "club.drawPerfect", n: 0 };
  const one = repeats === 1 ? "One" : "Many";
  return { key: repeats <= bound ? `club.drawBest${one}` : `club.drawAgain${one}`, n: repeats };
}

/** Two people of a round change places. */
export function swapped(rounds: Rounds, round: number, one: string, other: string): Rounds {
  const places: Record<string, string> = { [one]: other, [other]: one };
  return rounds.map((tables, at) => (at === round ? tables.map((seats) => seats.map((seat) => places[seat] ?? seat)) : tables));
}

/** How many rounds have a score sheet: they are not drawn again. */
export const begun = (sheets: readonly Pick<ClubSheet, "round">[]): number => Math.max(0, ...sheets.map(({ round }) => round));

/** The round that is played, from 1: the first of which not all tables are closed. */
export function roundNow({ rounds, sheets }: Pick<EveningShown, "rounds" | "sheets">): number {
  const open = rounds.findIndex((tables, at) =>
    tables.some((_, table) => !sheets.some((one) => one.round === at + 1 && one.table === table + 1 && one.closed)),
  );
  return open === -1 ? Math.max(1, rounds.length) : open + 1;
}

/** The tables of which no deal is written: a closed evening counts nothing for them. */
export const bare = ({ rounds, sheets }: Pick<EveningShown, "rounds" | "sheets">): readonly { round: number; table: number; seats: readonly string[] }[] =>
  rounds.flatMap((tables, at) =>
    tables
      .map((seats, place) => ({ round: at + 1, table: place + 1, seats }))
      .filter(({ round, table }) => !sheets.some((one) => one.round === round && one.table === table && one.deals > 0)),
  );

export type Attendance = {
  readonly members: readonly string[];
  readonly guests: Readonly<Record<string, string>>;
  readonly late: Readonly<Record<string, number>>;
  readonly leaving: Readonly<Record<string, number>>;
};

/** Somebody comes, or is not there after all; what was said about them goes with them. */
export function toggled(there: Attendance, member: string): Attendance {
  if (!there.members.includes(member)) return { ...there, members: [...there.members, member] };
  const { [member]: _late, ...late } = there.late;
  const { [member]: _leaving, ...leaving } = there.leaving;
  return { ...there, members: there.members.filter((one) => one !== member), late, leaving };
}

/** A guest goes home. */
export function withoutGuest(there: Attendance, guest: string): Attendance {
  const { [guest]: _guest, ...guests } = there.guests;
  const { [guest]: _late, ...late } = there.late;
  const { [guest]: _leaving, ...leaving } = there.leaving;
  return { ...there, guests, late, leaving };
}

/** Everybody who is there: the members, then the guests. */
export const people = (there: Attendance): readonly string[] => [...there.members, ...Object.keys(there.guests)];

/** Those who are there in some round and sit nowhere in it, as the plan stands. */
export function unseated(rounds: Rounds, there: Attendance): readonly string[] {
  return people(there).filter((one) =>
    rounds.some((tables, at) => {
      const plays = at + 1 >= (there.late[one] ?? 1) && at + 1 <= (there.leaving[one] ?? rounds.length);
      return plays && !tables.some((seats) => seats.includes(one));
    }),
  );
}

/** Those who sit at a table and are not there. */
export const missing = (rounds: Rounds, there: Attendance): readonly string[] => {
  const here = new Set(people(there));
  return [...new Set(rounds.flat(2))].filter((one) => !here.has(one));
};
