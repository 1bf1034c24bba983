/** The backs of the cards: three designs, each the same from both ends. */
import { at, box, clipped, disc, each, path, type Paint } from "./draw";

export const BACKS = ["sun", "diamonds", "waves"] as const;
export type Back = (typeof BACKS)[number];

export const drawBack = (design: Back, p: Paint): string => ({ sun, diamonds, waves })[design](p);

const frame = (ground: string, line: string, inner: string): string =>
  box(11, 11, 218, 378, ground, 'rx="8"') +
  clipped(22, 22, 196, 356, inner) +
  box(17, 17, 206, 366, "none", `rx="5" stroke="${line}" stroke-width="2.5"`) +
  box(22, 22, 196, 356, "none", `rx="3" stroke="${line}" stroke-width="2.5"`);

/** Diamonds within diamonds, burgundy and cream. */
function diamonds(p: Paint): string {
  const places = [...Array(60).keys()].map((i) => ({ x: 22 + (i % 5) * 49, y: 21 + Math.floor(i / 5) * 36 }));
  const one = ({ x, y }: { x: number; y: number }, i: number) => {
    const shift = Math.floor(i / 5) % 2 ? 24.5 : 0;
    return at(x + shift, y, 1, path("M0-30L20 0 0 30-20 0Z", p.red), path("M0-14L9 0 0 14-9 0Z", p.white));
  };
  return frame("#5d1524", p.white, each(places, one));
}

/** Waves, blue and white. */
function waves(p: Paint): string {
  const rows = [...Array(17).keys()].map((i) => 24 + i * 22);
  const wave = (y: number, i: number) =>
    path(
      `M${i % 2 ? -14 : 14} ${y}${"q14-20 28 0t28 0".repeat(5)}`,
      "none",
      `stroke="${i % 2 ? p.white : "#8fb6d9"}" stroke-width="4" stroke-linecap="round"`,
    );
  return frame("#1d3f73", p.white, each(rows, wave));
}

/** A lattice around a sun with a moon in it. */
function sun(p: Paint): string {
  const lines = each([...Array(24).keys()], (i) => `M${i * 26 - 212} 0l240 400M${i * 26 - 172} 400l240-400`);
  const rays = each([...Array(16).keys()], (i) =>
    path(i % 2 ? "M-7-12L0-38 7-12Z" : "M-9-12L0-56 9-12Z", p.gold, `transform="rotate(${i * 22.5})"`),
  );
  const gilt = `stroke="${p.gold}" stroke-width="2.5"`;
  return (
    box(11, 11, 218, 378, p.violet, 'rx="8"') +
    clipped(22, 22, 196, 356, path(lines, "none", `stroke="${p.gold}" stroke-width="1.5" opacity=".6"`)) +
    box(17, 17, 206, 366, "none", `rx="5" ${gilt}`) +
    box(22, 22, 196, 356, "none", `rx="3" ${gilt}`) +
    disc(120, 200, 72, p.violet, gilt) +
    disc(120, 200, 66, "none", `stroke="${p.gold}" stroke-width="1.5"`) +
    at(
      120,
      200,
      1,
      rays,
      disc(0, 0, 17, p.violet, gilt),
      path("M5-11A12 12 0 1 0 11 6A11 11 0 0 1 5-11Z", p.gold),
    )
  );
}
