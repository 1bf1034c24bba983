/** QR codes of texts up to 213 bytes: ISO 18004, bytes, error correction M, versions 1 to 10. */

// For each version: error correction codewords in a block, then the data codewords of its blocks.
const BLOCKS: readonly (readonly [number, ...number[]])[] = [
  [10, 16],
  [16, 28],
  [26, 44],
  [18, 32, 32],
  [24, 43, 43],
  [16, 27, 27, 27, 27],
  [18, 31, 31, 31, 31],
  [22, 38, 38, 39, 39],
  [22, 36, 36, 36, 37, 37],
  [26, 43, 43, 43, 43, 44],
];
const [FORMAT, VERSION] = [0x537, 0x1f25]; // the polynomials behind what the code tells of itself

/** The modules of the code, row by row; true is dark. */
export function qr(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, at) => bytes.length + (at < 9 ? 2 : 3) <= room(at + 1)) + 1;
  if (version === 0) throw new RangeError("too long for this code");
  const bits = interleaved(codewords(bytes, version), version).flatMap((byte) => bitsOf(byte, 8));
  const codes = Array.from({ length: 8 }, (_, mask) => drawn(bits, version, mask));
  return codes.reduce((best, code) => (penalty(code) < penalty(best) ? code : best));
}

const room = (version: number): number => BLOCKS[version - 1]!.slice(1).reduce((sum, many) => sum + many, 0);
const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, at) => (value >> (length - 1 - at)) & 1);

function codewords(bytes: readonly number[], version: number): number[] {
  const bits = [...bitsOf(4, 4), ...bitsOf(bytes.length, version < 10 ? 8 : 16), ...bytes.flatMap((byte) => bitsOf(byte, 8))];
  bits.push(...Array<number>(Math.min(4, room(version) * 8 - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(8 * at, 8 * at + 8).join(""), 2));
  for (let pad = 0xec; words.length < room(version); pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

function interleaved(words: readonly number[], version: number): number[] {
  const [size, ...lengths] = BLOCKS[version - 1]!;
  const starts = lengths.map((_, at) => lengths.slice(0, at).reduce((sum, many) => sum + many, 0));
  const data = lengths.map((many, at) => words.slice(starts[at]!, starts[at]! + many));
  const checks = data.map((block) => corrections(block, size));
  return [...woven(data), ...woven(checks)];
}

const woven = (blocks: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.max(...blocks.map((block) => block.length)) }, (_, at) =>
    blocks.flatMap((block) => block[at] ?? []),
  ).flat();

function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/** The codewords of Reed and Solomon that correct a block. */
export function corrections(block: readonly number[], size: number): number[] {
  let generator = [1];
  for (let at = 0, root = 1; at < size; at++, root = times(root, 2))
    generator = [...generator, 0].map((one, place) => one ^ times(generator[place - 1] ?? 0, root));
  const rest = [...block, ...Array<number>(size).fill(0)];
  block.forEach((_, at) => {
    const factor = rest[at]!;
    generator.forEach((one, place) => (rest[at + place]! ^= times(one, factor)));
  });
  return rest.slice(block.length);
}

/** A value with the rest of its division by a polynomial behind it. */
export function checked(value: number, polynomial: number, length: number): number {
  let rest = value << length;
  for (let bit = 31 - Math.clz32(rest); bit >= length; bit--) if ((rest >> bit) & 1) rest ^= polynomial << (bit - length);
  return (value << length) | rest;
}

/** The fifteen bits that tell correction M and the mask. */
export const format = (mask: number): number => checked(mask, FORMAT, 10) ^ 0x5412;

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function drawn(bits: readonly number[], version: number, mask: number): boolean[][] {
  const size = 17 + 4 * version;
  const code: (boolean | undefined)[][] = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const put = (x: number, y: number, dark: boolean): void => {
    if (x >= 0 && y >= 0 && x < size && y < size) code[y]![x] = dark;
  };
  const square = (cx: number, cy: number, reach: number, light: number): void => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        put(cx + x, cy + y, ring !== light && ring !== 4);
      }
  };
  for (let at = 0; at < size; at++) for (const [x, y] of [[6, at], [at, 6]] as const) put(x, y, at % 2 === 0);
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, 2);
  const places = alignments(version);
  for (const x of places) for (const y of places) if (!corner(x, y, size)) square(x, y, 2, 1);
  bitsOf(format(mask), 15).forEach((bit, at) => {
    put(at < 6 ? at : at < 7 ? 7 : 8, at < 8 ? 8 : at < 9 ? 7 : 14 - at, bit === 1);
    put(at < 7 ? 8 : size - 15 + at, at < 7 ? size - 1 - at : 8, bit === 1);
  });
  put(8, size - 8, true);
  if (version >= 7)
    bitsOf(checked(version, VERSION, 12), 18).reverse().forEach((bit, at) => {
      put(size - 11 + (at % 3), Math.floor(at / 3), bit === 1);
      put(Math.floor(at / 3), size - 11 + (at % 3), bit === 1);
    });
  let next = 0;
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step;
        if (code[y]![x] === undefined) put(x, y, (bits[next++] ?? 0) === 1 !== MASKS[mask]!(x, y));
      }
  return code as boolean[][];
}

function alignments(version: number): number[] {
  if (version === 1) return [];
  const last = 10 + 4 * version;
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

const corner = (x: number, y: number, size: number): boolean =>
  (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);

/** How hard a code is to read: long runs, blocks, what looks like a corner, too much of one colour. */
function penalty(code: readonly (readonly boolean[])[]): number {
  const rows = code.map((row) => row.map(Number).join(""));
  const columns = code.map((_, x) => code.map((row) => Number(row[x])).join(""));
  const runs = [...rows, ...columns].flatMap((line) => line.match(/0{5,}|1{5,}/g) ?? []);
  const corners = [...rows, ...columns].flatMap((line) => line.match(/(?=10111010000|00001011101)/g) ?? []);
  const blocks = code.flatMap((row, y) => row.filter((dark, x) => row[x + 1] === dark && code[y + 1]?.[x] === dark && code[y + 1]?.[x + 1] === dark));
  const dark = rows.join("").replace(/0/g, "").length / code.length ** 2;
  const long = runs.reduce((sum, run) => sum + run.length - 2, 0);
  return long + 3 * blocks.length + 40 * corners.length + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}
