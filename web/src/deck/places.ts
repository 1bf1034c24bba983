/** The scenes of the trumps 9 to 21: what people build, the sea and the land, the sky and the world. */
import { at, box, disc, each, group, path, stroke } from "./draw";
import {
  blossom,
  cloud,
  ground,
  gulls,
  hills,
  house,
  laurel,
  pine,
  sky,
  star,
  tree,
  waves,
  type Scene,
} from "./motifs";

const windmill: Scene = (p, h) => {
  const sail = (turn: number) =>
    group(
      `transform="rotate(${turn} 146 82)"`,
      path("m144 82-2-66h6v66Z", p.brown),
      path("M148 18h18v48h-18Z", p.white),
      path("M148 30h18m-18 12h18m-18 12h18m-9-36v48"),
    );
  return (
    sky(p, h, 202, 130) +
    cloud(94, 136, 0.7, h) +
    hills(h) +
    path("m122 186 8-94h32l8 94Z", p.red) +
    path("M126 140h40") +
    path("M126 94c0-24 40-24 40 0Z", p.ink) +
    path("M138 186v-22q8-10 16 0v22Z", p.brown) +
    path("M140 108h12v14h-12z", h.lit) +
    path("M114 148h64v6h-64Z", p.white) +
    each([28, 118, 208, 298], sail) +
    disc(146, 82, 6, p.gold) +
    each([86, 98, 196, 210], (x, i) => blossom(x, 176 + (i % 2) * 6, i % 2 ? p.red : p.gold, p))
  );
};

const waterwheel: Scene = (p, h) => {
  const spokes = each([0, 45, 90, 135], (turn) =>
    path("M110 130h80v6h-80Z", p.brown, `transform="rotate(${turn} 150 133)"`),
  );
  const paddles = each([...Array(12).keys()], (i) =>
    path("M144 70h12v14h-12Z", p.brown, `transform="rotate(${i * 30} 150 133)"`),
  );
  return (
    sky(p, h, 96, 52) +
    ground("M8 150q52-32 112-4t112-16", h.far) +
    tree(90, 176, 0.9, p) +
    box(164, 66, 76, 120, p.white) +
    path("M164 106h68m-68 40h68m-36-80v120", "none", `stroke="${p.brown}" stroke-width="5"`) +
    path("m150 72 50-52 40 20v32Z", p.red) +
    path("M206 116h14v20h-14z", h.lit) +
    path("M8 172h224v38H8Z", h.sea) +
    paddles +
    disc(150, 133, 52, "none", `stroke="${p.ink}" stroke-width="11"`) +
    disc(150, 133, 52, "none", `stroke="${p.brown}" stroke-width="6.5"`) +
    spokes +
    disc(150, 133, 8, p.gold) +
    waves(180, h)
  );
};

const gables: Scene = (p, h) => {
  const step = (x: number, y: number, w: number, wall: string) => {
    const s = w / 6;
    return (
      path(`M${x} 182V${y}h${s}v-12h${s}v-12h${s * 2}v12h${s}v12h${s}V182Z`, wall) +
      path(
        each(
          [y + 12, y + 40],
          (wy) =>
            `M${x + s} ${wy}h${s * 1.5}v16h-${s * 1.5}zM${x + s * 3.5} ${wy}h${s * 1.5}v16h-${s * 1.5}z`,
        ),
        h.lit,
      ) +
      path(`M${x + s * 2.2} 182v-20q${s * 0.8}-8 ${s * 1.6} 0v20z`, p.brown)
    );
  };
  return (
    sky(p, h, 202, 40) +
    step(64, 100, 42, p.gold) +
    step(106, 76, 46, p.red) +
    step(152, 92, 38, p.blue) +
    step(190, 108, 40, p.white) +
    box(22, 126, 42, 56, p.green) +
    path("M26 156h12v14H26zm20 0h12v14H46z", h.lit) +
    box(8, 182, 224, 6, p.grey) +
    waves(192, h)
  );
};

