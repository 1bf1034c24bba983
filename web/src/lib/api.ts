/** The server's JSON over HTTP. What goes wrong is an `ApiError` that a person can read. */

import type { Cited } from "../protocol";
import { t } from "./words";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly field = "",
    readonly cite: Cited | null = null,
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
  const text = await answer.text();
  const value = parsed(text);
  if (answer.ok) return value as T;
  const { error, field, cite } = (value ?? {}) as { error?: string; field?: string; cite?: Cited };
  throw new ApiError(answer.status, error ?? t("common.failed", { status: answer.status }), field, cite);
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  try {
    return await fetch(path, { method, credentials: "same-origin", ...json });
  } catch {
    throw new ApiError(0, t("common.offline"));
  }
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
