"""Answers to vectors by the plain engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from ultimo import deal, record, series
from ultimo import events as e
from ultimo.cards import SUITS, Cards, mask, parse_cards
from ultimo.conformance.notation import action, action_text, declaration_text, moves, state_of, text
from ultimo.danish import deal_out as danish_deal_out
from ultimo.danish import phases as danish_phases
from ultimo.danish.declarations import declarations, value
from ultimo.danish.following import winner as danish_winner
from ultimo.danish.numbers import numbers as danish_numbers
from ultimo.danish.state import pile_points
from ultimo.family import Outcome, family
from ultimo.french import deal_out as french_deal_out
from ultimo.french import half_points, reckoning
from ultimo.french import phases as french_phases
from ultimo.french.following import winner as french_winner
from ultimo.french.numbers import numbers as french_numbers
from ultimo.french.settlement import poignee_value
from ultimo.play.choices import Choices, Lays, Shows
from ultimo.play.following import FIRST_TRUMP, NO_SUIT, SKUS_CARD, suit_of
from ultimo.play.places import begun
from ultimo.record import RecordError, jsonl
from ultimo.record.check import IllegalRecord, check
from ultimo.rulebook import DanishRules, Rules

MOST = 200  # actions that are written out; where mistakes can happen, anything at all can be declared

Given = Mapping[str, Any]
Answer = dict[str, Any]


class Wrong(Exception):
    """What was given cannot be: by a stable key, where the engine has one, and where it stands."""

    def __init__(self, key: str, **where: Any) -> None:
        super().__init__(key)
        self.error: Answer = ({"key": key} if key else {}) | where


class Unsupported(Exception):
    """An engine that does not know this kind of question, or these rules."""


def answer(kind: str, rules: Rules, given: Given) -> Answer:
    """What the engine says to a vector; `Wrong` where what was given is refused."""
    if kind not in KINDS:
        raise Unsupported(kind)
    return KINDS[kind](rules, given)


# --- what may be done ------------------------------------------------------------------------------------


def legal(rules: Rules, given: Given) -> Answer:
    """What a seat may do in a position; of some actions, if they are given, which."""
    choices = deal.legal(rules, state_of(rules, given["position"]), given["seat"])
    if "among" in given:
        return {"actions": [said for said in given["among"] if action(said) in choices]}
    return told(choices)


def told(choices: Choices) -> Answer:
    """Choices as a vector tells them: few actions by name, sets of cards by their number and their cards."""
    few: list[str] = []
    many: dict[str, list[Lays | Shows]] = defaultdict(list)
    for offer in choices.offers:
        match offer:
            case Lays():
                many["lay tout" if offer.tout else "lay"].append(offer)
            case Shows():
                many[f"show {offer.sets.size}"].append(offer)
            case _ if len(offer) > MOST:
                raise Unsupported("more actions than can be written out")
            case _:
                few += map(action_text, offer)
    return {"actions": sorted(few)} | {name: sets(offers) for name, offers in many.items()}


def sets(offers: Sequence[Lays | Shows]) -> Answer:
    """Sets of cards: how many there are, the cards that are in all of them, and those that are in any."""
    if len(offers) == 1:
        one = offers[0].sets
        return described(len(one), one.must, one.must | one.among, one.size)
    every = set(chain.from_iterable(offer.sets for offer in offers))
    together, common = 0, -1
    for some in every:
        together |= some
        common &= some
    return {"number": len(every), "all": text(common if every else 0), "any": text(together)}


def described(number: int, must: Cards, may: Cards, size: int) -> Answer:
    """Sets of `size` cards that hold `must`, the rest being any of `may`."""
    if number == 1 and may.bit_count() >= size:
        must = may if may.bit_count() == size else must
    if must.bit_count() == size:
        may = must
    return {"number": number, "all": text(must), "any": text(may)}


# --- tricks, hands, piles --------------------------------------------------------------------------------


def trick(rules: Rules, given: Given) -> Answer:
    """Which card of a trick wins it, by its place."""
    cards = [card.index for card in parse_cards(given["cards"])]
    if not isinstance(rules, DanishRules):
        return {"winner": french_winner(cards, bool(given.get("slam")) and SKUS_CARD in cards)}
    led = SUITS.index(given["named"]) if "named" in given else suit_of(cards[0])
    first, second, third = cards
    return {"winner": danish_winner(first, second, third, led if led != NO_SUIT else suit_of(second))}


def declared(rules: Rules, given: Given) -> Answer:
    """What a hand declares with what each opponent pays for it; in French Tarot its poignées."""
    hand = mask(given["hand"])
    if isinstance(rules, DanishRules):
        if "skat" in given and not danish_phases.declares_on_skat(danish_numbers(rules)):
            hand &= ~mask(given["skat"])
        made = declarations(rules, hand)
        return {"declarations": {declaration_text(one): value(rules, one) for one in made}}
    laid = mask(given.get("laid", "")) >> FIRST_TRUMP
    numbers, trumps = french_numbers(rules), hand >> FIRST_TRUMP
    shown = french_phases.showable(numbers, trumps, laid, bool(given.get("taker")))
    excuse = bool(mask("T0") & hand)
    sizes = [size for size in rules.poignee.sizes if french_phases.can_show(shown, excuse, size)]
    return {"poignees": {str(size): poignee_value(rules, size) for size in sizes}}


def count(rules: Rules, given: Given) -> Answer:
    """The points of a pile; of a dealer's with the skat."""
    pile = mask(given["cards"])
    if not isinstance(rules, DanishRules):
        return {"half_points": half_points(pile), "bouts": reckoning.pile_bouts(pile >> FIRST_TRUMP)}
    skat = given.get("skat", "")
    order = (1, 2, 0)
    seat = 0 if skat else 1
    state = state_of(
        rules,
        {
            "table": 3,
            "order": order,
            "piles": [given["cards"] if one == seat else "" for one in range(3)],
            "won": [given["tricks"] if one == seat else 0 for one in range(3)],
            "skat": skat,
        },
    )
    return {"points": pile_points(state)[seat]}  # type: ignore[arg-type]


