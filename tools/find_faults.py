"""Find where a player would do better: by kind of decision, in known faults, and in taste.

    python tools/find_faults.py hermansen french4 --players club student --decisions 20000 --deals 2000

At some decisions of deals that no player has learned from, every legal action is played out in the same deal.
Where an adviser (by itself the student for the club, and the club for all others) would do otherwise than the
player, the difference is a gain; summed up by kind of decision, the worst come first. Checks look for faults
that are known: what the player did, and what other cards in its place bring on average. Taste counts what the
books warn of, in whole deals; so it does of players who search (`--searching master`), in fewer of them.
`--write` puts the page into docs/faults.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tune_club import game_of
from ultimo import rulebook
from ultimo.cli.progress import progress
from ultimo.danish import payments
from ultimo.events import Play
from ultimo.french import numbers as french_rule
from ultimo.french.reckoning import has_won
from ultimo.kernel import network
from ultimo.kernel.danish import layout as danish_at
from ultimo.kernel.danish.policy import choose as danish_choice
from ultimo.kernel.danish.policy import student as danish_student
from ultimo.kernel.dice import starts
from ultimo.kernel.french import layout as french_at
from ultimo.kernel.french.policy import choose as french_choice
from ultimo.kernel.french.policy import student as french_student
from ultimo.kernel.jit import Ints, Words
from ultimo.kernel.policy import POLICIES, STUDENT
from ultimo.learning import danish, french
from ultimo.play import book
from ultimo.play.following import FIRST_TRUMP, REAL_TRUMPS, SKUS_CARD
from ultimo.players import Match, create
from ultimo.rulebook import DanishRules, FrenchRules
from ultimo.tutor.decisions import deals as deals_of
from ultimo.tutor.decisions import decisions as decisions_of

PAGE = Path(__file__).parents[1] / "docs" / "faults.md"
MINDS = {"club": 0, "student": 1}  # who can play deals out
SURE = 1.96  # standard errors
PORTION = 500  # decisions after which it is told how far it has come
PIP, COURT, KING, PAGAT, LOW, MIDDLE, HIGH, SKUS = CARDS = (
    "pip",
    "court",
    "king",
    "pagat",
    "T2–10",
    "T11–20",
    "T21",
    "skus",
)
TAKER, PARTNER, DEFENDER = "taker", "partner", "defender"
Mask = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int16]
Names = npt.NDArray[np.str_]


# --- figures -------------------------------------------------------------------------------------------


class Mean(Struct, frozen=True):
    """A mean, half of its 95 % interval, and of how many."""

    number: int
    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.error:.1f}" if self.number > 1 else "–"


def mean_of(values: npt.ArrayLike) -> Mean:
    """The mean of some numbers; nothing is the mean of none."""
    some = np.asarray(values, np.float64)
    if len(some) < 2:
        return Mean(len(some), float(some.sum()), 0.0)
    return Mean(len(some), float(some.mean()), SURE * float(some.std(ddof=1)) / sqrt(len(some)))


class Share(Struct, frozen=True):
    """So many of so many."""

    number: int
    of: int

    def __str__(self) -> str:
        if self.number in (0, self.of):
            return f"{self.number} of {self.of:,}" if self.of else "–"
        part = self.number / self.of
        return f"{100 * part:.1f} ± {100 * SURE * sqrt(part * (1 - part) / self.of):.1f} %"


class Kind(Struct, frozen=True):
    """A kind of decision in which the adviser does otherwise, and what is gained by that."""

    phase: str
    turn: str  # to lead or to follow
    tricks: str
    role: str
    does: str
    advised: str
    gain: Mean
    share: float  # of all decisions, in 1000
    weight: float  # points in 1000 decisions


class Check(Struct, frozen=True):
    """A known fault: how often it is made where it can be, and what other cards bring in its place."""

    name: str
    does: Share
    gain: Mean  # of the other cards, on average
    advised: Mean  # of the adviser's card, where that is among them


class Taste(Struct, frozen=True):
    """Something that the books warn of, or praise: how often it is done."""

    name: str
    share: Share


class Found(Struct, frozen=True):
    """All that was found about a player."""

    rules: str
    player: str
    adviser: str
    others: str
    decisions: int
    unlike: Share
    gain: Mean  # of the adviser's choice, in a decision
    kinds: list[Kind]
    checks: list[Check]
    taste: list[Taste]


class Searching(Struct, frozen=True):
    """What was found about a player who searches: its taste."""

    rules: str
    level: str
    deals: int
    weak_leads: Share
    skus_gone: Share


# --- the families --------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """Where a fault can be made, the cards with which it is, and those that are tried in their place."""

    name: str
    where: Mask
    does: tuple[str, ...]
    other: tuple[str, ...]


def card_class(card: int) -> str:
    """What kind of card it is."""
    if card >= FIRST_TRUMP:
        number = card - FIRST_TRUMP + 1
        return (PAGAT, LOW, MIDDLE, HIGH, SKUS)[int(np.searchsorted([1, 10, 20, 21], number))]
    rank = card % 14
    return KING if rank == 13 else COURT if rank >= 10 else PIP


class Danish:
    """What is asked of Danish states."""

    phases = ("dealing", "hands", "skat", "announcing", "demanding", "cards", "naming")
    words = (
        *(SKUS for _ in range(5)),
        *("rename" for _ in range(5)),
        "decline",
        "demand",
        "nolo",
        "tout",
        "accept",
        "redeal",
        "lay for tout",
    )
    early, by, students = 8, danish, danish_student
    tasted = ("pagat ultimo", "king ultimo", "bagud", "nolo", "pagat lost")

    def __init__(self, rules: DanishRules, net: Ints) -> None:
        self.n = danish.array_of(rules, net)

    def choose(self, policy: int, s: Ints, w: Ints, dice: Words) -> int:
        """What a policy does."""
        return int(danish_choice.choose(policy, self.n, s, w, dice))

    def phase(self, states: Ints) -> Ints:
        """Which phase it is."""
        return states[:, danish_at.PHASE]

    def in_play(self, states: Ints) -> Mask:
        """Whether cards are played."""
        return np.asarray(states[:, danish_at.PHASE] == danish_at.PLAY)

    def leads(self, states: Ints) -> Mask:
        """Whether the place in turn is on lead."""
        return np.asarray(states[:, danish_at.PLAYED] == 0)

    def thirds(self, states: Ints) -> tuple[Ints, tuple[str, ...]]:
        """In which third of the deal it is, and which tricks these are."""
        return np.searchsorted([8, 16], states[:, danish_at.NUMBER]), ("1–8", "9–16", "17–25")

    def roles(self, states: Ints) -> Names:
        """Roles are for French tables."""
        return np.full(len(states), "")

    def faults(self, states: Ints) -> Iterator[Fault]:
        """The faults that club players had."""
        leads = self.in_play(states) & self.leads(states)
        third, tricks = self.thirds(states)
        yield Fault(f"T21 is led late ({tricks[2]}), not T11–20", leads & (third == 2), (HIGH,), (MIDDLE,))
        for number, name in enumerate(tricks):
            where = leads & (third == number)
            yield Fault(f"a pip or court is led, not T11–20 ({name})", where, (PIP, COURT), (MIDDLE,))
            yield Fault(f"T11–20 is led, not a pip or court ({name})", where, (MIDDLE,), (PIP, COURT))

    def plays_early(self, s: Ints, action: int) -> bool:
        """Whether a card is about to be played to one of the first tricks."""
        return bool(s[danish_at.PHASE] == danish_at.PLAY and s[danish_at.NUMBER] <= self.early)

    def is_tarok_led(self, action: int) -> bool:
        """Whether a lead is one of tarok, be it with the skus."""
        return FIRST_TRUMP <= action < SKUS_CARD or action == danish_at.LEAD_SKUS + 4

    def ended(self, s: Ints, w: Ints) -> dict[str, set[int]]:
        """What happened, and to whom."""
        found: dict[str, set[int]] = {name: set() for name in self.tasted}
        for payer, payee, _, code, _ in book.rows(w[danish_at.BOOK :].tolist()):
            name, who = {
                payments.PAGAT_ULTIMO: ("pagat ultimo", payee),
                payments.KING_ULTIMO: ("king ultimo", payee),
                payments.KING_BAGUD: ("bagud", payer),
                payments.PAGAT_BAGUD: ("bagud", payer),
                payments.NOLO: ("nolo", payee),
            }.get(code, ("", -1))
            if name:
                found[name].add(who)
        if s[danish_at.HAPPENED] >> payments.LOST_PAGAT & 1:
            found["pagat lost"] = {place for place in range(3) if s[danish_at.OUT_TRUMPS + place] & 1}
        return found


class French:
    """What is asked of French states."""

    phases = ("bidding", "calling", "écart", "slam", "cards", "showing")
    words = (
        "pass",
        *(f"bid {number + 1}" for number in range(french_rule.MOST_BIDS)),
        "decline",
        "slam",
        *("poignée" for _ in range(french_rule.MOST_POIGNEES)),
    )
    early, by, students = 6, french, french_student
    tasted = ("taken", "made", "petit au bout", "petit lost")

    def __init__(self, rules: FrenchRules, net: Ints) -> None:
        self.n, self.players = french.array_of(rules, net), rules.players

    def choose(self, policy: int, s: Ints, w: Ints, dice: Words) -> int:
        """What a policy does."""
        return int(french_choice.choose(policy, self.n, s, dice))

    def phase(self, states: Ints) -> Ints:
        """Which phase it is."""
        return states[:, french_at.PHASE]

    def in_play(self, states: Ints) -> Mask:
        """Whether cards are played."""
        return np.asarray(states[:, french_at.PHASE] == french_at.PLAYING)

    def leads(self, states: Ints) -> Mask:
        """Whether the seat in turn is on lead."""
        return np.asarray(states[:, french_at.PLACE] == 0)

    def thirds(self, states: Ints) -> tuple[Ints, tuple[str, ...]]:
        """In which third of the deal it is, and which tricks these are."""
        third = int(self.n[french_rule.HAND]) // 3
        names = (f"1–{third}", f"{third + 1}–{2 * third}", f"{2 * third + 1}–{3 * third}")
        return states[:, french_at.TRICK] // third, names

    def roles(self, states: Ints) -> Names:
        """Taker, partner or defender; nobody is one while they bid."""
        turn = states[:, french_at.TURN]
        partner = (states[:, french_at.SIDES] >> turn & 1) == 1
        found = np.where(states[:, french_at.TAKER] == turn, TAKER, np.where(partner, PARTNER, DEFENDER))
        return np.where(states[:, french_at.PHASE] == french_at.BIDDING, "", found)

    def faults(self, states: Ints) -> Iterator[Fault]:
        """The faults that club players had."""
        leads, roles = self.in_play(states) & self.leads(states), self.roles(states)
        first = self.in_play(states) & (self.thirds(states)[0] == 0)
        to_taker = (states[:, french_at.TAKER] - states[:, french_at.TURN]) % self.players
        others = tuple(name for name in CARDS if name != PAGAT)
        last = self.players - 1
        for name, where in (
            ("next", to_taker == 1),
            ("between", (to_taker > 1) & (to_taker < last)),
            ("last", to_taker == last),
        ):
            where = where & leads & (roles == DEFENDER)
            yield Fault(f"a defender leads the petit, the taker {name}", where, (PAGAT,), others)
        yield Fault("the taker leads a king, not T11–20", leads & (roles == TAKER), (KING,), (MIDDLE,))
        yield Fault("the taker leads T2–10, not T11–20", leads & (roles == TAKER), (LOW,), (MIDDLE,))
        where = first & (roles == TAKER)
        yield Fault("the taker keeps the excuse and plays a pip (first third)", where, (PIP,), (SKUS,))

    def plays_early(self, s: Ints, action: int) -> bool:
        """Whether a card is about to be played to one of the first tricks."""
        plays = s[french_at.PHASE] == french_at.PLAYING and action <= SKUS_CARD
        return bool(plays and s[french_at.TRICK] < self.early)

    def is_tarok_led(self, action: int) -> bool:
        """Whether a lead is one of trumps."""
        return FIRST_TRUMP <= action < SKUS_CARD

    def ended(self, s: Ints, w: Ints) -> dict[str, set[int]]:
        """What happened, and to whom."""
        found: dict[str, set[int]] = {name: set() for name in self.tasted}
        if s[french_at.RESULT] != french_at.PLAYED:
            return found
        found["taken"] = {int(s[french_at.TAKER])}
        if has_won(self.n, s[french_at.HALF_POINTS], s[french_at.BOUTS]):
            found["made"] = found["taken"]
        taker, sides = int(s[french_at.PETIT_TAKER]), int(s[french_at.SIDES])
        if s[french_at.PETIT_SIDE]:
            found["petit au bout"] = {taker}
        for seat in range(self.players):
            if s[french_at.PLAYED_TRUMPS + seat] & 1 and (sides >> seat ^ sides >> taker) & 1:
                found["petit lost"] = {seat}
        return found


Family = Danish | French


def family_of(name: str, net: Path | None) -> Family:
    """The family of a rulebook, with the network of its student or another."""
    rules = rulebook.load(name)
    assert isinstance(rules, DanishRules | FrenchRules)
    students: Any = danish_student if isinstance(rules, DanishRules) else french_student
    held = students.network_for((STUDENT,))
    if net is not None:
        kind = "danish" if isinstance(rules, DanishRules) else "french"
        held = network.read(net, kind, students.INPUTS, students.OUTPUTS)
    return Danish(rules, held) if isinstance(rules, DanishRules) else French(rules, held)


# --- decisions -----------------------------------------------------------------------------------------


class Decisions:
    """Decisions with what every action brings, and what a player and an adviser do."""

    def __init__(self, family: Family, states: Ints, brought: Labels, does: Ints, advised: Ints) -> None:
        self.family, self.states, self.brought = family, states, brought
        self.does, self.advised = does, advised
        self.legal: Mask = brought != family.by.UNKNOWN
        self.names: Names = np.array([*map(card_class, range(SKUS_CARD + 1)), *family.words])
        rows = np.arange(len(states))
        self.gains = brought[rows, advised].astype(np.int64) - brought[rows, does]

    @cached_property
    def unlike(self) -> Mask:
        """Where the adviser does otherwise."""
        return np.asarray(self.does != self.advised)

    def kinds(self) -> list[Kind]:
        """What is gained by the adviser's choice, by kind of decision: where most is, first."""
        family, states, per = self.family, self.states[self.unlike], 1000 / max(1, len(self.states))
        third, tricks = family.thirds(states)
        plays = family.in_play(states)
        columns = (
            np.array(family.phases)[family.phase(states)],
            np.where(plays, np.where(family.leads(states), "lead", "follow"), ""),
            np.where(plays, np.array(tricks)[np.clip(third, 0, 2)], ""),
            family.roles(states),
            self.names[self.does[self.unlike]],
            self.names[self.advised[self.unlike]],
        )
        rows: dict[tuple[str, str, str, str, str, str], list[int]] = {}
        listed = [one.tolist() for one in columns]
        for gain, phase, turn, trick, role, does, advised in zip(
            self.gains[self.unlike], *listed, strict=True
        ):
            rows.setdefault((phase, turn, trick, role, does, advised), []).append(int(gain))
        found = [
            Kind(*kind, mean_of(gains), per * len(gains), per * sum(gains)) for kind, gains in rows.items()
        ]
        return sorted(found, key=lambda kind: (-kind.weight, msgspec.structs.astuple(kind)[:6]))

    def checks(self) -> list[Check]:
        """The known faults of the family."""
        return [self._check(fault) for fault in self.family.faults(self.states)]

    def _check(self, fault: Fault) -> Check:
        bad, other = np.isin(self.names, fault.does), np.isin(self.names, fault.other)
        there = self.legal & other
        chance = fault.where & (self.legal & bad).any(axis=1) & there.any(axis=1)
        does = chance & bad[self.does]
        rows = np.flatnonzero(does)
        brought = np.where(there[rows], self.brought[rows], 0).sum(axis=1) / np.maximum(
            1, there[rows].sum(axis=1)
        )
        listens = does & other[self.advised]
        return Check(
            name=fault.name,
            does=Share(int(does.sum()), int(chance.sum())),
            gain=mean_of(brought - self.brought[rows, self.does[rows]]),
            advised=mean_of(self.gains[listens]),
        )