const lighthouse: Scene = (p, h) =>
  sky(p, h, 92, 120) +
  (h.night
    ? path("m150 60 82-26v52Zm-8 0L60 38v44Z", "#ffe9a0", 'stroke="none" opacity=".75"')
    : gulls(184, 60, h, p)) +
  waves(160, h) +
  path("M92 190c6-24 26-30 38-28h36c18-2 34 8 40 28l14 14H80Z", p.grey) +
  path("m126 166 7-90h26l7 90Z", p.white) +
  path("m131.5 96 1.5-20h26l1.5 20Zm-3 42 1.5-22h32l1.5 22Z", p.red) +
  box(134, 50, 24, 20, h.night ? h.lit : p.white) +
  path("M142 50v20m8-20v20") +
  box(126, 68, 40, 8, p.ink) +
  path("m130 50 16-18 16 18Z", p.red) +
  path("M140 166v-14q6-6 12 0v14Z", p.ink);

const ship: Scene = (p, h) =>
  sky(p, h, 202, 40) +
  cloud(90, 146, 0.6, h) +
  gulls(78, 116, h, p) +
  path("M143 24h6v136h-6ZM97 60h5v100h-5Zm93 0h5v100h-5Z", p.brown) +
  path("M116 40c16 8 44 8 60 0 8 20 8 36 2 52-18-8-46-8-64 0 6-16 8-32 2-52Z", p.white) +
  path("M114 98c18-8 46-8 64 0 10 18 8 34 4 48-22-8-50-8-72 0 6-16 8-30 4-48Z", p.white) +
  path(
    "M84 72c8 6 22 6 28 0 4 24 0 44-4 58-8-6-20-6-28 0 6-20 8-38 4-58Zm102 0c8 6 18 6 24 0 4 24 2 44-2 58-8-6-14-6-24 0 6-20 6-38 2-58Z",
    p.gold,
  ) +
  path("M143 24c-11-6-15 6-29-2v12c14 8 18-6 29 2Z", p.red) +
  path("M146 54v26M133 67h26", "none", `stroke="${p.red}" stroke-width="7"`) +
  path("M66 146c10 6 22 8 34 8h86c14-2 24-8 36-16-2 22-12 40-24 46H96c-16-8-26-22-30-38Z", p.brown) +
  stroke("M76 163H212", p.gold, 4) +
  waves(178, h);

const whale: Scene = (p, h) =>
  sky(p, h, 202, 44) +
  waves(142, h) +
  stroke("M112 92c0-22-16-28-24-20m24 20c0-26 20-32 28-22m-28 22V62", h.foam, 6) +
  path(
    "M74 150c-2-34 18-56 48-56 34 0 48 28 66 34 8 2 14-6 12-16-10-4-14-14-12-24 10 0 18 6 20 14 4-6 12-8 20-4 0 10-8 16-16 16 4 26-12 50-44 54H92c-12-2-16-8-18-18Z",
    p.blue,
  ) +
  path("M74 150c10 2 22 4 38 0 10 8 22 14 38 18H92c-12-2-16-8-18-18Z", p.white) +
  path("M100 154v10m12-12v14m12-8v9") +
  disc(104, 134, 4, p.white) +
  disc(103, 134, 2, p.ink) +
  path("M134 146c10 4 18 16 16 30-12-2-20-14-16-30Z", p.blue) +
  waves(172, h);

