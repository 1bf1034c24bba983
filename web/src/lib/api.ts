/** JSON as the house answers it. What goes wrong is an `ApiError` that a person can read. */

import type { Cited } from "../protocol";
import { ask, NoHouse } from "./house";
import { within } from "./patience";
import { t } from "./words";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly field = "",
    readonly cite: Cited | null = null,
    readonly column: number | null = null, // where in a line of text
  ) {
    super(message);
  }
}

export const get = <T>(path: string): Promise<T> => request<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => request<T>("POST", path, body);
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>("PATCH", path, body);
export const del = <T>(path: string): Promise<T> => request<T>("DELETE", path);

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  if (!answer.ok) throw await trouble(answer);
  return parsed(await textOf(answer)) as T;
}

const unreachable = (): ApiError => new ApiError(0, t("common.offline"));

/** The text of an answer, whose connection may be lost in the middle. */
const textOf = (answer: Response): Promise<string> =>
  within(answer.text()).catch(() => {
    throw unreachable();
  });

type Said = { error?: string; field?: string; cite?: Cited; column?: number };

/** What an answer that refuses says. */
export async function trouble(answer: Response): Promise<ApiError> {
  const { error, field, cite, column } = (parsed(await textOf(answer)) ?? {}) as Said;
  return new ApiError(answer.status, error ?? t("common.failed", { status: answer.status }), field, cite, column);
}

export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal: AbortSignal | null = null,
): Promise<Response> {
  try {
    return await ask(method, path, body === undefined ? undefined : JSON.stringify(body), signal);
  } catch (failure) {
    if (signal?.aborted) throw failure; // the page itself has stopped it
    throw failure instanceof NoHouse ? new ApiError(0, failure.message) : unreachable();
  }
}

const TRIES = 4;

/**
 * Send a command that the server writes once, however often it comes: again and with the same id, while the server
 * does not know whether it is written.
 */
export async function sendOnce(path: string, item: { readonly cmd: string }): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send("POST", path, item);
    const seconds = answer.headers.get("Retry-After");
    if (answer.status !== 503 || seconds === null || tries === TRIES) return answer;
    await new Promise((done) => setTimeout(done, Number(seconds) * 1000));
  }
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