def decisions(
    family: Family,
    player: int,
    adviser: int,
    minds: tuple[int, int],
    number: int,
    share: int,
    seed: int,
    tell: Callable[[int], object] = lambda done: None,
) -> Decisions:
    """Some decisions of deals by the minds `minds`: who plays on in the seat that decides, and the others."""
    by: Any = family.by
    own, others = minds
    s, t, w, seats = by.blank()
    ns = np.stack((family.n, family.n))
    states, brought = np.zeros((number, len(s)), np.int64), np.zeros((number, by.ACTIONS), np.int16)
    dice, again = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    drivers = np.array(sorted({own, others}), np.int64)
    played = np.array([others], np.int64)
    words = starts(seed, 0)
    for first in range(0, number, PORTION):
        rows = slice(first, first + PORTION)
        by.generate(
            ns,
            drivers,
            own,
            played,
            share,
            share,
            0,
            s,
            t,
            w,
            seats,
            words,
            dice,
            again,
            states[rows],
            brought[rows],
        )
        tell(len(states[rows]))
    chosen = [
        [family.choose(policy, state.copy(), w, dice) for state in states] for policy in (player, adviser)
    ]
    return Decisions(family, states, brought, *(np.array(one, np.int64) for one in chosen))


# --- taste ---------------------------------------------------------------------------------------------


