// A player for Ultimo in JavaScript (Node 20, nothing to install); docs/protocol.md says what the lines are.
//   ultimo arena --rules dtf --players "cmd:node examples/bots/first-legal.mjs,club,club"
// It leads high and follows low, but wins the trick cheaply when it plays last.
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let danish = false;
let table = 3; // how many play
let trick = []; // the cards on the table

const suit = (card) => card[0];
// Trumps are T1 to T21, the skus or excuse is T0. In a suit the courts (J N Q K) beat the numbers; of the
// Danish red numbers the lowest is the best.
const rank = (card) => {
  const court = "JNQK".indexOf(card[1]);
  if (court >= 0) return 20 + court;
  return danish && "HD".includes(suit(card)) ? 11 - card.slice(1) : Number(card.slice(1));
};
const beats = (card, other) =>
  suit(card) === suit(other) ? rank(card) > rank(other) : suit(card) === "T" && card !== "T0";

function card(names) {
  const best = trick.reduce((top, next) => (beats(next, top) ? next : top), trick[0]);
  const low = [...names].sort((a, b) => (suit(a) === "T") - (suit(b) === "T") || rank(a) - rank(b));
  const winners = low.filter((name) => best && beats(name, best));
  if (!trick.length) return low.filter((name) => suit(name) !== "T").at(-1) ?? low[0];
  return trick.length === table - 1 && winners.length ? winners[0] : low[0];
}

function choose({ phase, legal }) {
  const isCard = (one) => /^[SHCDT][0-9JNQK]+$/.test(one.name);
  const cards = legal.filter(isCard).map((one) => one.name);
  if (!cards.length) {
    const calm = legal.find((one) => ["pass", "decline", "accept the hand"].includes(one.name));
    return (calm ?? legal[0]).action; // promises nothing, and leads the skus as what comes first
  }
  const name = phase === "play" ? card(cards) : cards[0];
  return legal.find((one) => one.name === name).action;
}

function note(event) {
  if (event.type === "Opened") table = event.active.length;
  if (event.type === "CardPlayed") trick.push(event.card);
  if (event.type === "CardTakenBack") trick = trick.filter((one) => one !== event.card);
  if (event.type === "TrickWon" || event.type === "Opened") trick = [];
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "First legal", version: "1.0" });
  if (message.type === "begin") danish = message.family === "danish";
  if (message.type === "event") note(message.event);
  if (message.type === "choose") say({ type: "action", id: message.id, action: choose(message) });
  if (message.type === "quit") break;
}
