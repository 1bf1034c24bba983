// A small engine of its own: who wins a trick, what a pile counts and what a deal of French Tarot pays.
// It was written from ../README.md and ../rules.json, and speaks the line protocol. Node 20, nothing else.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const RULES = JSON.parse(readFileSync(new URL("../rules.json", import.meta.url), "utf8"));
const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"];
const BOUTS = ["T21", "T1", "T0"];

// --- cards -----------------------------------------------------------------------------------------

const cardsIn = (text) => text.split(" ").filter(Boolean);

/** How high a card stands in a trick in which this suit was led; what cannot win stands at 0. */
function height(card, led) {
  if (card === "T0") return 0;
  if (card[0] === "T") return 100 + Number(card.slice(1));
  return card[0] === led ? 1 + RANKS.indexOf(card.slice(1)) : 0;
}

function trick({ cards, slam }) {
  const played = cardsIn(cards);
  const excuse = played.indexOf("T0");
  if (slam && excuse >= 0) return { winner: excuse };
  const led = played.find((card) => card !== "T0")[0]; // a led excuse leaves it to the next card
  const heights = played.map((card) => height(card, led));
  return { winner: heights.indexOf(Math.max(...heights)) };
}

function halfPoints(card) {
  if (BOUTS.includes(card)) return 9;
  return { K: 9, Q: 7, N: 5, J: 3 }[card[0] === "T" ? "" : card.slice(1)] ?? 1;
}

function count({ cards }) {
  const pile = cardsIn(cards);
  return {
    half_points: pile.reduce((sum, card) => sum + halfPoints(card), 0),
    bouts: pile.filter((card) => BOUTS.includes(card)).length,
  };
}

// --- what a deal pays --------------------------------------------------------------------------------

const sign = (side) => (side === "taker" ? 1 : side === "defence" ? -1 : 0);

/** What each defender pays for each reason; what is negative goes the other way. */
function parts(rules, deal) {
  const needed = rules[`target.${deal.bouts}`];
  const won = deal.half_points >= 2 * needed;
  const points = won ? Math.ceil(deal.half_points / 2) : Math.floor(deal.half_points / 2);
  const mult = rules["bid.ladder"].find((row) => row.id === deal.bid).mult;
  const contract = (rules.base + Math.abs(points - needed)) * mult * (won ? 1 : -1);
  const petitAuBout = sign(deal.petit_au_bout) * rules.petitAuBout * mult;
  return { won, paid: { contract, petitAuBout, poignee: poignees(rules, deal, won), slam: slams(rules, deal) } };
}

function poignees(rules, deal, won) {
  const worth = (deal.poignees ?? []).map(
    ([, size]) => rules["poignee.values"][rules["poignee.sizes"].indexOf(size)],
  );
  const together =
    rules["poignee.multiple"] === "sum" ? worth.reduce((a, b) => a + b, 0) : Math.max(0, ...worth);
  return won ? together : -together;
}

function slams(rules, deal) {
  const announced = sign(deal.slam_announced);
  const made = sign(deal.slam_made);
  if (announced === made) return made * rules["slam.announced"];
  return made * rules["slam.silent"] + announced * rules["slam.failed"];
}

/** What every seat gains when each defender pays so much. */
function shared(rules, deal, points) {
  const nets = Array(deal.players).fill(0);
  const alone = deal.partner === undefined;
  for (let seat = 0; seat < deal.players; seat += 1) {
    if (seat === deal.taker) nets[seat] = points * (alone ? deal.players - 1 : rules["share.taker"]);
    else if (seat === deal.partner) nets[seat] = points * rules["share.partner"];
    else nets[seat] = -points;
  }
  return nets;
}

function outcome(deal, rules) {
  const { won, paid } = parts(rules, deal);
  const isVoid = deal.fault && rules["fine.fault"] === "voidIfWon" && won === (deal.fault === "taker");
  const payments = {};
  const nets = Array(deal.players).fill(0);
  for (const [reason, points] of Object.entries(isVoid ? {} : paid)) {
    if (points === 0) continue;
    payments[reason] = shared(rules, deal, points);
    payments[reason].forEach((gained, seat) => (nets[seat] += gained));
  }
  return { nets, payments };
}

// --- the protocol ------------------------------------------------------------------------------------

const KINDS = { trick, count, outcome };

function reply({ id, kind, rules: name, overrides, input }) {
  const book = RULES[name];
  if (book?.family !== "french" || !(kind in KINDS)) return { id, unsupported: true };
  return { id, answer: KINDS[kind](input, { ...book.parameters, ...overrides }) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(reply(JSON.parse(line)))}\n`);
}
