import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, get, sendOnce } from "./api";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function serverThat(...answers: readonly Response[]): string[] {
  const heard: string[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    heard.push(body);
    return answers[heard.length - 1];
  });
  return heard;
}

const unsure = () => new Response("{}", { status: 503, headers: { "Retry-After": "2" } });

test("what may be written is sent again as the same command", async () => {
  const heard = serverThat(unsure(), unsure(), new Response("{}", { status: 200 }));
  const sent = sendOnce("/api/clubs/x", { cmd: "command-1" });
  await vi.advanceTimersByTimeAsync(4000);
  expect((await sent).status).toBe(200);
  expect(heard).toEqual(Array(3).fill('{"cmd":"command-1"}'));
});

test("what is refused is not sent again, and nobody waits for ever", async () => {
  serverThat(new Response("{}", { status: 409 }));
  expect((await sendOnce("", { cmd: "c" })).status).toBe(409);
  const heard = serverThat(...Array.from({ length: 9 }, unsure));
  const sent = sendOnce("", { cmd: "c" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await sent).status).toBe(503);
  expect(heard).toHaveLength(4);
});

test("a server that never answers, or not to the end, is waited for no longer than two minutes", async () => {
  const never = new Promise<never>(() => undefined);
  let given: AbortSignal | undefined;
  for (const answer of [never, Promise.resolve({ ok: true, text: () => never })]) {
    vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
      given = signal;
      return answer;
    });
    const failed = get("/api/tables/x").catch((failure: unknown) => failure);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await failed).toBeInstanceOf(ApiError);
    expect(await failed).toMatchObject({ status: 0 });
    expect(given?.aborted).toBe(answer === never); // the connection is free again
  }
  expect(vi.getTimerCount()).toBe(0);
});
