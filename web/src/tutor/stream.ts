/** What the server tells bit by bit: one JSON value a line. */

import { send, trouble } from "../lib/api";

/** The values of a body of JSON lines, as they come; a line may come in pieces. */
export async function* values<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += value ? decoder.decode(value, { stream: true }) : "";
      const lines = rest.split("\n");
      rest = done ? "" : lines.pop()!;
      for (const line of lines) if (line.trim()) yield JSON.parse(line) as T;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // whoever stops listening lets the server stop, too
  }
}

/** Ask, and listen to the answer line by line. */
export async function* streamed<T>(
  method: "GET" | "POST",
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const answer = await send(method, path, body, signal);
  if (!answer.ok || !answer.body) throw await trouble(answer);
  yield* values<T>(answer.body);
}

/** Whether something ended because the page itself stopped it. */
export const stopped = (failure: unknown): boolean => (failure as Error | undefined)?.name === "AbortError";
