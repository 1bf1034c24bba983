/**
 * Digests, and bytes in hexadecimal: by the browser's own cryptography, or by ours where it has none, as on a
 * plain http address in the house. Random bytes it has everywhere.
 */

type Bytes = Uint8Array<ArrayBuffer>;

const own = (): SubtleCrypto | undefined => globalThis.crypto?.subtle;

/** The SHA-256 of some bytes. */
export async function sha256(bytes: Bytes): Promise<Bytes> {
  const subtle = own();
  if (subtle) return new Uint8Array(await subtle.digest("SHA-256", bytes));
  return (await import("./sha256")).sha256(bytes);
}

/** What gives the HMAC-SHA256 of some bytes under a key. */
export async function hmacWith(key: Bytes): Promise<(bytes: Bytes) => Promise<Bytes>> {
  const subtle = own();
  if (subtle) {
    const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (bytes) => new Uint8Array(await subtle.sign("HMAC", made, bytes));
  }
  const { hmac } = await import("./sha256");
  return async (bytes) => hmac(key, bytes);
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Bytes =>
  new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
