"""What the books say about how often things happen, and how often they do.

Some of it depends on the cards alone: it is counted in shuffled packs and has an exact probability. The rest
depends on the players: it is counted at tables of simple players, and says something about these players.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from msgspec import Struct

from ultimo import rulebook
from ultimo.analysis.executing import Executor, Here
from ultimo.analysis.frequencies import dealt
from ultimo.analysis.frequencies.exact import DANISH
from ultimo.analysis.runs import Advance
from ultimo.analysis.simulation import run as simulation
from ultimo.analysis.simulation.run import LENGTH, Plan
from ultimo.analysis.statistics import Share, Summary

PLAYERS = ("random", "lowest", "highest", "beginner", "club")  # the quick ones
TABLE = 3  # at a Danish table of simple players nobody need sit out
LARGE_CUP = 400  # five times what both opponents pay for an ultimo
CHUNK = 50_000


class Figure(Struct, frozen=True):
    """Something that is counted.

    `name` is that of a measure of the cards, or of an event in the deals of `rules`, as a share of all deals
    or of those `of` a kind.
    """

    label: str
    name: str
    rules: str | None = None
    of: str | None = None


class Claim(Struct, frozen=True):
    """What a book says, in our words, and what is counted for it."""

    book: str
    section: str
    says: str
    figures: tuple[Figure, ...]


class Row(Struct, frozen=True):
    """A figure of a claim, measured; of the cards alone with its exact probability, else with the players."""

    claim: Claim | None
    figure: Figure
    players: str | None
    share: Share
    exact: float | None


J60, H43, B99, DTF, FR = "jensen", "hermansen", "basta", "dtf", "french"
BOTH = f"{H43}, {J60}"

CLAIMS = (
    Claim(
        BOTH,
        "De fire faktorer; Anvisninger",
        "with a whip of six cards one normally drives four tarokker out of the two others",
        (Figure("six cards with the dealer, not more than six with either other", "six_drives_four"),),
    ),
    Claim(
        BOTH,
        "Lægning af skat; Anvisninger",
        "there is little prospect that a suit of which one has five or six cards is an opponent's whip",
        (
            Figure("five with the dealer, six or more with another", "five_is_whip_elsewhere"),
            Figure("six with the dealer, six or more with another", "six_is_whip_elsewhere"),
        ),
    ),
    Claim(
        BOTH,
        "Ligevægtsspillerens åbningsudspil",
        "a suit of which one has four cards is often somebody's whip",
        (Figure("four with forehand, six or more with another", "four_is_whip_elsewhere"),),
    ),
    Claim(
        BOTH,
        "Ligevægtsspillerens åbningsudspil",
        "there is some probability that a suit of which one has a single card is short with nobody else",
        (Figure("one with forehand, four or more with both others", "single_is_long_elsewhere"),),
    ),
    Claim(
        BOTH,
        "Hjælperens and Ligevægtsspillerens åbningsudspil",
        "a suit of which the courts were declared is often a whip",
        (Figure("six or more of a suit declared half, full or overfull", "declared_suit_is_whip"),),
    ),
    Claim(
        BOTH,
        "De fire faktorer; Anvisninger",
        "the normal fight hand: seven tarokker, a whip of six and four of each other suit",
        (Figure("dealt just so to forehand", "normal_hand"),),
    ),
    Claim(
        B99,
        "UDSPILLET, SCUSEN",
        "the declarations often tell where the skus is",
        (Figure("it is part of matadors or of declared courts", "skus_told"),),
    ),
    Claim(
        FR,
        "§10",
        "with five players two poignées in one deal are improbable",
        (Figure("two hands with eight trumps, as dealt", "two_poignees_5"),),
    ),
    Claim(
        FR,
        "§16",
        "all kings, queens and knights in the taker's hand: very improbable",
        (Figure("in any hand of five, as dealt", "twelve_courts"),),
    ),
    Claim(
        H43, "Tout", "all 25 tricks: not once in a quarter of a million deals", (Figure("tout", "tout", H43),)
    ),
    Claim(B99, "SPILLET", "tout is one of the greatest rarities", (Figure("tout", "tout", B99),)),
    Claim(
        BOTH,
        "Hjælperen",
        "king ultimo is considerably harder than pagat ultimo",
        (
            Figure("king ultimo, with any of four kings", "king_ultimo", H43),
            Figure("pagat ultimo", "pagat_ultimo", H43),
        ),
    ),
    Claim(
        DTF,
        "opening",
        "in by far the most deals the matter is only to get the last trick",
        (Figure("neither ultimo nor bagud, nolo or tout", "plain", DTF),),
    ),
    Claim(
        BOTH,
        "Hvad (går) tarokspillet (går) ud på",
        "the content of a cup can at times be very large",
        (
            Figure(f"king cup over {LARGE_CUP} points as the {LENGTH}th deal begins", "large_king_cup", H43),
            Figure(
                f"pagat cup over {LARGE_CUP} points as the {LENGTH}th deal begins", "large_pagat_cup", H43
            ),
        ),
    ),
    Claim(
        BOTH,
        "Nolo",
        "to win a nolo and go bagud in the same deal is a rare sight",
        (Figure("a nolo won, and somebody bagud", "nolo_and_bagud", H43),),
    ),
    Claim(
        B99,
        "SPILLET",
        "for pagat ultimo one must as a rule have eight or nine tarokker at least",
        (
            Figure(
                "of pagat ultimos, with eight or more, as dealt", "pagat_ultimo_with_8", B99, "pagat_ultimo"
            ),
        ),
    ),
    Claim(
        B99,
        "SPILLET",
        "for king ultimo one must be strong in tarok",
        (Figure("of king ultimos, with eight or more, as dealt", "king_ultimo_with_8", B99, "king_ultimo"),),
    ),
    Claim(FR, "§6", "that all four pass happens often", (Figure("all passed", "passed", "french4"),)),
    Claim(
        FR,
        "§9, §11",
        "the excuse wins a trick in a slam only, perhaps once in a player's life",
        (Figure("a slam of either side, with the excuse last or not", "slam", "french4"),),
    ),
    Claim(
        FR,
        "§15",
        "with three players there is sometimes half a point in the count",
        (Figure("of those played, with half a point", "half_points", "french3", "played"),),
    ),
)

# What no book makes a claim about and everybody asks.
ALSO = (
    Figure("22 tarokker lie 8–7–7", "tarokker_8_7_7"),
    Figure("ten tarokker or more with forehand", "ten_tarokker_in_a_hand"),
    Figure("ten tarokker or more in some hand", "ten_tarokker_in_some_hand"),
    Figure("no tarok in some hand, the skus not counted", "no_tarok_in_some_hand"),
    Figure("T21, T1 and the skus in one hand", "three_matadors_in_some_hand"),
    Figure("four kings with forehand", "four_kings_in_a_hand"),
    Figure("forehand has something to declare", "declares"),
    Figure("forehand has a whip: six cards of a suit or more", "whip"),
    Figure("petit sec with three players", "petit_sec_3"),
    Figure("petit sec with four players", "petit_sec_4"),
    Figure("petit sec with five players", "petit_sec_5"),
    Figure("two hands with ten trumps, four players", "two_poignees_4"),
)

# Claims that neither the cards alone nor simple players can be asked about.
NOT_MEASURED = (
    (H43, "Hjælperen", "a third of all king ultimos at least could have been prevented"),
    (BOTH, "Føreren", "if neither defender leads there is almost always an ultimo"),
    (BOTH, "Ligevægtsspilleren", "not so seldom the balancer grows strong, and now and then he ultimates"),
    (BOTH, "Lægning af skat", "to lay oneself void takes its revenge all too often"),
    (H43, "Løsninger 2, 3", "the endings shown occur quite often"),
    (B99, "ECARTERINGEN", "to lay courts for the sake of the count is seldom right"),
)


class Measured(Struct):
    """All that was counted."""

    deals: int
    seed: int
    cards: dict[str, Share]
    played: dict[str, dict[str, Summary]]  # by rulebook and player


class CardJob(Struct, frozen=True):
    """Packs to be shuffled."""

    sizes: tuple[int, ...]
    seed: int
    first: int
    deals: int


def plans(deals: int, seed: int) -> list[Plan]:
    """The tables of simple players that the claims are about, one kind of player at each."""
    made = []
    for book in dict.fromkeys(f.rules for claim in CLAIMS for f in claim.figures if f.rules):
        rules = rulebook.load(book)
        table = TABLE if TABLE in rules.sizes else None
        made += [
            simulation.plan(rules, table=table, seed=seed, deals=deals, players=[player])
            for player in PLAYERS
        ]
    return made


def measure(
    deals: int,
    seed: int,
    *,
    on: Executor | None = None,
    chunk: int = CHUNK,
    advance: Advance = lambda deals: None,
) -> Measured:
    """Count everything, in so many deals each; `on` says where, if not in this process."""
    on = Here() if on is None else on
    whole = Measured(deals, seed, {}, {})
    for shuffled, found in on.spread(count_cards, _card_jobs(deals, seed, chunk)):
        for name, share in found.items():
            known = whole.cards.get(name, Share(0, 0))
            whole.cards[name] = Share(known.count + share.count, known.of + share.of)
        advance(shuffled)
    for plan in plans(deals, seed):
        by_player = whole.played.setdefault(plan.rules, {})
        by_player[plan.players[0]] = simulation.run(plan, on=on, chunk=chunk, advance=advance)
    return whole


def total(deals: int) -> int:
    """How many deals that takes together."""
    return deals * (len(dealt.LAYOUTS) + len(plans(deals, 0)))


def count_cards(job: CardJob) -> tuple[int, dict[str, Share]]:
    """How many packs were shuffled, and what is seen in them."""
    return job.deals, dealt.count(job.sizes, seed=job.seed, first=job.first, deals=job.deals)


def _card_jobs(deals: int, seed: int, chunk: int) -> Iterator[CardJob]:
    for layout in dealt.LAYOUTS:
        for first in range(0, deals, chunk):
            yield CardJob(dealt.sizes_of(layout), seed, first, min(chunk, deals - first))


def rows(measured: Measured) -> Iterator[Row]:
    """Every figure of every claim, then those that no claim is about."""
    for claim in CLAIMS:
        for figure in claim.figures:
            yield from _rows(measured, claim, figure)
    for figure in ALSO:
        yield from _rows(measured, None, figure)


def _rows(measured: Measured, claim: Claim | None, figure: Figure) -> Iterator[Row]:
    if figure.rules is None:
        exact = dealt.MEASURES[figure.name].exact()
        yield Row(claim, figure, None, measured.cards[figure.name], exact)
        return
    for player, summary in measured.played[figure.rules].items():
        yield Row(claim, figure, player, _share(summary, figure), None)


def _share(summary: Summary, figure: Figure) -> Share:
    if figure.name.startswith("large_"):
        cup = figure.name.split("_")[1]
        held = summary.cups[cup].get(LENGTH, {})  # once a session: these are independent
        large = sum(count for points, count in held.items() if points > LARGE_CUP)
        return Share(large, sum(held.values()))
    return summary.share(figure.name, figure.of)


def danish_deals() -> int:
    """How many Danish deals there are, the hands taken as they lie before the dealer lays."""
    forehand, middle, dealer = DANISH
    return comb(forehand + middle + dealer, dealer) * comb(forehand + middle, middle)