const bridge: Scene = (p, h) =>
  sky(p, h, 92, 46) +
  ground("M8 140q52-22 112-4t112-16", h.far) +
  tree(86, 150, 0.7, p) +
  house(170, 132, 32, 44, p.white, p.red, h) +
  house(200, 134, 34, 30, p.gold, p.blue, h) +
  path("M118 136V70h28v66Z", p.red) +
  path("M126 80h12v16h-12z", h.lit) +
  path("m112 70 20-42 20 42Z", p.blue) +
  path("M8 136q112-28 224 0v74H8Z", p.grey) +
  path("M8 130q112-28 224 0v10q-112-28-224 0Z", p.white) +
  path("M20 204v-28q26-40 52 0v28Zm64 0v-32q36-54 72 0v32Zm84 0v-28q26-40 52 0v28Z", h.sea) +
  waves(182, h) +
  path("M172 182c0-14 20-14 34-9l10-11c4 14-4 28-18 28h-18q-8-1-8-8Z", p.white) +
  path("M177 180c-12-12-8-30 2-31 9 0 9 9 2 10-3 7 5 13 5 19", p.white) +
  path("m171 153-9 5 11 2Z", p.gold);

const castle: Scene = (p, h) => {
  const tower = (x: number, y: number, w: number, roof: string) =>
    box(x, y, w, 170 - y, p.white) +
    path(`M${x - 4} ${y}L${x + w / 2} ${y - 34} ${x + w + 4} ${y}Z`, roof) +
    path(`M${x + w / 2 - 4} ${y + 26}v-12q4-5 8 0v12z`, h.lit) +
    path(`M${x + w / 2} ${y - 34}v-16l16 6-16 6`, p.gold);
  return (
    sky(p, h, 202, 38) +
    hills(h) +
    tower(88, 108, 26, p.red) +
    tower(178, 108, 26, p.red) +
    tower(128, 70, 36, p.blue) +
    path("M104 122h8v8h8v-8h8v8h8v-8h20v8h8v-8h8v8h8v-8h8v56h-84Z", p.grey) +
    path("M132 178v-26q14-16 28 0v26Z", p.brown) +
    path("M139 178v-32m7 32v-35m7 35v-32m-21 14h28") +
    path("M112 142h8v12h-8zm60 0h8v12h-8z", h.lit) +
    path("M66 196c14-20 30-24 42-20h76c16-4 30 4 42 20v14H66Z", h.near) +
    path("M136 178h20l8 32h-36Z", p.gold)
  );
};

const balloon: Scene = (p, h) =>
  sky(p, h, 202, 132) +
  cloud(96, 150, 0.9, h) +
  cloud(206, 62, 0.7, h) +
  ground("M8 176q32-18 72-4t70-2 82-10", h.far) +
  ground("M8 190q62-14 122 0t102-8", h.near) +
  stroke("m124 112 12 30m32-30-12 30m-10-22v22", p.ink, 2) +
  path("M146 20c36 0 56 24 54 50-2 22-22 34-32 46h-44c-10-12-30-24-32-46-2-26 18-50 54-50Z", p.red) +
  path(
    "M146 20c-18 0-34 24-32 52 2 20 16 34 20 44h-10c-10-12-30-24-32-46-2-26 18-50 54-50Zm0 0c18 0 34 24 32 52-2 20-16 34-20 44h10c10-12 30-24 32-46 2-26-18-50-54-50Z",
    p.gold,
  ) +
  path("M92 66q54 18 108 0v10q-54 18-108 0Z", p.blue) +
  box(134, 140, 24, 20, p.brown) +
  box(130, 138, 32, 6, p.auburn);

const mountains: Scene = (p, h) =>
  sky(p, h, 90, 50) +
  path("M20 210 92 96l38 54 38-90 76 150Z", p.grey) +
  path("m168 60 20 40-10-4-8 12-10-14-10 8ZM92 96l14 20-10-2-6 10-10-8Z", "#fff") +
  path("m168 60 10 36 28 44 38 70") +
  ground("M8 164q62-20 122-4t102-4", h.far) +
  each(
    [
      [90, 168, 0.7],
      [108, 174, 0.9],
      [204, 170, 0.9],
      [222, 178, 0.75],
      [186, 166, 0.6],
    ] as const,
    ([x, y, s]) => pine(x, y, s, p),
  ) +
  path("M8 178h224v32H8Z", h.sea) +
  stroke("M100 186h50m-10 7h56m-156-3h40", h.foam, 2.4);

