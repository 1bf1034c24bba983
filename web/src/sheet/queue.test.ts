import { expect, test } from "vitest";
import { Queue, Refused, unseen, type Kept, type Send, type Wish } from "./queue";

const UNDO: Wish = { type: "UndoDeal" };
const BOOK: Wish = { type: "BookDeal", entry: { game: "danish", winner: 1, counts: { 1: 30, 2: 20 } } };

function storage(): Kept & { text: Map<string, string> } {
  const text = new Map<string, string>();
  return {
    text,
    getItem: (key) => text.get(key) ?? null,
    setItem: (key, value) => void text.set(key, value),
    removeItem: (key) => void text.delete(key),
  };
}

/** A server that writes each command once, and forgets to answer when told so. */
function server(seq = 1): { log: string[]; send: Send; mute: number } {
  const here = {
    log: Array.from({ length: seq }, (_, at) => `before ${at}`),
    mute: 0,
    send: async (item: Parameters<Send>[0]): Promise<number> => {
      const known = here.log.indexOf(item.cmd);
      if (known < 0 && item.base !== here.log.length) throw new Refused(409, "behind");
      if (known < 0) here.log.push(item.cmd);
      if (here.mute-- > 0) throw new TypeError("the answer is lost");
      return known < 0 ? here.log.length : known + 1;
    },
  };
  return here;
}

test("the last deal is taken back as long as it waits", async () => {
  const queue = new Queue(storage(), "sheet");
  queue.add(BOOK, 1);
  queue.add(UNDO, 1);
  expect(queue.takeBack()).toBe(null);
  queue.add(BOOK, 1);
  expect(queue.takeBack()).toEqual({ game: "danish", winner: 1, counts: { 1: 30, 2: 20 } });
  expect(queue.waiting.length).toBe(2);
});

test("what waits is sent in order and forgotten", async () => {
  const kept = storage();
  const house = server();
  const queue = new Queue(kept, "sheet");
  queue.add(BOOK, 1);
  queue.add(UNDO, 1);
  expect(queue.waiting.map((item) => item.base)).toEqual([1, 2]);
  expect(await queue.flush(house.send)).toEqual({ all: true });
  expect(house.log).toHaveLength(3);
  expect(kept.text.size).toBe(0);
});

test("without an answer the same command is sent again, and written once", async () => {
  const house = server();
  const queue = new Queue(storage(), "sheet");
  queue.add(BOOK, 1);
  house.mute = 1;
  expect(await queue.flush(house.send)).toEqual({ all: false, refused: null });
  expect(queue.waiting).toHaveLength(1);
  expect(await queue.flush(house.send)).toEqual({ all: true });
  expect(house.log).toHaveLength(2);
});

test("what waits is there after the page was loaded anew", async () => {
  const kept = storage();
  new Queue(kept, "sheet").add(BOOK, 1);
  const again = new Queue(kept, "sheet");
  expect(again.waiting[0]!.wish).toEqual(BOOK);
  const house = server();
  await again.flush(house.send);
  expect(house.log).toHaveLength(2);
});

test("two who ask for it send everything once", async () => {
  const house = server();
  const queue = new Queue(storage(), "sheet");
  queue.add(BOOK, 1);
  await Promise.all([queue.flush(house.send), queue.flush(house.send)]);
  expect(house.log).toHaveLength(2);
});

test("what is refused stays until somebody has decided", async () => {
  const house = server(3);
  const queue = new Queue(storage(), "sheet");
  queue.add(BOOK, 1);
  queue.add(UNDO, 1);
  const sent = await queue.flush(house.send);
  expect(sent.all === false && sent.refused?.status).toBe(409);
  queue.rebase(3);
  expect(await queue.flush(house.send)).toEqual({ all: true });
  expect(house.log).toHaveLength(5);
});

test("what is thrown away lets the next move up", () => {
  const queue = new Queue(storage(), "sheet");
  queue.add(BOOK, 4);
  queue.add(UNDO, 4);
  queue.drop();
  expect(queue.waiting.map((item) => [item.base, item.wish.type])).toEqual([[4, "UndoDeal"]]);
});

test("a deal that was booked counts once until it is seen", () => {
  const item = { cmd: "one", base: 1, wish: BOOK };
  expect(unseen([item, { cmd: "two", base: 2, wish: UNDO }], [], 1)).toBe(1);
  expect(unseen([item], [{ ...item, seq: 2 }], 1)).toBe(1);
  expect(unseen([], [{ ...item, seq: 2 }], 1)).toBe(1);
  expect(unseen([], [{ ...item, seq: 2 }], 2)).toBe(0);
  expect(unseen([item, { ...item, cmd: "two", base: 2 }], [], 2)).toBe(1); // the first is seen, its answer is not
  expect(unseen([item], [], 1, ({ game }) => game === "french")).toBe(0);
});

test.each(["nonsense", "{}", "[1]", "null"])("what was not kept by us is left: %s", (text) => {
  const kept = storage();
  kept.text.set("sheet", text);
  expect(new Queue(kept, "sheet").waiting).toEqual([]);
});
