/**
 * SHA-256 and HMAC-SHA256 (FIPS 180-4, RFC 2104) for pages on a plain http address, where browsers give no
 * cryptography. It is loaded there alone.
 */

const BLOCK = 64; // bytes

/** The fractional parts of the roots of the first primes, 32 bits of each. */
function roots(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++)
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  return Uint32Array.from(found, (prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

const START = roots(8, Math.sqrt);
const ROUNDS = roots(64, Math.cbrt);

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** One round of the compression of a block into the state. */
function compress(state: Uint32Array, words: Uint32Array): void {
  for (let at = 16; at < 64; at++) {
    const [early, late] = [words[at - 15]!, words[at - 2]!];
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16]! + one + words[at - 7]! + two;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + mixed + ((e & f) ^ (~e & g)) + ROUNDS[at]! + words[at]!) | 0;
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at]! += word));
}

/** The SHA-256 of some bytes. */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const [state, words] = [START.slice(), new Uint32Array(64)];
  for (let block = 0; block < padded.length; block += BLOCK) {
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + 4 * at);
    compress(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setUint32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

/** The HMAC-SHA256 of some bytes under a key. */
export function hmac(key: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const under = (mask: number, rest: Uint8Array): Uint8Array<ArrayBuffer> =>
    sha256(Uint8Array.from([...padded.map((byte) => byte ^ mask), ...rest]));
  return under(0x5c, under(0x36, bytes));
}