# --- payments --------------------------------------------------------------------------------------------


def outcome(rules: Rules, given: Given) -> Answer:
    """Every payment of a deal that a score sheet notes."""
    try:
        noted = msgspec.convert(dict(given), Outcome, str_keys=True)
    except msgspec.ValidationError as error:
        raise Wrong("unreadable", reason=str(error)) from error
    if noted.family != rules.family:
        raise Wrong("otherFamily")
    try:
        settled = deal.settle(rules, noted)
    except e.ImpossibleOutcome as error:
        raise Wrong(error.key, field=error.field) from error
    return ledger(rules, noted.table, settled.transfers, noted.cups)


def ledger(rules: Rules, table: int, paid: Iterable[e.Transfer], cups: Mapping[e.Cup, int]) -> Answer:
    """What each seat has gained, what the cups hold, and the same for each reason."""
    accounts: tuple[e.Account, ...] = (*range(table), *rules.accounts)
    by_reason: dict[str, list[e.Transfer]] = defaultdict(list)
    for one in paid:
        by_reason[one.reason].append(one)
    reasons = {reason: e.balances(some) for reason, some in sorted(by_reason.items())}
    nets = [sum(gained[seat] for gained in reasons.values()) for seat in range(table)]
    found: Answer = {"nets": nets}
    if rules.accounts:
        found["cups"] = {
            cup: held + sum(gained[cup] for gained in reasons.values()) for cup, held in cups.items()
        }
    found["payments"] = {
        reason: [gained[one] for one in accounts]
        for reason, gained in reasons.items()
        if any(gained.values())
    }
    return found


# --- deals -----------------------------------------------------------------------------------------------


class Played:
    """A deal that is played move by move."""

    def __init__(self, rules: Rules, state: deal.State, events: Iterable[e.DealEvent] = ()) -> None:
        self.rules, self.state = rules, state
        self.log: list[e.DealEvent] = list(events)

    def act(self, seat: e.Seat | None, wish: e.Action) -> None:
        """Let a seat, or chance, have its wish."""
        self.state, events = deal.step(self.rules, self.state, seat, wish)
        self.log += events

    def play(self, said: str, dealings: Iterable[Given] = ()) -> None:
        """Let the moves follow one another; whenever cards are wanted, the next dealing gives them."""
        cards = iter(dealings)
        for number, (seat, wish) in enumerate(moves(said)):
            self._deal(cards)
            try:
                self.act(seat, wish)
            except e.IllegalAction as refusal:
                raise Wrong(refusal.key, move=number) from refusal
        self._deal(cards)

    def _deal(self, cards: Any) -> None:
        while deal.needs_cards(self.state) and (one := next(cards, None)) is not None:
            given = e.Deal(tuple(map(parse_cards, one["hands"])), parse_cards(one.get("chien", "")))
            try:
                self.act(None, given)
            except e.IllegalAction as refusal:
                raise Wrong(refusal.key, move=-1) from refusal

    def paid(self) -> list[e.Transfer]:
        """All that has been paid."""
        return [one for event in self.log if isinstance(event, e.Paid) for one in event.transfers]

    def winners(self) -> list[e.Seat]:
        """Who won the tricks, in their order."""
        return [event.seat for event in self.log if isinstance(event, e.TrickWon)]


