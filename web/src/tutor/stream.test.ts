import { expect, test } from "vitest";
import { stopped, values } from "./stream";

function body(...pieces: string[]): ReadableStream<Uint8Array> {
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream({
    pull(control) {
      const next = bytes.shift();
      if (next) control.enqueue(next);
      else control.close();
    },
  });
}

async function all<T>(stream: ReadableStream<Uint8Array>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values<T>(stream)) found.push(value);
  return found;
}

test("a value is told when its line is complete", async () => {
  expect(await all(body('{"done":1}\n{"do', 'ne":2}\n', '{"done":3}\n'))).toEqual([
    { done: 1 },
    { done: 2 },
    { done: 3 },
  ]);
});

test("the last line needs no end, and empty lines say nothing", async () => {
  expect(await all(body('1\n\n2\n \n3'))).toEqual([1, 2, 3]);
  expect(await all(body())).toEqual([]);
});

test("a letter of several bytes may come in pieces", async () => {
  const bytes = new TextEncoder().encode('"♠K"\n');
  const stream = new ReadableStream<Uint8Array>({
    start(control) {
      for (const byte of bytes) control.enqueue(new Uint8Array([byte]));
      control.close();
    },
  });
  expect(await all(stream)).toEqual(["♠K"]);
});

test("whoever stops listening closes the stream", async () => {
  let closed = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (control) => control.enqueue(new TextEncoder().encode("1\n")),
    cancel: () => void (closed = true),
  });
  for await (const value of values(stream)) {
    expect(value).toBe(1);
    break;
  }
  expect(closed).toBe(true);
});

test("an end that the page wished is no trouble", () => {
  expect(stopped(new DOMException("stop", "AbortError"))).toBe(true);
  expect(stopped(new Error("no"))).toBe(false);
});
