/** The scenes of the trumps 1 to 8: small creatures and things that a hand can hold. */
import { at, both, box, disc, discs, each, group, path, stroke } from "./draw";
import { blossom, ground, hills, pine, sky, type Scene } from "./motifs";

const robin: Scene = (p, h) =>
  sky(p, h, 190, 50) +
  path("M232 150c-42 12-92 16-148 8l-4 8c60 10 110 6 152-4Z", p.brown) +
  path("M100 160c-12 16-20 18-28 16 6-12 16-18 28-16Zm96 0c8 18 18 22 26 18-4-12-14-18-26-18Z", p.leaf) +
  stroke("M136 146v14m14-12v14", p.ink, 3.5) +
  path("M100 80c6-22 36-28 50-8 22 8 38 32 46 52l24 22-30-8c-12 14-40 18-62 10-22-10-34-42-28-68Z", p.brown) +
  path("M101 84c-6 28 5 56 29 65 16-9 12-41-2-57-8-10-20-14-27-8Z", p.red) +
  path("M142 94c22 2 42 18 50 36-20 6-44-4-50-36Z", p.blue) +
  path("M150 104q16 4 28 20") +
  path("m100 76-18 6 18 8Z", p.gold) +
  disc(118, 76, 4.5, p.ink) +
  disc(116.5, 74.5, 1.5, p.white, 'stroke="none"');

const toadstools: Scene = (p, h) => {
  const toadstool = (x: number, y: number, s: number, cap: string) =>
    at(
      x,
      y,
      s,
      path("M-9-40c1 20-3 34-5 40h28c-2-6-6-20-5-40Z", p.white),
      path("M-46-36c2-30 24-44 46-44s44 14 46 44c-16 8-76 8-92 0Z", cap),
      each(
        [
          [-24, -48, 6],
          [2, -62, 8],
          [26, -46, 6],
          [-8, -42, 4],
        ] as const,
        ([cx, cy, r]) => disc(cx, cy, r, p.white),
      ),
    );
  return (
    sky(p, h, 196, 46) +
    hills(h) +
    toadstool(142, 182, 1.45, p.red) +
    toadstool(202, 188, 0.75, p.gold) +
    path("M46 184c2-10 12-8 22-6h28c8-2 10 10 2 12H50q-6 0-4-6Z", p.skin) +
    stroke("m50 176-6-12m12 11-2-13", p.ink, 2.4) +
    disc(79, 168, 16, p.gold) +
    path("M79 168c-3-5 4-8 7-3s-3 12-10 9-6-16 3-18 16 6 14 15")
  );
};

const hive: Scene = (p, h) => {
  const bee = (x: number, y: number) =>
    at(
      x,
      y,
      1,
      path("M-3-5c-7-9 1-13 4-1 3-12 11-8 3 1Z", p.white),
      path("M-10 0c0-7 20-7 21 0-1 7-21 7-21 0Z", p.gold),
      stroke("M-3-4V4M3-4V4", p.ink, 3),
    );
  return (
    sky(p, h, 198, 46) +
    hills(h) +
    box(104, 166, 84, 8, p.brown) +
    path("M112 174v20m68-20v20", "none", 'stroke-width="6"') +
    path(
      "M110 166c-6-14 0-18 2-22-4-12 2-16 6-20-2-12 6-18 10-20 2-14 10-20 18-20s16 6 18 20c4 2 12 8 10 20 4 4 10 8 6 20 2 4 8 8 2 22Z",
      p.gold,
    ) +
    path("M112 144h68m-62-20h56m-46-20h36") +
    path("M136 166c0-16 20-16 20 0Z", p.ink) +
    (h.night ? "" : bee(98, 96) + bee(194, 112) + bee(118, 52)) +
    blossom(84, 172, p.red, p) +
    blossom(206, 168, p.violet, p)
  );
};

const harvest: Scene = (p, h) => {
  const sheaf = (x: number, y: number, s: number) =>
    at(
      x,
      y,
      s,
      each([-36, -24, -12, 0, 12, 24, 36], (turn) =>
        group(
          `transform="rotate(${turn} 0 -34)"`,
          path("m-4-34 1-44h6l1 44Z", p.gold),
          path("M0-112c8 8 8 26 0 34-8-8-8-26 0-34Z", p.gold),
          path("M0-108v28"),
        ),
      ),
      path("M-10-34C-10-20-22-8-26 0H26C22-8 10-20 10-34Z", p.gold),
      path("m-6-30-6 28M0-30v28m6-28 6 28"),
      box(-13, -40, 26, 9, p.red),
    );
  return (
    sky(p, h, 198, 44) +
    ground("M8 148q52-24 112-6t112-16", h.far) +
    ground("M8 170q82-22 224-10", h.night ? "#7b6a3f" : "#ecc968") +
    stroke("m20 186 50-22m-10 34 36-32m90-6 40 30", p.gold, 3) +
    sheaf(138, 196, 1.22) +
    sheaf(206, 190, 0.62) +
    sheaf(80, 186, 0.5)
  );
};

