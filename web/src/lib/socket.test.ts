import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Full, PageMessage, ServerMessage, Update, Wish } from "../protocol";
import { delay, FIRST_DELAY, HEARTBEAT, Line, LONGEST_DELAY, SILENCE } from "./socket";

class FakeSocket {
  readyState = 0;
  sent: PageMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  send(text: string) {
    this.sent.push(JSON.parse(text) as PageMessage);
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  tell(message: Partial<ServerMessage>) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  break() {
    this.readyState = 3;
    this.onclose?.();
  }
}

const READY: Wish = { type: "Ready" };
const START: Wish = { type: "Start" };

let sockets: FakeSocket[];
let heard: { fulls: number[]; updates: number[]; refused: string[]; states: string[]; waiting: number };
let line: Line;

const last = () => sockets.at(-1)!;
const full = (seq: number): Partial<Full> => ({ type: "full", seq, story: [] });
const update = (base: number, seq: number): Partial<Update> => ({
  type: "update",
  base,
  seq,
  patch: {},
  story: [],
});

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  heard = { fulls: [], updates: [], refused: [], states: [], waiting: 0 };
  let commands = 0;
  line = new Line(
    {
      full: (message) => heard.fulls.push(message.seq),
      update: (message) => heard.updates.push(message.seq),
      refused: (wish, reason) => heard.refused.push(`${wish.type}: ${reason}`),
      waiting: (count) => (heard.waiting = count),
      state: (state, reason) => heard.states.push(reason ? `${state}: ${reason}` : state),
    },
    {
      socket: () => {
        sockets.push(new FakeSocket());
        return last() as unknown as WebSocket;
      },
      command: () => `command-${++commands}`,
      random: () => 1,
      now: () => Date.now(),
    },
  );
});

afterEach(() => {
  line.close();
  vi.useRealTimers();
});

test("everything comes first, then what changes", () => {
  last().open();
  last().tell(full(4));
  last().tell(update(4, 6));
  last().tell(update(6, 7));
  expect(heard.fulls).toEqual([4]);
  expect(heard.updates).toEqual([6, 7]);
  expect(heard.states).toEqual(["open"]);
});

test("a gap asks for everything, once", () => {
  last().open();
  last().tell(full(4));
  last().tell(update(5, 6));
  last().tell(update(6, 7));
  expect(last().sent).toEqual([{ type: "resync" }]);
  expect(heard.updates).toEqual([]);
  last().tell(full(7));
  last().tell(update(7, 8));
  expect(heard.updates).toEqual([8]);
});

test("a command that has no answer is sent again with its id after a loss", () => {
  last().open();
  last().tell(full(1));
  line.do(READY);
  line.do(START);
  last().tell({ type: "done", cmd: "command-1", seq: 2 });
  expect(heard.waiting).toBe(1);
  last().break();
  expect(heard.states.at(-1)).toBe("lost");
  vi.advanceTimersByTime(FIRST_DELAY);
  last().open();
  expect(sockets).toHaveLength(2);
  expect(last().sent).toEqual([{ type: "do", cmd: "command-2", wish: START }]);
});

test("a command wished while the line is down goes out when it is up", () => {
  line.do(READY);
  expect(last().sent).toEqual([]);
  last().open();
  expect(last().sent).toEqual([{ type: "do", cmd: "command-1", wish: READY }]);
});

test("a refusal is told with its wish and is not sent again", () => {
  last().open();
  line.do(READY);
  last().tell({ type: "refused", cmd: "command-1", reason: "not now", cite: null });
  expect(heard.refused).toEqual(["Ready: not now"]);
  expect(heard.waiting).toBe(0);
});

test("the waits grow to a limit and are never the same for all", () => {
  expect(delay(0, 1)).toBe(FIRST_DELAY);
  expect(delay(1, 1)).toBe(2 * FIRST_DELAY);
  expect(delay(1, 0)).toBe(FIRST_DELAY);
  expect(delay(99, 1)).toBe(LONGEST_DELAY);
});

test("the waits begin anew once the table is back", () => {
  for (let tries = 0; tries < 3; tries++) {
    last().break();
    vi.advanceTimersByTime(LONGEST_DELAY);
  }
  expect(sockets).toHaveLength(4);
  last().open();
  last().tell(full(1));
  last().break();
  vi.advanceTimersByTime(FIRST_DELAY);
  expect(sockets).toHaveLength(5);
});

test("a heart beats, and silence is a loss", () => {
  last().open();
  last().tell(full(1));
  vi.advanceTimersByTime(HEARTBEAT);
  expect(last().sent).toEqual([{ type: "ping" }]);
  last().tell({ type: "pong", now: 0 });
  vi.advanceTimersByTime(SILENCE + HEARTBEAT);
  expect(heard.states.at(-1)).toBe("lost");
});

test("somebody back on the network does not wait", () => {
  last().break();
  line.hurry();
  expect(sockets).toHaveLength(2);
  line.hurry();
  expect(sockets).toHaveLength(2);
});

test("a goodbye ends it, or asks to come again", () => {
  last().open();
  last().tell({ type: "goodbye", reason: "restarting", again: true });
  expect(heard.states.at(-1)).toBe("lost: restarting");
  vi.advanceTimersByTime(FIRST_DELAY);
  last().open();
  last().tell({ type: "goodbye", reason: "no such table", again: false });
  expect(heard.states.at(-1)).toBe("closed: no such table");
  vi.advanceTimersByTime(10 * LONGEST_DELAY);
  expect(sockets).toHaveLength(2);
});
