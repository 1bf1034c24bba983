"""Answers to vectors by the compiled kernel: what may be done, and whole deals.

Tables with mistakes and unshuffled packs are not for the kernel; nor does it make anything of a score sheet
or a record. Words that nobody waits for (asking for the tarok laid, demanding the skus late) it does not
know: what is left of a question without them is answered, with them the engine is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ultimo import danish, deal
from ultimo import events as e
from ultimo.cards import PACK, mask
from ultimo.conformance import plain
from ultimo.conformance.notation import action, action_text, moves, state_of
from ultimo.conformance.plain import Answer, Given, Unsupported, Wrong, described
from ultimo.danish import phases as danish_phases
from ultimo.danish.numbers import numbers as danish_numbers
from ultimo.danish.skat import SIZE as SKAT_SIZE
from ultimo.french import phases as french_phases
from ultimo.kernel import NotCompilable
from ultimo.kernel.danish import bridge as danish_bridge
from ultimo.kernel.danish import deal as danish_deal
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish import run as danish_run
from ultimo.kernel.french import bridge as french_bridge
from ultimo.kernel.french import deal as french_deal
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french import run as french_run
from ultimo.kernel.jit import Ints
from ultimo.kernel.sets import words
from ultimo.play.choices import Lays, Subset
from ultimo.play.following import FIRST_TRUMP, SKUS_BIT, together
from ultimo.rulebook import DanishRules, FrenchRules, Rules

ASIDE = (e.AskTarokLaid, e.DemandSkus)  # said when nobody waits for it


def answer(kind: str, rules: Rules, given: Given) -> Answer:
    """What the kernel says to a vector."""
    if kind not in KINDS:
        raise Unsupported(kind)
    try:
        return KINDS[kind](rules, given)
    except NotCompilable as refusal:
        raise Unsupported(str(refusal)) from refusal


# --- what may be done ------------------------------------------------------------------------------------


def legal(rules: Rules, given: Given) -> Answer:
    """What a seat may do that the deal waits for."""
    state, seat = state_of(rules, given["position"]), given["seat"]
    if seat not in deal.waiting_for(rules, state):
        raise Unsupported("nobody waits for this seat")
    if isinstance(rules, DanishRules):
        assert isinstance(state, danish.State)
        found = _danish_legal(rules, state, seat)
    else:
        assert not isinstance(state, danish.State)
        found = _french_legal(rules, state, seat)
    if "among" not in given:
        return found
    if any(isinstance(action(said), e.Lay | e.ShowPoignee | e.Declare | e.Claim) for said in given["among"]):
        raise Unsupported("sets of cards are chosen card by card")
    return {"actions": [said for said in given["among"] if said in found["actions"]]}


def _danish_legal(rules: DanishRules, state: danish.State, seat: e.Seat) -> Answer:
    n = danish_deal.array_of(rules)
    if state.phase not in danish_bridge.PHASES:
        raise Unsupported(state.phase)
    asides = [
        wish
        for wish in deal.legal(rules, state, seat)
        if isinstance(wish, ASIDE) and not (state.phase == "demand" and wish == e.DemandSkus())
    ]
    s, w = danish_bridge.from_view(rules, state, seat), np.zeros(danish_at.PAPER, np.int64)
    trumps = state.hands[seat] >> FIRST_TRUMP
    few: list[e.Action] = []
    found: Answer = {}
    if state.phase == "skat":
        found = _danish_lays(n, s, w)
    elif state.phase == "handCheck" and not danish_phases.may_ask_for_redeal(danish_numbers(rules), trumps):
        few = [e.Accept()]  # the kernel does not ask
    elif state.phase == "demand" and not danish_phases.may_demand(trumps):
        few = [e.Decline()]
    else:
        few = [
            danish_bridge.to_action(int(s[danish_at.PHASE]), one)
            for one in _numbers(danish_deal.legal(n, s, w))
        ]
    return {"actions": sorted(map(action_text, [*few, *asides])), **found}


def _danish_lays(n: Ints, s: Ints, w: Ints) -> Answer:
    s[danish_at.DEALT_SUITS + 2], s[danish_at.DEALT_TRUMPS + 2] = (
        s[danish_at.SUITS + 2],
        s[danish_at.TRUMPS + 2],
    )
    danish_deal.find_ways(n, s, w)
    found: Answer = {}
    for name, start in (("lay", danish_at.WAYS_AT), ("lay tout", danish_at.TOUT_WAYS_AT)):
        ways = [int(word) for word in w[start : start + 9]]
        offers = [
            Lays(Subset(together(*ways[spot : spot + 2]), together(*ways[spot + 2 : spot + 4]), SKAT_SIZE))
            for spot in range(1, 1 + 4 * ways[0], 4)
        ]
        if offers:
            found[name] = plain.sets(offers)
    return found


def _french_legal(rules: FrenchRules, state: Any, seat: e.Seat) -> Answer:
    if state.phase not in french_bridge.PHASES or rules.deal.shuffle == "never":
        raise Unsupported(state.phase)
    n, s = french_deal.array_of(rules), french_bridge.from_view(rules, state, seat)
    for place in range(state.number - 1 - s[french_at.TRICK]):
        s[french_at.TRICK] = place + 1
    if state.phase == "ecart":
        s[french_at.TAKER] = seat
        must, suits, trumps = (int(word) for word in french_deal.layable_now(n, s))
        sets = Subset(must, together(suits, trumps), rules.deal.chien)
        return {"actions": [], "lay": described(len(sets), must, must | sets.among, sets.size)}
    s[french_at.ECART_TRUMPS] |= state.trumps_laid >> FIRST_TRUMP
    phase = int(s[french_at.PHASE])
    few: list[str] = []
    found: Answer = {}
    for one in _numbers(french_deal.legal(n, s)):
        if phase == french_at.PLAYING and one >= french_at.SHOW:
            size = rules.poignee.sizes[one - french_at.SHOW]
            trumps = int(french_deal.to_show(n, s, s[french_at.TURN]))
            excuse = bool(s[french_at.TRUMPS + seat] & SKUS_BIT)
            must, among = french_phases.shown_sets(trumps, excuse, size)
            shown = Subset(must << FIRST_TRUMP, among << FIRST_TRUMP, size)
            found[f"show {size}"] = described(len(shown), shown.must, shown.must | shown.among, size)
        else:
            few.append(action_text(french_bridge.to_action(rules, phase, one)))
    return {"actions": sorted(few), **found}


def _numbers(may: tuple[int, int, int]) -> Iterator[int]:
    suits, trumps, spoken = (int(word) for word in may)
    every = together(suits, trumps) | spoken << len(PACK)
    return (number for number in range(every.bit_length()) if every >> number & 1)


# --- deals -----------------------------------------------------------------------------------------------


def whole_deal(rules: Rules, given: Given) -> Answer:
    """A deal from its beginning: tricks and what each seat has gained, without the reasons."""
    if isinstance(rules, DanishRules):
        return _danish_whole(rules, given)
    if rules.deal.shuffle == "never" or given.get("deck"):
        raise Unsupported("the pack is not shuffled")
    return _french_whole(rules, given)


def _danish_whole(rules: DanishRules, given: Given) -> Answer:
    n, table, order = danish_deal.array_of(rules), given["table"], given["active"]
    s, w = np.zeros(danish_at.LENGTH, np.int64), np.zeros(danish_at.PAPER, np.int64)
    danish_deal.begin(n, s, w, table, given.get("king", 0), given.get("pagat", 0))
    place = {seat: number for number, seat in enumerate(order)}
    cards = iter(given["dealings"])
    for number, (seat, wish) in enumerate(moves(given["moves"])):
        if s[danish_at.PHASE] == danish_at.DEALING and (one := next(cards, None)) is not None:
            _danish_hands(n, s, w, order, one)
        if isinstance(wish, e.Declare) or _is_taken_as_said(s, place.get(seat, -1), wish):
            continue
        if isinstance(wish, e.Accept | e.DemandRedeal) and s[danish_at.PHASE] != danish_at.HANDS:
            raise Wrong("", move=number)
        for one in _danish_numbers(wish):
            may = _numbers(danish_deal.legal(n, s, w)) if s[danish_at.PHASE] != danish_at.CLOSED else iter(())
            if place.get(seat) != s[danish_at.TURN] or one not in may:
                raise Wrong("", move=number)
            danish_run.do(n, s, w, one)
    if s[danish_at.PHASE] == danish_at.DEALING and (last := next(cards, None)) is not None:
        _danish_hands(n, s, w, order, last)
    nets, tricks = [0] * table, [0] * table
    for seat, number in place.items():
        nets[seat] = int(s[danish_at.NET + number])
        tricks[seat] = int(s[danish_at.TRICKS_WON + number])
    cups = {"king": int(s[danish_at.KING_CUP]), "pagat": int(s[danish_at.PAGAT_CUP])}
    return {"tricks": tricks, "nets": nets, "cups": cups}


def _danish_hands(n: Ints, s: Ints, w: Ints, order: list[int], dealt: Given) -> None:
    """Give out these hands: the pack is laid so that it deals them."""
    for number, seat in enumerate(order):
        hand = mask(dealt["hands"][seat])
        if hand.bit_count() != (28 if number == 2 else 25):
            raise Unsupported("a misdeal")
        s[danish_at.SUITS + number], s[danish_at.TRUMPS + number] = words(hand)
    danish_deal.take_up(n, s)


def _is_taken_as_said(s: Ints, place: int, wish: e.Action) -> bool:
    """Whether the kernel does not ask for this, because there is one answer."""
    asked = int(s[danish_at.ASKED]) >> place & 1 if place >= 0 else 0
    if isinstance(wish, e.Accept):
        return not (s[danish_at.PHASE] == danish_at.HANDS and asked)
    if isinstance(wish, e.Decline):
        return s[danish_at.PHASE] != danish_at.ANNOUNCE and not (
            s[danish_at.PHASE] == danish_at.DEMAND and asked
        )
    return False


def _danish_numbers(wish: e.Action) -> list[int]:
    match wish:
        case e.Lay(cards=laid, tout=tout):
            return [*([danish_at.LAY_TOUT] if tout else []), *(card.index for card in laid)]
        case e.Play() | e.NameSkus() | e.Decline() | e.DemandSkus() | e.Announce() | e.Accept():
            return [danish_bridge.from_action(wish)]
        case e.DemandRedeal():
            return [danish_at.DEMAND_REDEAL]
        case _:
            raise Unsupported(action_text(wish))


def _french_whole(rules: FrenchRules, given: Given) -> Answer:
    n, s = french_deal.array_of(rules), french_deal.blank()
    (dealt,) = given["dealings"]
    for seat, hand in enumerate(dealt["hands"]):
        s[french_at.SUITS + seat], s[french_at.TRUMPS + seat] = words(mask(hand))
        if mask(hand).bit_count() != rules.deal.hand:
            raise Unsupported("another number of cards")
    s[french_at.CHIEN_SUITS], s[french_at.CHIEN_TRUMPS] = words(mask(dealt["chien"]))
    french_deal.begin(n, s, given["dealer"])
    for number, (seat, wish) in enumerate(moves(given["moves"])):
        for one in _french_numbers(rules, s, wish):
            may = [] if s[french_at.PHASE] == french_at.CLOSED else [*_numbers(french_deal.legal(n, s))]
            if (
                isinstance(wish, e.ShowPoignee)
                and one < len(PACK)
                and s[french_at.PHASE] != french_at.SHOWING
            ):
                continue  # nothing to choose: all has been shown at once
            if seat != s[french_at.TURN] or one not in may:
                raise Wrong("", move=number)
            french_run.do(n, s, one)
    nets = [int(net) for net in s[french_at.NET : french_at.NET + rules.players]]
    return {
        "tricks": [int(won) for won in s[french_at.TRICKS : french_at.TRICKS + rules.players]],
        "nets": nets,
    }


def _french_numbers(rules: FrenchRules, s: Ints, wish: e.Action) -> list[int]:
    match wish:
        case e.Play(card=card) | e.Call(card=card):
            return [card.index]
        case e.Lay(cards=laid):
            return [card.index for card in laid]
        case e.Pass():
            return [french_at.PASS]
        case e.Bid(bid=bid):
            return [french_at.BID + [row.id for row in rules.bid.ladder].index(bid)]
        case e.Decline():
            return [french_at.DECLINE]
        case e.Announce():
            return [french_at.SLAM]
        case e.ShowPoignee(cards=shown):
            if len(shown) not in rules.poignee.sizes:
                return [-1]
            kind = rules.poignee.sizes.index(len(shown))
            return [french_at.SHOW + kind, *(card.index for card in shown)]
        case _:
            raise Unsupported(action_text(wish))


KINDS: dict[str, Callable[[Rules, Given], Answer]] = {"legal": legal, "deal": whole_deal}
