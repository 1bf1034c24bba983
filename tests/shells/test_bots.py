"""Bots at the server: who moves when an expert cannot, whose turn it is, and that no time tells of cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from live import HOST, Evening
from live import bots as seated
from table import DANISH, FRENCH
from ultimo import rulebook
from ultimo.events import Action, Found
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.server import bots, metrics
from ultimo.server.bots import Bots
from ultimo.server.processes import decision
from ultimo.server.thinking import TooSlow, Unfinished, Waited
from ultimo.server.turns import Asker
from ultimo.table import Live, Settings, Think, due
from ultimo.table.driving import PACES
from ultimo.table.scene import RECKONING, Level

MANY = 500  # more than happens in a deal
VIEW, CHOICES = decision("dtf", 3)


class Experts:
    """Processes of experts, as far as bots ask them: `answer` is what comes of a piece."""

    def __init__(self, answer: Callable[[], Any], ready: bool = True) -> None:
        self.answer, self.ready = answer, ready
        self.asked: list[tuple[Asker, object, float]] = []

    def start(self) -> None:
        """They run."""

    async def think(self, asker: Asker, function: object, *given: object, wait: float) -> Any:
        """Note who asks for whom."""
        self.asked.append((asker, given[0], wait))
        return self.answer()


def raising(error: Exception) -> Callable[[], Any]:
    def answer() -> Any:
        raise error

    return answer


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that bots let pass, which do not pass here."""
    seconds: list[float] = []

    async def sleep(for_: float) -> None:
        seconds.append(for_)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return seconds


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Action:
    """What club players do here: not what chance would."""
    chance = CHOICES.draw(Random("seed"))
    action = next(one for one in CHOICES if one != chance)

    def choose(level: str, seed: str, view: View, choices: Choices) -> Action:
        assert level == "club"
        return action

    monkeypatch.setattr(bots, "_choose", choose)
    return action


def choosing(experts: Experts, seconds: float = 1.0, level: Level = "expert") -> Action:
    some = Bots(1, seconds, expert_wait=3.0)
    some._expert = experts  # type: ignore[assignment]
    some._is_in = True
    return asyncio.run(some.choose(level, "seed", VIEW, CHOICES, "Ada"))


def stand_ins(reason: str) -> float:
    return float(metrics.STAND_INS.labels(reason)._value.get())


# --- who moves for an expert ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("experts", "reason"),
    [
        (Experts(raising(AssertionError()), ready=False), "starting"),
        (Experts(raising(Waited())), "queue"),
        (Experts(raising(TooSlow())), "slow"),
        (Experts(raising(Unfinished())), "failed"),
        (Experts(raising(RuntimeError("a bug"))), "failed"),
        (Experts(lambda: (Found(), 0.1)), "failed"),
    ],
)
def test_a_club_player_moves_for_an_expert_that_cannot(
    experts: Experts, reason: str, club: Action, slept: list[float]
) -> None:
    before = stand_ins(reason)
    assert choosing(experts) == club
    assert stand_ins(reason) == before + 1


def test_chance_moves_only_if_the_club_fails_too(monkeypatch: pytest.MonkeyPatch, slept: list[float]) -> None:
    monkeypatch.setattr(bots, "_choose", lambda *_: raising(RuntimeError("another bug"))())
    assert choosing(Experts(raising(Waited()))) == CHOICES.draw(Random("seed"))


@pytest.mark.parametrize("level", sorted(RECKONING))
def test_experts_take_turns_by_the_hosts_of_their_tables(level: Level, slept: list[float]) -> None:
    experts = Experts(lambda: (next(iter(CHOICES)), 0.1))
    assert choosing(experts, level=level) == next(iter(CHOICES))
    assert experts.asked == [(("Ada",), level, 3.0)]


# --- what time tells -----------------------------------------------------------------------------------


@pytest.mark.parametrize("took", [0.0001, 0.4, 0.99])
def test_every_move_of_an_expert_takes_the_same_time(took: float, slept: list[float]) -> None:
    choosing(Experts(lambda: (next(iter(CHOICES)), took)))
    assert slept[0] + took == pytest.approx(1.0 + bots.SPARE)


@pytest.mark.parametrize("took", [0.00005, 0.004])
def test_every_move_of_a_club_player_takes_the_same_time(
    took: float, club: Action, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([10.0, 10.0 + took])
    monkeypatch.setattr(bots, "perf_counter", lambda: next(times))
    some = Bots(1)
    some._is_in = True
    assert asyncio.run(some.choose("club", "seed", VIEW, CHOICES)) == club
    assert slept[0] + took == pytest.approx(bots.QUICK)


def with_other_hands(live: Live, dice: Random) -> Live:
    """The same table as all can see it, with the cards of the hands dealt out anew."""
    state = live.series
    assert state is not None
    assert state.deal is not None
    counts = [hand.bit_count() for hand in state.deal.hands]
    cards = [place for hand in state.deal.hands for place in range(78) if hand >> place & 1]
    dice.shuffle(cards)
    hands: list[int] = []
    for count in counts:
        hands.append(sum(1 << card for card in cards[:count]))
        cards = cards[count:]
    views = tuple(
        replace(view, deal=replace(view.deal, hands=_own(view.deal.hands, hands, seat)))  # type: ignore[union-attr, type-var]
        for seat, view in enumerate(live.views)
    )
    true = replace(state, deal=replace(state.deal, hands=tuple(hands)))
    return replace(live, series=true, views=views)


def _own(known: tuple[int, ...], hands: list[int], seat: int) -> tuple[int, ...]:
    return tuple(hands[place] if place == seat else hand for place, hand in enumerate(known))


def test_when_a_bot_moves_follows_from_what_everybody_sees_at_any_tempo() -> None:
    """Other cards in the hands, and so other choices and more or fewer of them: the same time."""
    numbers: set[tuple[int, int]] = set()

    @given(
        st.sampled_from((*DANISH, *FRENCH)), st.sampled_from(sorted(PACES)), st.integers(0, 50), st.randoms()
    )
    def at_any_time(book: str, tempo: Any, steps: int, dice: Random) -> None:
        size = rulebook.load(book).sizes[0]
        evening = Evening(Settings(book, size, seated(size), tempo=tempo), steps)
        thinks = None
        for _ in range(MANY):
            thinks = asked(evening.live, evening.now)
            if thinks is not None and len(evening.live.events) > steps:
                break
            evening.one_thing()
        assert thinks is not None
        other = asked(with_other_hands(evening.live, dice), evening.now)
        assert other is not None
        assert (other.seat, other.level, other.not_before) == (thinks.seat, thinks.level, thinks.not_before)
        numbers.add((len(thinks.choices), len(other.choices)))

    at_any_time()
    assert any(1 in pair and max(pair) > 1 for pair in numbers)  # some had to, and would not have had to


def asked(live: Live, now: float) -> Think | None:
    """The bot that plays a card now."""
    if live.series is None or live.series.deal is None or live.series.deal.phase != "play":
        return None
    found = due(live, now, {HOST: now}, lambda: "0" * 64)
    return found if isinstance(found, Think) else None
