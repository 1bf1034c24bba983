import { expect, test } from "vitest";
import { checked, corrections, format, qr } from "./qr";

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

test("the corrections are those of the standard's own example, and of another that is often printed", () => {
  const standard = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  expect(hex(corrections(standard, 10))).toBe("a5 24 d4 c1 ed 36 c7 87 2c 55");
  const hello = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(corrections(hello, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test("format and version bits are those of the standard's tables", () => {
  const table = [
    "101010000010010",
    "101000100100101",
    "101111001111100",
    "101101101001011",
    "100010111111001",
    "100000011001110",
    "100111110010111",
    "100101010100000",
  ];
  expect(table.map((_, mask) => format(mask).toString(2).padStart(15, "0"))).toEqual(table);
  expect(checked(7, 0x1f25, 12).toString(2).padStart(18, "0")).toBe("000111110010010100");
  expect(checked(10, 0x1f25, 12).toString(2).padStart(18, "0")).toBe("001010010011010011");
});

/** Reads a code as a camera would that sees it without a fault; written from the standard, not from the encoder. */
function read(code: readonly (readonly boolean[])[]): string {
  const size = code.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number): number => Number(code[y]![x]);
  const bits = [0, 1, 2, 3, 4, 5, 7].map((x) => at(x, 8)).concat([8, 7, 5, 4, 3, 2, 1, 0].map((y) => at(8, y)));
  const told = parseInt(bits.join(""), 2) ^ 0b101010000010010;
  expect(told >> 13).toBe(0); // correction M
  const mask = (told >> 10) & 7;
  const centres = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]][version]!;
  const reserved = (x: number, y: number): boolean => {
    if (x === 6 || y === 6) return true;
    if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true;
    if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
    return centres.some((cx) =>
      centres.some((cy) => {
        const finder = (cx === 6 && cy === 6) || (cx === 6 && cy > size - 8) || (cy === 6 && cx > size - 8);
        return !finder && Math.abs(x - cx) < 3 && Math.abs(y - cy) < 3;
      }),
    );
  };
  const flipped = (i: number, j: number): number =>
    Number(
      [
        (i + j) % 2 === 0,
        i % 2 === 0,
        j % 3 === 0,
        (i + j) % 3 === 0,
        (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
        ((i * j) % 2) + ((i * j) % 3) === 0,
        (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
        (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
      ][mask],
    );
  const stream: number[] = [];
  const columns = Array.from({ length: size }, (_, x) => x).filter((x) => x !== 6).reverse();
  for (let pair = 0; pair < columns.length; pair += 2)
    for (let step = 0; step < size; step++)
      for (const x of columns.slice(pair, pair + 2)) {
        const y = pair % 4 === 0 ? size - 1 - step : step;
        if (!reserved(x, y)) stream.push(at(x, y) ^ flipped(y, x));
      }
  const words = Array.from({ length: Math.floor(stream.length / 8) }, (_, n) => parseInt(stream.slice(8 * n, 8 * n + 8).join(""), 2));
  const lengths = [[], [16], [28], [44], [32, 32], [43, 43], [27, 27, 27, 27], [31, 31, 31, 31], [38, 38, 39, 39], [36, 36, 36, 37, 37], [43, 43, 43, 43, 44]][version]!;
  const blocks: number[][] = lengths.map(() => []);
  let next = 0;
  for (let place = 0; place < Math.max(...lengths); place++)
    lengths.forEach((length, block) => place < length && blocks[block]!.push(words[next++]!));
  const data = blocks.flat().flatMap((byte) => [...byte.toString(2).padStart(8, "0")]).join("");
  expect(data.slice(0, 4)).toBe("0100");
  const head = version < 10 ? 12 : 20;
  const length = parseInt(data.slice(4, head), 2);
  const bytes = Array.from({ length }, (_, n) => parseInt(data.slice(head + 8 * n, head + 8 * n + 8), 2));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

test.each([1, 14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213])("a text of %i bytes is read again", (length) => {
  const text = "https://tarok.example/sheets/Zq3#pen=ø".padEnd(300, "abcdefghij/-_0123456789").slice(0, length);
  const fits = text.slice(0, [...text].length - (new TextEncoder().encode(text).length - length));
  expect(read(qr(fits))).toBe(fits);
});

test("corners, their light edges and the dark module are where a camera looks for them", () => {
  const code = qr("https://tarok.example");
  const size = code.length;
  for (const [x, y] of [[0, 0], [size - 7, 0], [0, size - 7]] as const) {
    expect(code.slice(y, y + 7).map((row) => row.slice(x, x + 7).map(Number).join(""))).toEqual([
      "1111111",
      "1000001",
      "1011101",
      "1011101",
      "1011101",
      "1000001",
      "1111111",
    ]);
  }
  expect(code[7]!.slice(0, 8).some(Boolean)).toBe(false);
  expect(code[size - 8]![8]).toBe(true);
});

test("what is too long is refused", () => {
  expect(() => qr("x".repeat(214))).toThrow(RangeError);
});