const arc: Scene = (p, h) => {
  const bow = each([p.red, p.gold, p.leaf, p.water, p.violet], (colour, i) =>
    path(
      `M${56 + i * 11} 176A${90 - i * 11} ${122 - i * 11} 0 0 1 ${236 - i * 11} 176`,
      "none",
      `stroke="${colour}" stroke-width="11"`,
    ),
  );
  const comet =
    path("M96 132c34-22 74-62 128-110-34 54-68 94-102 124Z", p.gold, 'opacity=".55" stroke="none"') +
    path("M104 134c32-24 72-58 110-98-28 44-58 76-92 104Z", "#fff3c4", 'opacity=".8" stroke="none"') +
    at(106, 140, 1, path("M0-26L7-8 26-7 11 5 17 24 0 13-17 24-11 5-26-7-7-8Z", p.gold));
  return (
    sky(p, h, h.night ? -80 : 146, h.night ? 300 : 150) +
    (h.night
      ? each(
          [
            [92, 50],
            [196, 112],
            [132, 60],
          ] as const,
          ([x, y]) => star(x, y, 9, h.lit),
        ) + comet
      : bow + cloud(90, 168, 0.9, h)) +
    hills(h) +
    tree(200, 186, 0.6, p) +
    tree(184, 190, 0.45, p)
  );
};

const lights: Scene = (p, h) => {
  const rays = each([...Array(12).keys()], (i) =>
    path(
      i % 2 ? "m138 62 8-34 8 34Z" : "M138 62c-2-14 18-18 8-38 16 14 4 24 8 38Z",
      h.night ? p.white : p.gold,
      `transform="rotate(${i * 30} 146 110)"`,
    ),
  );
  const face = path("M128 102q8-6 14 0m8 0q7-6 14 0m-18 4q6 12 1 16h-5m-10 6q14 12 28 0");
  const sun =
    rays +
    disc(146, 110, 46, p.gold) +
    face +
    disc(122, 120, 6, p.red, 'stroke="none" opacity=".4"') +
    disc(170, 120, 6, p.red, 'stroke="none" opacity=".4"');
  const moon =
    path("M160 40a72 72 0 1 0 46 110 60 60 0 0 1-46-110Z", "#fff3c4") +
    path("M118 92q9-7 16 0m-12 40q10 10 20 2m-42-34c-6 8-8 12-2 16") +
    star(184, 84, 14, h.lit) +
    star(204, 118, 8, h.lit) +
    star(168, 116, 7, h.lit);
  return sky(p, h, h.night ? 400 : 146, 110) + (h.night ? moon : sun) + waves(178, h);
};

const world: Scene = (p, h) =>
  sky(p, h, h.night ? 400 : 146, 108) +
  laurel(146, 108, 70, 20, 340, p.leaf) +
  disc(146, 108, 56, h.sea) +
  path(
    "M120 60c16-8 38-4 44 6-6 10-18 6-22 16 8 8 0 20-10 16-12-2-28-2-34-14 6-10 12-18 22-24Zm46 32c14-8 28 0 34 12 0 18-8 34-18 42-10-4-8-18-18-24-8-8-6-24 2-30Zm-56 24c14-4 28 6 26 18-4 12-10 18-14 24-14-8-24-20-28-32 4-6 10-8 16-10Z",
    p.leaf,
  ) +
  path("M146 52v112m-56-56h112m-56-56c-34 24-34 88 0 112 34-24 34-88 0-112", "none", 'opacity=".35"') +
  disc(146, 108, 56, "none", 'stroke-width="4"') +
  path("m146 22 5 13h14l-11 9 4 13-12-8-12 8 4-13-11-9h14Z", p.gold);

export const PLACES: readonly Scene[] = [
  windmill,
  waterwheel,
  gables,
  lighthouse,
  ship,
  whale,
  bridge,
  castle,
  balloon,
  mountains,
  arc,
  lights,
  world,
];