def taste(family: Family, rules: str, player: int, others: int, deals: int, seed: int) -> list[Taste]:
    """Play whole deals, the player in one seat in turn, or in all if the others are no others."""
    game = game_of(rulebook.load(rules), seed)
    game.n = family.n
    at: Any = danish_at if isinstance(family, Danish) else french_at
    counts = dict.fromkeys((*family.tasted, "seats", "leads", "tarok led", "skus", "skus gone"), 0)
    for number in range(deals):
        s, w, dice = game.begin(number)
        mine = set(range(game.players)) if player == others else {number % game.players}
        weakest: set[int] = set()
        while (seat := game.turn(s)) >= 0:
            action = family.choose(player if seat in mine else others, s, w, dice)
            if family.plays_early(s, action):
                if not weakest:
                    trumps = [int(s[at.TRUMPS + other]) for other in range(game.players)]
                    lengths = [(held & REAL_TRUMPS).bit_count() for held in trumps]
                    weakest = {other for other, length in enumerate(lengths) if length == min(lengths)}
                    counts["skus"] += any(trumps[other] & ~REAL_TRUMPS for other in mine)
                if seat in mine:
                    counts["skus gone"] += action >= SKUS_CARD
                    if seat in weakest and family.leads(s[None])[0]:
                        counts["leads"] += 1
                        counts["tarok led"] += family.is_tarok_led(action)
            game.act(s, w, action, dice)
        counts["seats"] += len(mine)
        for name, seats in family.ended(s, w).items():
            counts[name] += len(seats & mine)
    early = f"tricks 1–{family.early}"
    shares = {
        f"leads by the hand weakest in tarok that are tarok ({early})": ("tarok led", "leads"),
        f"the skus gone, of those held ({early})": ("skus gone", "skus"),
        **{name: (name, "taken" if name == "made" else "seats") for name in family.tasted},
    }
    return [Taste(name, Share(counts[part], counts[whole])) for name, (part, whole) in shares.items()]


