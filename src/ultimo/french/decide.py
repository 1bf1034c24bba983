"""Deciding: a wish is refused, or becomes facts with all that follows from them.

`step` also hands back the state after them. The one gate is `legal`; what comes after it cannot fail.
"""

from __future__ import annotations

from ultimo import events as e
from ultimo.cards import SUITS_WORD, TRUMPS, cards, mask
from ultimo.french import reckoning
from ultimo.french.counting import excuse_fate, excuse_wins, outcome_of
from ultimo.french.dealing import wrong_deal
from ultimo.french.evolve import DealStory
from ultimo.french.following import winner
from ultimo.french.legal import legal
from ultimo.french.numbers import numbers
from ultimo.french.outcome import ALL_HALF_POINTS
from ultimo.french.phases import is_petit_sec, shows_taker_alone
from ultimo.french.refusals import refusal
from ultimo.french.settlement import score, settle
from ultimo.french.state import State, card_number
from ultimo.play.following import FIRST_TRUMP, SKUS_CARD
from ultimo.rulebook import FrenchRules


def decide(
    rules: FrenchRules, state: State, seat: e.Seat | None, action: e.Action
) -> tuple[e.DealEvent, ...]:
    """The facts that follow if `seat` has its wish; chance (None) deals. Raises `IllegalAction`."""
    return step(rules, state, seat, action)[1]


def step(
    rules: FrenchRules, state: State, seat: e.Seat | None, action: e.Action
) -> tuple[State, tuple[e.DealEvent, ...]]:
    """The state after a wish is granted, and the facts that led there. Raises `IllegalAction`."""
    if not _allowed(rules, state, seat, action):
        raise refusal(rules, state, seat, action)
    story = DealStory(rules, state)
    if seat is not None:
        _grant(story, seat, action)
    elif isinstance(action, e.Deal):
        _deal(story, action)
    return story.state, tuple(story.events)


def _allowed(rules: FrenchRules, state: State, seat: e.Seat | None, action: e.Action) -> bool:
    if isinstance(action, e.Deal):
        return seat is None and state.phase == "dealing" and not wrong_deal(rules, state, action)
    return action in legal(rules, state, seat)


def _grant(story: DealStory, seat: e.Seat, action: e.Action) -> None:
    match action:
        case e.Play():
            _play(story, seat, action)
        case e.Pass():
            story.tell(e.Passed(seat))
            _after_bid(story)
        case e.Bid(bid=bid):
            story.tell(e.BidMade(seat, bid))
            _after_bid(story)
        case e.Decline():
            story.tell(e.Declined(seat))
        case e.Lay(cards=laid):
            laid_set = mask(laid)
            story.tell(e.EcartLaid(seat, cards(laid_set), cards(laid_set & TRUMPS)))
        case e.ShowPoignee(cards=shown):
            size = story.rules.poignee.sizes.index(len(shown))
            story.tell(e.PoigneeShown(seat, size, cards(mask(shown))))
        case e.Call(card=card):
            story.tell(e.Called(seat, card))
            _after_bid(story)
        case e.Announce():
            story.tell(e.Announced(seat, "slam"))
        case e.Cut(at=at):
            story.tell(e.PackCut(seat, at))


# --- before the first card -----------------------------------------------------------------------------


def _deal(story: DealStory, action: e.Deal) -> None:
    """Cards are dealt; a petit sec ends the deal at once, with no score."""
    story.tell(e.Dealt(action.hands, action.chien))
    n = numbers(story.rules)
    for seat, hand in enumerate(story.state.hands):
        if is_petit_sec(n, hand >> FIRST_TRUMP):
            story.tell(e.PetitSec(seat, cards(hand)))
            story.tell(e.DealClosed("thrownIn"))


def _after_bid(story: DealStory) -> None:
    """When the deal waits for nobody: no bid throws the cards in, else the chien is turned and taken up."""
    state = story.state
    if state.turn is not None:
        return
    if state.taker is None:
        story.tell(e.DealClosed("thrownIn"))
        return
    story.tell(e.ChienShown(state.taker, cards(state.chien)))
    if shows_taker_alone(card_number(state.called), state.chien & SUITS_WORD):
        story.tell(e.TakerAloneRevealed(state.taker))


# --- the tricks ----------------------------------------------------------------------------------------


def _play(story: DealStory, seat: e.Seat, action: e.Play) -> None:
    """A card falls, and may show the partner, end the trick, end the deal."""
    story.tell(e.CardPlayed(seat, action.card))
    state = story.state
    if action.card is state.called and not state.sides_public:
        story.tell(e.TakerAloneRevealed(seat) if seat == state.taker else e.PartnerRevealed(seat))
        _tell_excuse(story)
    if state.turn is not None:
        return
    trick = [play.card.index for play in state.trick]
    won = winner(trick, SKUS_CARD in trick and excuse_wins(story.rules, state))
    story.tell(e.TrickWon(state.trick[won].seat))
    _tell_excuse(story)
    if story.state.turn is None:
        _close(story)


def _tell_excuse(story: DealStory) -> None:
    """Tell what became of the excuse, as soon as the sides are public: it would show them.

    Rule: 002 §9; I-C.25.
    """
    state = story.state
    if state.excuse is None or state.excuse_told or not state.sides_public:
        return
    played = excuse_fate(story.rules, state)
    assert played is not None
    match played.fate:
        case reckoning.KEPT:
            story.tell(e.ExcuseKept(played.seat, bool(played.owed)))
        case reckoning.LOST:
            story.tell(e.ExcuseLost(played.seat))
        case reckoning.WINS:
            story.tell(e.ExcuseWins(played.seat))


def _close(story: DealStory) -> None:
    """After the last trick: everything is shown, counted, scored and paid.

    Rule: 002 §7, §13, §14.
    """
    rules, state = story.rules, story.state
    story.tell(e.Revealed(cards(state.ecart | state.chien), state.partner))
    _tell_excuse(story)
    result = outcome_of(rules, story.state)
    scored = score(rules, result)
    story.tell(e.Counted((result.half_points, ALL_HALF_POINTS - result.half_points)))
    story.tell(e.Scored(scored.value, result.taker, result.partner, scored.points, result.bouts))
    story.pay(settle(rules, result).transfers)
    story.tell(e.DealClosed("played"))