def opened(rules: Rules, given: Given) -> tuple[Played, Mapping[e.Cup, int]]:
    """A deal that has just begun, with what the cups held before."""
    first = e.Opened(
        given["table"],
        given["dealer"],
        tuple(given["active"]),
        given.get("king", 0),
        given.get("pagat", 0),
        parse_cards(given.get("deck", "")),
    )
    begun, *events = deal.begin(rules, first)
    assert isinstance(begun, e.Opened)
    state = deal.initial(rules, begun)
    for event in events:
        state = deal.evolve(rules, state, event)
    cups: Mapping[e.Cup, int] = {"king": first.king, "pagat": first.pagat} if rules.accounts else {}
    return Played(rules, state, events), cups


def whole_deal(rules: Rules, given: Given) -> Answer:
    """A deal from its beginning: how it ended, who won how many tricks, and the ledger."""
    played, cups = opened(rules, given)
    played.play(given["moves"], given["dealings"])
    table, winners = given["table"], played.winners()
    found: Answer = {"result": played.state.result}
    found["tricks"] = [winners.count(seat) for seat in range(table)]
    for event in played.log:
        if isinstance(event, e.SkatNotice):
            found["notice"] = text(event.cards)
    return found | ledger(rules, table, played.paid(), cups)


def endgame(rules: Rules, given: Given) -> Answer:
    """A position and some moves: who won the tricks, and what was paid since."""
    state = state_of(rules, given["position"])
    played = Played(rules, state)
    played.play(given["moves"])
    found = ledger(rules, state.table, played.paid(), state.cups)
    return {"over": deal.is_over(played.state), "winners": played.winners()} | found


# --- the table -------------------------------------------------------------------------------------------


def dealing(rules: Rules, given: Given) -> Answer:
    """The hands that a pack gives, from its top; the places of the chien's cards count from 1."""
    deck = parse_cards(given["deck"])
    if isinstance(rules, DanishRules):
        first, second, third = given["active"]
        dealt = danish_deal_out(given["table"], (first, second, third), deck)
        return {"hands": [text(hand) for hand in dealt.hands]}
    try:
        dealt = french_deal_out(rules, given["dealer"], deck, [place - 1 for place in given["chien"]])
    except e.IllegalAction as refusal:
        raise Wrong(refusal.key) from refusal
    return {"hands": [text(hand) for hand in dealt.hands], "chien": text(dealt.chien)}


def seating(rules: Rules, given: Given) -> Answer:
    """Who deals and who plays, deal by deal; or who deals first after cards were drawn for it."""
    if "drawn" in given:
        return {"dealer": family(rules).drawn_dealer(rules, parse_cards(given["drawn"]))}
    table, dealer = given["table"], given["dealer"]
    out = given.get("out", series.first_out(rules, table, dealer))
    found, first = [], begun(dealer, out) + 1
    for number in range(given["deals"]):
        found.append([dealer, *series.seated(rules, table, dealer, out)])
        stays = number in given.get("passed", ()) and series.deals_again(rules, table)
        if not stays:
            dealer, out = series.next_places(rules, table, first + number, dealer, out)
    return {"deals": found}


def stakes(rules: Rules, given: Given) -> Answer:
    """What is paid into cups that are founded, or out of cups that are divided at the end."""
    faces = family(rules)
    if "divide" in given:
        cups, totals = given["divide"], given["totals"]
        paid = faces.divided(rules, cups, totals, given["dealer"], given.get("lot", 0))
        return ledger(rules, len(totals), paid, cups)
    table, active = given["table"], given["active"]
    paid = [one for cup in given["found"] for one in faces.founding(rules, table, active, cup)]
    return ledger(rules, table, paid, {"king": 0, "pagat": 0})


# --- records ---------------------------------------------------------------------------------------------


def whole_record(rules: Rules, given: Given) -> Answer:
    """A record, read and checked: what each seat has gained in it; or what is wrong, and on which line."""
    try:
        kept = record.loads(given["text"])
        header_rules = record.rules_of(kept.header)
    except RecordError as error:
        raise Wrong(error.key, line=error.line) from error
    if header_rules != rules:
        raise Wrong("otherRules", line=1)
    try:
        end = check(header_rules, [entry.event for entry in kept.entries])
    except IllegalRecord as error:
        places = jsonl.places(given["text"])
        raise Wrong(error.key, line=places[error.index]) from error
    nets = end.series.totals if end.series else end.deal.net if end.deal else (0,) * kept.header.table
    return {"nets": list(nets)}


KINDS: dict[str, Callable[[Rules, Given], Answer]] = {
    "legal": legal,
    "trick": trick,
    "declarations": declared,
    "count": count,
    "outcome": outcome,
    "impossible": outcome,
    "deal": whole_deal,
    "endgame": endgame,
    "dealing": dealing,
    "seating": seating,
    "stakes": stakes,
    "record": whole_record,
}