def taste_of_searching(
    family: Family, rules: str, level: str, deals: int, samples: int, seed: int
) -> Searching:
    """Have players who search play whole deals in all seats."""
    book = rulebook.load(rules)
    names = [str(seat) for seat in range(book.sizes[0])]
    leads = weak = held = gone = 0
    with progress(deals, f"deals of {level}, {rules}") as advance:
        for number in range(deals):
            players = {
                seat: create(level, f"{seed} {number} {seat}", samples=samples) for seat in range(len(names))
            }
            match = Match(book, names, players, Random(f"taste {seed} {number}"))
            list(match.play_deals(1))
            advance(1)
            weakest: set[int] = set()
            for one in (one for events in deals_of(match.log) for one in decisions_of(book, events)):
                state = one.truth
                if not isinstance(one.action, Play) or len(state.tricks) >= family.early:
                    continue
                if not weakest:
                    trumps = [hand >> FIRST_TRUMP for hand in state.hands]
                    lengths = [(hand & REAL_TRUMPS).bit_count() for hand in trumps]
                    weakest = {seat for seat, length in enumerate(lengths) if length == min(lengths)}
                    held += any(hand & ~REAL_TRUMPS for hand in trumps)
                card = one.action.card.index
                gone += card == SKUS_CARD
                if one.seat in weakest and not state.trick:
                    leads += 1
                    weak += FIRST_TRUMP <= card < SKUS_CARD or (card == SKUS_CARD and one.action.named == "T")
    return Searching(rules, level, deals, Share(weak, leads), Share(gone, held))