const fiddle: Scene = (p, h) =>
  sky(p, h, 202, 142) +
  ground("M8 180H232", p.red) +
  stroke("M8 180H232", p.gold, 3) +
  group(
    'transform="rotate(28 146 110)"',
    path("M141 18h10v78h-10Z", p.ink),
    path("M139 8c0-8 14-8 14 0l-1 18h-12Z", p.brown),
    stroke("M134 12h24m-24 8h24", p.ink, 4),
    path(
      "M146 76c20 0 32 12 26 28-4 10-4 14 4 24 12 18 2 48-30 48s-42-30-30-48c8-10 8-14 4-24-6-16 6-28 26-28Z",
      p.auburn,
    ),
    path("M136 146h20v6h-20Z", p.brown),
    path("M128 112c-6 8 4 16 0 26m36-26c6 8-4 16 0 26"),
    stroke("M143 30v118m6-118v118", p.white, 1.4),
  ) +
  stroke("M70 196L214 92", p.ink, 6) +
  stroke("M70 196L214 92", p.gold, 2.6) +
  each(
    [
      [92, 96],
      [112, 60],
    ] as const,
    ([x, y]) =>
      disc(x, y, 6.5, h.lit, 'stroke="none"') +
      path(`M${x + 6} ${y}V${y - 28}q10 6 8 14`, "none", `stroke="${h.lit}"`),
  );

const masks: Scene = (p, h) =>
  sky(p, h, 146, 108) +
  each([...Array(16).keys()], (i) =>
    box(
      76 + ((i * 47) % 144),
      24 + ((i * 61) % 150),
      7,
      7,
      [p.red, p.gold, p.violet, p.white][i % 4]!,
      'stroke="none"',
    ),
  ) +
  at(
    146,
    0,
    1,
    both("M62 100c14 12 20 32 16 60-6-10-10-4-12 4-6-18-10-32-16-44Z", p.red),
    both("M28 84c6-34 22-40 26-58-20 4-34 24-40 54Z", p.white),
    path("M0 80C-10 50-4 34 0 18C4 34 10 50 0 80Z", p.white),
    path(
      "M0 82c24-12 58-8 68 6 2 34-16 58-40 54-14-2-18-14-28-14s-14 12-28 14c-24 4-42-20-40-54 10-14 44-18 68-6Z",
      p.violet,
    ),
    both("M54 100c-10-10-30-8-38 6 10 12 28 12 38-6Z", p.white),
    discs(34, 105, 5, p.ink),
    path("m0 82 8 14-8 14-8-14Z", p.gold),
    path("M-20 160q20 18 40 0-20 8-40 0Z", p.red),
    group(`stroke="${p.gold}" stroke-width="4.5"`, both("M0 82c24-12 58-8 68 6")),
  );

const owl: Scene = (p, h) =>
  sky(p, h, 202, 46) +
  path("M232 156c-52 12-102 12-166 2l-2 10c66 12 126 10 168 0Z", p.brown) +
  at(
    144,
    0,
    1,
    both("M60 160c12-8 16-20 12-30-12 6-16 18-12 30Z", p.leaf),
    path("m-38 50 14 8q24-10 48 0l14-8c10 40 8 90-14 106-12 8-36 8-48 0-22-16-24-66-14-106Z", p.brown),
    both("M40 96c12 20 8 48-10 58-6-20-2-42 10-58Z", p.auburn),
    both("M0 106q6 8 12 0M0 122q6 8 12 0q6 8 12 0M0 138q6 8 12 0"),
    discs(18, 78, 17, p.white),
    h.night
      ? discs(18, 78, 10, p.gold) + discs(18, 78, 5.5, p.ink)
      : group('stroke-width="3.5"', both("M7 80q11 9 22 0")),
    path("M-6 86H6L0 100Z", p.gold),
    group(`stroke="${p.gold}" stroke-width="5"`, both("M6 158v10m8-12v10")),
  );

const stag: Scene = (p, h) =>
  sky(p, h, 202, 44) +
  ground("M8 150q52-32 112-4t112-16", h.far) +
  pine(210, 166, 1.2, p) +
  pine(80, 172, 0.7, p) +
  ground("M8 174q62-14 122 0t102-8", h.near) +
  path("M116 136c-6 14-4 32-8 52h7c5-18 7-32 13-46Zm62-8c12 20 2 36 10 60h7c-3-20 5-42-1-64Z", p.brown) +
  path("M196 106c8 0 10 8 4 14Z", p.white) +
  path(
    "m112 62-16 8-10 10c0 6 4 8 10 6l10 2c2 14 0 26 4 38 4 10 10 16 14 22 0 14-4 28-4 42h7c3-16 5-30 11-44 12-2 22-2 30-2 4 14 0 28 0 46h7c3-18 7-32 11-46 14-10 16-28 8-38-14-8-38 0-54-2-8-6-10-20-16-34Z",
    p.auburn,
  ) +
  path("M118 68c6-10 16-10 22-6-4 10-12 12-20 12Z", p.auburn) +
  stroke(
    "M112 62c-4-14-18-16-24-32m14 20-14 2m6-11 6-13m18 34c2-16 20-16 28-32m-18 21 16 3m-6-11-4-15",
    p.ink,
    4.5,
  ) +
  disc(104, 75, 2.6, p.ink);

export const THINGS: readonly Scene[] = [robin, toadstools, hive, harvest, fiddle, masks, owl, stag];
