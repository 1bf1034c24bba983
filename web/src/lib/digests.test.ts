import { afterEach, expect, test, vi } from "vitest";
import { fromHex, hmacWith, sha256, toHex } from "./digests";
import { commitment, verify, type AnyProof } from "./fair";
import * as ours from "./sha256";
import { answer } from "./shuffling";
import vectors from "./fair.vectors.json";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const without = (): void => void vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });

afterEach(() => vi.unstubAllGlobals());

// FIPS 180-4, as NIST publishes them
test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
])("SHA-256 number %#", (text, digest) => {
  expect(toHex(ours.sha256(bytes(text)))).toBe(digest);
});

test("every length around a block is padded as it should be", async () => {
  for (let length = 0; length < 200; length++) {
    const text = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
    expect(toHex(ours.sha256(text))).toBe(toHex(await sha256(text)));
  }
});

// RFC 4231
test.each([
  ["0b".repeat(20), "4869205468657265", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
  ["4a656665", toHex(bytes("what do ya want for nothing?")), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
  ["aa".repeat(20), "dd".repeat(50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
  ["aa".repeat(131), toHex(bytes("Test Using Larger Than Block-Size Key - Hash Key First")), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"],
])("HMAC number %#", (key, text, code) => {
  expect(toHex(ours.hmac(fromHex(key), fromHex(text)))).toBe(code);
});

test("the browser's and ours are the same", async () => {
  const [key, text] = [bytes("a key"), bytes("some text")];
  const given = [await sha256(text), await (await hmacWith(key))(text)].map(toHex);
  without();
  expect([await sha256(text), await (await hmacWith(key))(text)].map(toHex)).toEqual(given);
});

test.each(vectors)("without cryptography of the browser the shuffle of $proof.table is that of the server", async (vector) => {
  without();
  const split = (text: string): string[] => (text ? text.split(" ") : []);
  const dealt = { hands: vector.dealt.hands.map(split), chien: split(vector.dealt.chien) };
  const proof = vector.proof as AnyProof;
  const verdict = await verify({ proof, draw: "cards", times: proof.dealing, dealt, ways: [vector.dealing] });
  const fits = verdict.checks.every(({ passed }) => passed);
  expect([verdict.key, verdict.deck.join(" "), fits]).toEqual([vector.key, vector.deck, true]);
});

test("without cryptography of the browser a page takes part in the shuffle", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  without();
  const shown = { number: 1, draw: "cards", deal: 1, server: "commitment", players: [] } as const;
  const commit = await answer("table", 0, { ...shown, wanted: "commit" });
  const players = commit?.type === "Commit" ? [commit.digest] : [];
  const reveal = await answer("table", 0, { ...shown, players, wanted: "reveal" });
  if (commit?.type !== "Commit" || reveal?.type !== "Reveal") throw new Error("two answers are wanted");
  expect(await commitment(reveal.secret)).toBe(commit.digest);
});