# --- telling -------------------------------------------------------------------------------------------

HEAD = """# Faults

Where players would do better, found by

```
python tools/find_faults.py {command}
```

At some decisions every legal action was played out in the same deal, all seats by players like the one that
decides. *Gain* is what the adviser's choice brings more than the player's, in points with a 95 % interval; no
student has learned from these deals. Kinds of decisions with fewer than {least} cases are left out; of the
others those {top} are shown that cost most in 1000 decisions. Among so many kinds some look costly by chance,
and the intervals take the decisions of one deal as if they were of several.
Where the adviser is the club and the player a student, a gain below nothing says that the student is right.
Cards are pips, courts (jack, knight, queen), kings, the pagat or petit, T2–10, T11–20, T21, and the skus or
excuse.

*Known faults* are those that club players once had. They are counted where the card of the fault and one of
the others could be played; *others* is what all of these bring on average in its place, *advised* what the
adviser's card brings where it is one of them. *Taste* is what happened in {deals:,} whole deals with such
players in all seats, for each seat where nothing else is said, and in fewer with those who search. The
hand weakest in tarok has the fewest as the first card is led, and so may two. The books hold that it does
not lead tarok (F3.5), and that the skus is a weapon to trick 22 (F5.1).
"""


def find(given: argparse.Namespace, rules: str, player: str, number: int) -> Found:
    """All that is to be found about a player under some rules."""
    family = family_of(rules, given.net)
    adviser = given.adviser or ("student" if player == "club" else "club")
    own = player if player in MINDS else "club"
    others = given.others or own
    with progress(number, f"decisions of {player}, {rules}") as advance:
        one = decisions(
            family,
            POLICIES[player],
            POLICIES[adviser],
            (MINDS[own], MINDS[others]),
            number,
            given.share,
            given.seed,
            advance,
        )
    among = POLICIES[given.others or player]
    return Found(
        rules=rules,
        player=player,
        adviser=adviser,
        others=others,
        decisions=len(one.states),
        unlike=Share(int(one.unlike.sum()), len(one.states)),
        gain=mean_of(one.gains),
        kinds=[kind for kind in one.kinds() if kind.gain.number >= given.least][: given.top],
        checks=one.checks(),
        taste=taste(family, rules, POLICIES[player], among, given.deals, given.seed),
    )


