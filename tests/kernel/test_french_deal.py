"""The French deal of the kernel is that of the plain engine, step by step."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise, product
from random import Random
from typing import TypeAlias

import numpy as np
import pytest

from french_arrays import from_state, trace
from french_table import opened, rules_of
from properties.alternatives import Change, changes, spelled
from ultimo import french
from ultimo.cards import ALL_CARDS, ALL_TRUMPS, BOUTS, COURTS, KINGS, PACK, SKUS, Card, Cards, cards, mask
from ultimo.events import Bid, Call, Deal, Lay, Pass, ShowPoignee
from ultimo.kernel.dice import SHUFFLE, generator, shuffle
from ultimo.kernel.french import layout as at
from ultimo.kernel.french.bridge import to_action, to_deal
from ultimo.kernel.french.deal import array_of, blank, deal
from ultimo.kernel.french.policy.student import network_for
from ultimo.kernel.french.run import COLUMNS, NET, by_seat, play_out, sessions
from ultimo.kernel.jit import Ints
from ultimo.kernel.policy import BEGINNER, HIGHEST, LOWEST, POLICIES, RANDOM
from ultimo.play.choices import Choices, Lays, Shows
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE
from ultimo.rulebook import FrenchRules

BOOKS = ("french3", "french4", "french5")
HOUSE_RULES: tuple[tuple[str, Change], ...] = tuple(
    (book, change) for book in BOOKS for change in changes(book)
)
Dealing: TypeAlias = Callable[[FrenchRules, Random], Deal] | None
LONG = bool(os.environ.get("ULTIMO_LONG"))
DEALS = 2000 if LONG else 60
VARIANT_DEALS = 100 if LONG else 3

# The first 500 deals of seed 1 at random and by beginners. They change when the rules, the dice, the
# policies or the columns do, and with them every statistic that names a seed.
VECTORS = {
    ("french3", "random"): "744ac213b19456ea",
    ("french4", "random"): "39ce28421c53acab",
    ("french5", "random"): "8d4ad4ee688de85b",
    ("french3", "beginner"): "99d22a44782188fc",
    ("french4", "beginner"): "5fd4a01f80a06fdf",
    ("french5", "beginner"): "9c7c42b21f244b7f",
}


UNCOMPILED = {**dict.fromkeys(POLICIES, 25), "student": 2}  # so many deals, as Python thinks slowly


def digest_of(book: str, policy: str, number: int = 500) -> str:
    """What identifies the first deals of seed 1."""
    rows = sessions(rules_of(book), seed=1, first=0, number=number, policies=(POLICIES[policy],))
    return hashlib.sha256(rows.astype("<i8").tobytes()).hexdigest()[:16]


# --- step by step --------------------------------------------------------------------------------------


def lumpy(rules: FrenchRules, rng: Random) -> Deal:
    """Cards of a kind drawn together, so that voids, poignées, bare petits and slams are not rare."""
    room = [rules.deal.hand] * rules.players + [rules.deal.chien]
    drawn = [[rng.choice((1, 1, 1, 8, 200)) for _ in room] for _ in range(7)]
    piles: list[list[Card]] = [[] for _ in room]
    for card in rng.sample(PACK, len(PACK)):
        kind = 5 if card.bit & COURTS else 6 if card.bit == SKUS else card.suit
        free = [drawn[kind][place] * (room[place] > 0) for place in range(len(room))]
        (place,) = rng.choices(range(len(room)), free)
        piles[place].append(card)
        room[place] -= 1
    return Deal(tuple(tuple(sorted(pile)) for pile in piles[:-1]), tuple(sorted(piles[-1])))


def stacked(rules: FrenchRules, rng: Random) -> Deal:
    """A hand of trumps and kings, and a chien of more: the taker has too few cards to lay."""
    best = [*cards(ALL_TRUMPS | KINGS)]
    rng.shuffle(best)
    hand, rest = best[: rules.deal.hand], best[rules.deal.hand :]
    others = list(cards(ALL_CARDS & ~mask(best)))
    rng.shuffle(others)
    hand += [others.pop() for _ in range(rules.deal.hand - len(hand))]
    chien = (rest + others)[: rules.deal.chien]
    others = (rest + others)[rules.deal.chien :]
    size = rules.deal.hand
    hands = [hand, *(others[size * seat : size * (seat + 1)] for seat in range(rules.players - 1))]
    rng.shuffle(hands)
    return Deal(tuple(tuple(sorted(one)) for one in hands), tuple(sorted(chien)))


def check_deal(rules: FrenchRules, seed: int, number: int, policies: Ints, dealt: Dealing = None) -> Ints:
    """Play a deal in the kernel and at the table, and compare them at every step; the last array."""
    n, s, dice = array_of(rules, network_for(policies.tolist())), blank(), generator(seed, number)
    dealer = number % rules.players
    state = french.initial(rules, opened(rules, dealer))
    if dealt is None:
        deal(n, s, dealer, np.zeros(SHUFFLE, np.int64), dice)
        state, _ = french.step(rules, state, None, to_deal(rules, s))
    else:
        state, _ = french.step(rules, state, None, dealt(rules, Random(f"{seed} {number}")))
        s = from_state(rules, state)
    at_first, word = s.copy(), dice.copy()
    log = trace(n, s, policies, dice)
    state = follow(rules, state, [*log.tolist(), s.tolist()])
    assert state.phase == "closed"
    assert remembered(s.tolist()) == remembered(from_state(rules, state).tolist())
    play_out(n, at_first, policies, word)  # without writing down, and faster where all play at random
    assert at_first[: at.LENGTH].tolist() == s[: at.LENGTH].tolist()
    return s


def remembered(row: list[int]) -> list[int]:
    """An array without the thoughts of who acted last."""
    return row[: at.REMEMBERED]


def follow(rules: FrenchRules, state: french.State, rows: list[list[int]]) -> french.State:
    """Do at the table what was done in the kernel, and look at both before each step."""
    laid: Cards = 0
    for row, after in pairwise(rows):
        before, (suits, trumps, words, action) = row[: at.WHOLE], row[at.WHOLE :]
        phase, seat = before[at.PHASE], before[at.TURN]
        choices = french.legal(rules, state, seat)
        assert (suits | trumps << FIRST_TRUMP, words) == expected(rules, phase, choices, laid, before)
        if not laid and phase != at.SHOWING:
            assert remembered(before) == remembered(from_state(rules, state).tolist())
        if phase == at.LAYING:
            laid |= 1 << action
            if laid.bit_count() == rules.deal.chien:
                state, _ = french.step(rules, state, seat, Lay(cards(laid)))
                laid = 0
        elif phase == at.SHOWING or action >= at.SHOW:
            if after[at.PHASE] != at.SHOWING:
                shown = after[at.SHOWN_TRUMPS + seat] << FIRST_TRUMP
                state, _ = french.step(rules, state, seat, ShowPoignee(cards(shown)))
        else:
            state, _ = french.step(rules, state, seat, to_action(rules, phase, action))
    return state


def expected(
    rules: FrenchRules, phase: int, choices: Choices, laid: Cards, before: list[int]
) -> tuple[Cards, int]:
    """What the plain engine offers, as the kernel would say it."""
    if phase == at.BIDDING:
        ladder = [row.id for row in rules.bid.ladder]
        bits = [
            0 if isinstance(one, Pass) else 1 + ladder.index(one.bid)
            for one in choices
            if isinstance(one, Pass | Bid)
        ]
        return 0, sum(1 << bit for bit in bits)
    if phase == at.CALLING:
        return sum(one.card.bit for one in choices if isinstance(one, Call)), 0
    if phase == at.SLAM_ASKED:
        assert len(choices) == 2
        return 0, sum(1 << (word - at.FIRST_WORD) for word in (at.DECLINE, at.SLAM))
    if phase == at.LAYING:
        (lays,) = choices.offers
        assert isinstance(lays, Lays)
        return (lays.sets.must & ~laid) or (lays.sets.among & ~laid), 0
    shows = {offer.sets.size: offer.sets for offer in choices.offers if isinstance(offer, Shows)}
    if phase == at.SHOWING:
        seat = before[at.TURN]
        sets = shows[before[at.SHOWN_SIZE + seat]]
        assert not sets.must
        return sets.among & ~(before[at.SHOWN_TRUMPS + seat] << FIRST_TRUMP), 0
    kinds = [rules.poignee.sizes.index(size) for size in shows]
    return choices.cards(), sum(1 << (at.SHOW - at.FIRST_WORD + kind) for kind in kinds)


@pytest.mark.parametrize("dealt", [None, lumpy], ids=["shuffled", "lumps"])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("book", BOOKS)
def test_a_deal_of_the_kernel_is_the_deal_of_the_table(book: str, policy: str, dealt: Dealing) -> None:
    rules = rules_of(book)
    for number in range(DEALS):
        check_deal(rules, 1, number, by_seat((POLICIES[policy],)), dealt)


@pytest.mark.parametrize(("book", "change"), HOUSE_RULES, ids=[f"{b} {spelled(c)}" for b, c in HOUSE_RULES])
def test_so_it_is_under_any_house_rule(book: str, change: Change) -> None:
    rules = rules_of(book, dict([change]))
    for number in range(VARIANT_DEALS):
        policies = by_seat(((RANDOM,), (RANDOM, BEGINNER), (HIGHEST, LOWEST, RANDOM))[number % 3])
        check_deal(rules, 2, number, policies, (None, lumpy, stacked)[number % 3])


def test_rare_things_happen_in_these_deals() -> None:
    """The comparison is worth little if the deals are all alike."""
    ladder = [{"id": "petite", "mult": 1, "chien": "taken"}, {"id": "garde", "mult": 2, "chien": "taken"}]
    tables = [
        (rules_of(book, house), dealt)
        for book in BOOKS
        for house, dealt in (
            ({"slam.defendersMayAnnounce": True}, lumpy),
            ({"bid.ladder": ladder, "poignee.ecartTrump": "showAgain"}, stacked),
        )
    ]
    wanted: set[str] = set(happenings(rules_of(), blank()))
    seen: set[str] = set()
    for number, (rules, dealt) in product(range(120), tables):
        s = check_deal(rules, 3, number, by_seat((RANDOM, HIGHEST, HIGHEST)), dealt)
        seen |= {name for name, happened in happenings(rules, s).items() if happened}
        if seen == wanted:
            break
    assert seen == wanted


def happenings(rules: FrenchRules, s: Ints) -> dict[str, bool]:
    """What may be remarkable about a deal."""
    last = rules.deal.hand - 1
    return {
        "petit sec": s[at.RESULT] == at.PETIT_SEC,
        "a trump laid": s[at.ECART_TRUMPS] != 0,
        "two poignées": np.count_nonzero(s[at.SHOWN_SIZE : at.SHOWN_SIZE + at.MOST_SEATS]) > 1,
        "the excuse shown": any(s[at.SHOWN_TRUMPS : at.SHOWN_TRUMPS + at.MOST_SEATS] >> 21),
        "a slam by the taker": s[at.SLAM_SIDE] == 1,
        "a slam by the defence": s[at.SLAM_SIDE] == -1,
        "a defender's announcement": s[at.ANNOUNCER] >= 0 and s[at.ANNOUNCER] != s[at.TAKER],
        "the excuse lost": s[at.EXCUSE_TRICK] == last and s[at.EXCUSE_TAKER] != s[at.EXCUSE_BY],
        "the excuse takes the last trick": s[at.EXCUSE_TRICK] == last
        and s[at.EXCUSE_TAKER] == s[at.EXCUSE_BY],
        "the petit before it": s[at.PETIT_TRICK] == last - 1 and s[at.PETIT_SIDE] != 0,
        "petit au bout for the taker": s[at.PETIT_SIDE] == 1,
        "petit au bout for the defence": s[at.PETIT_SIDE] == -1,
        "a partner": s[at.PARTNER] >= 0,
        "a call to oneself": s[at.CALLED] >= 0 and s[at.PARTNER] < 0,
        "a queen called": s[at.CALLED] >= 0 and s[at.CALLED] % 14 == 12,
        "the excuse in a closed chien": s[at.CHIEN_TRUMPS] >> 21 != 0 and s[at.CONTRACT] >= 2,
    }


@pytest.mark.parametrize("ends", [0, 3, 10])
@pytest.mark.parametrize("book", BOOKS)
def test_the_pack_is_dealt_in_packets_and_the_chien_from_its_middle(book: str, ends: int) -> None:
    rules = rules_of(book, {"deal.chienForbiddenEnds": ends})
    places: set[int] = set()
    for number in range(400):
        n, s = array_of(rules), blank()
        pack, shuffled = np.zeros((2, SHUFFLE), np.int64)
        dealer = number % rules.players
        shuffle(generator(5, number), shuffled)
        deal(n, s, dealer, pack, generator(5, number))
        dealt = to_deal(rules, s)
        deck = [PACK[card] for card in shuffled[:PACK_SIZE]]
        chien_at = sorted(deck.index(card) for card in dealt.chien)
        assert dealt == french.deal_out(rules, dealer, deck, chien_at)
        places.update(chien_at)
    assert places == set(range(ends, PACK_SIZE - ends))


# --- the batch -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "policy"), VECTORS)
def test_a_seed_gives_the_same_deals_for_ever(book: str, policy: str) -> None:
    assert digest_of(book, policy) == VECTORS[book, policy]


def test_the_loops_say_the_same_uncompiled() -> None:
    """The suite above runs on what is compiled; here Python runs the same source in a process of its own."""
    code = (
        "from kernel.test_french_deal import *\n"
        "from ultimo.kernel.jit import COMPILED\n"
        "assert not COMPILED\n"
        "for book in BOOKS:\n"
        "    check_deal(rules_of(book), 1, 5, by_seat((0, 3)), lumpy)\n"
        "    for policy in POLICIES:\n"
        "        print(digest_of(book, policy, UNCOMPILED[policy]))\n"
    )
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=os.pathsep.join(sys.path))
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.split() == [
        digest_of(book, policy, UNCOMPILED[policy]) for book in BOOKS for policy in POLICIES
    ]


def test_any_part_of_a_run_can_be_had_alone() -> None:
    rules = rules_of("french5")
    whole = sessions(rules, seed=-3, first=0, number=60)
    assert (sessions(rules, seed=-3, first=37, number=10) == whole[37:47]).all()
    assert not (sessions(rules, seed=-2, first=37, number=10)[:, NET:] == whole[37:47, NET:]).all()


def test_a_row_tells_what_the_deal_came_to() -> None:
    rules = rules_of("french5")
    rows = sessions(rules, seed=4, first=0, number=40, policies=(RANDOM, HIGHEST))
    for number, row in enumerate(rows.tolist()):
        s = check_deal(rules, 4, number, by_seat((RANDOM, HIGHEST)))
        told = dict(zip(COLUMNS, row, strict=True))
        taker = s[at.TAKER]
        played = s[at.RESULT] == at.PLAYED
        assert told == {
            "deal": number,
            "dealer": number % 5,
            "result": s[at.RESULT],
            "taker": taker,
            "bid": s[at.CONTRACT],
            "called": s[at.CALLED],
            "partner": s[at.PARTNER],
            "half_points": s[at.HALF_POINTS],
            "bouts": s[at.BOUTS],
            "petit_au_bout": s[at.PETIT_SIDE],
            "slam_made": s[at.SLAM_SIDE],
            "poignees": s[at.POIGNEE],
            "value": s[at.VALUE],
            "taker_tricks": s[at.TAKER_TRICKS],
            "won": played and s[at.HALF_POINTS] >= 2 * rules.target[str(s[at.BOUTS])],  # type: ignore[index]
            "slam_announced": (s[at.ANNOUNCER] >= 0)
            * (1 if s[at.SIDES] >> max(0, s[at.ANNOUNCER]) & 1 else -1),
            "hand_trumps": dealt_of(s, taker, ALL_TRUMPS) if played else 0,
            "hand_bouts": dealt_of(s, taker, BOUTS) if played else 0,
            "hand_kings": dealt_of(s, taker, KINGS) if played else 0,
            "chien_bouts": bin(s[at.CHIEN_TRUMPS] & (1 | 1 << 20 | 1 << 21)).count("1"),
            **{f"poignee{seat}": s[at.SHOWN_SIZE + seat] for seat in range(5)},
            **{f"net{seat}": s[at.NET + seat] for seat in range(5)},
        }


def dealt_of(s: Ints, seat: int, some: Cards) -> int:
    """How many of some cards a seat was dealt."""
    hand = int(s[at.DEALT_SUITS + seat]) | int(s[at.DEALT_TRUMPS + seat]) << FIRST_TRUMP
    return (hand & some).bit_count()


def test_there_is_no_array_before_the_cards_nor_for_a_seat_s_view() -> None:
    rules = rules_of()
    begun = opened(rules, 0)
    state = french.initial(rules, begun)
    with pytest.raises(ValueError, match="not been dealt"):
        from_state(rules, state)
    dealt = french.decide(rules, state, None, lumpy(rules, Random(1)))
    view = state
    for event in dealt:
        view = french.evolve(rules, view, french.seen_by(rules, view, 1, event))
    with pytest.raises(ValueError, match="not all known"):
        from_state(rules, view)