def told(found: Sequence[Found], searching: Sequence[Searching] = ()) -> Iterator[str]:
    """What was found, as tables."""
    for rules in dict.fromkeys(one.rules for one in found):
        yield f"\n## `{rules}`\n"
        these = [one for one in found if one.rules == rules]
        for one in these:
            yield from _kinds(one)
        yield "\n### Known faults\n\n"
        yield _line(
            "fault", *(f"{one.player}: {what}" for one in these for what in ("done", "others", "advised"))
        )
        yield _line("---", *("--:" for _ in these for _ in range(3)))
        for rows in zip(*(one.checks for one in these), strict=True):
            cells = (cell for row in rows for cell in (row.does, row.gain, row.advised))
            yield _line(rows[0].name, *cells)
        yield "\n### Taste\n\n"
        others = [one for one in searching if one.rules == rules]
        yield _line(
            "", *(one.player for one in these), *(f"{one.level}, {one.deals:,} deals" for one in others)
        )
        yield _line("---", *("--:" for _ in (*these, *others)))
        counted: tuple[list[Any], ...] = (
            [one.weak_leads for one in others],
            [one.skus_gone for one in others],
        )
        for row, tastes in enumerate(zip(*(one.taste for one in these), strict=True)):
            more = counted[row] if row < len(counted) else ["–"] * len(others)
            yield _line(tastes[0].name, *(one.share for one in tastes), *more)


def _kinds(one: Found) -> Iterator[str]:
    yield f"\n### What the {one.adviser} would do in the place of the {one.player}\n\n"
    yield f"Something else in {one.unlike} of {one.decisions:,} decisions, for {one.gain} points a decision; "
    yield f"played on by the {one.player if one.player in MINDS else 'club'} among {one.others} players.\n\n"
    yield _line("decision", "tricks", one.player, one.adviser, "in 1000", "gain", "points in 1000")
    yield _line("---", "---", "---", "---", "--:", "--:", "--:")
    for kind in one.kinds:
        what = " ".join(filter(None, (kind.role, kind.turn or kind.phase)))
        yield _line(
            what, kind.tricks, kind.does, kind.advised, f"{kind.share:.1f}", kind.gain, f"{kind.weight:+.1f}"
        )


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Find faults, and tell them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rules", nargs="+")
    parser.add_argument("--players", nargs="+", choices=POLICIES, default=["club", "student"])
    parser.add_argument("--adviser", choices=POLICIES, help="who would do otherwise")
    parser.add_argument(
        "--others", choices=MINDS, help="who has the other seats (default: the player's like)"
    )
    parser.add_argument("--net", type=Path, help="a network for the student (default: its own)")
    parser.add_argument(
        "--decisions", type=int, nargs="+", default=[20_000], help="of each player, or one number for all"
    )
    parser.add_argument("--share", type=int, default=64, help="of the decisions of a deal, in 1024")
    parser.add_argument("--deals", type=int, default=2_000, help="whole deals, for taste")
    parser.add_argument("--searching", nargs="+", default=[], help="players who search, for taste")
    parser.add_argument("--searched", type=int, default=60, help="whole deals of each of these")
    parser.add_argument("--samples", type=int, default=16, help="worlds that they try for a decision")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--least", type=int, default=20, help="cases that a kind of decision needs")
    parser.add_argument("--top", type=int, default=15, help="kinds of decisions that are shown")
    parser.add_argument("--json", action="store_true", help="JSON in place of Markdown")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    given = parser.parse_args(arguments)
    numbers = given.decisions * (len(given.players) if len(given.decisions) == 1 else 1)
    if len(numbers) != len(given.players):
        parser.error("--decisions: one number, or one for each player")
    asked = list(zip(given.players, numbers, strict=True))
    found = [find(given, rules, player, number) for rules in given.rules for player, number in asked]
    searching = [
        taste_of_searching(
            family_of(rules, given.net), rules, level, given.searched, given.samples, given.seed
        )
        for rules in given.rules
        for level in given.searching
    ]
    if given.json:
        print(msgspec.json.encode([*found, *searching]).decode())
        return
    text = "".join(told(found, searching))
    if given.write:
        words = [word for word in (sys.argv[1:] if arguments is None else arguments) if word != "--write"]
        PAGE.write_text(HEAD.format(command=" ".join(words), **vars(given)) + text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
