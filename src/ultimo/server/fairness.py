"""How the cards of a closed deal were shuffled, for whoever wants to check it."""

from __future__ import annotations

from collections.abc import Iterable

from ultimo import danish, rulebook, series
from ultimo.answers.payloads import DealingOrder, DealtCards, FairDeal, Shuffled
from ultimo.cards import Card
from ultimo.events import Dealt, Opened
from ultimo.rulebook import FrenchRules, Rules
from ultimo.table import archive
from ultimo.table.archive import Log, Step


def fair_deal(log: Log, number: int) -> FairDeal:
    """The proofs of a deal; none where its cards were not shuffled here. Raises `UnknownDeal`."""
    log = list(log)
    steps = archive.deal_steps(log, number)
    opened, rules = steps[0].event, steps[0].before.rules
    assert isinstance(opened, Opened)
    shuffles = tuple(
        Shuffled(proof, DealtCards(tuple(map(_names, dealt.hands)), _names(dealt.chien)))
        for proof, dealt in archive.proofs(log, number)
    )
    order = _order(rules, opened, _cut_pack(steps))
    return FairDeal(rules.id, rulebook.overrides(rules), opened.dealer, order, shuffles)


def _order(rules: Rules, opened: Opened, pack: tuple[Card, ...]) -> DealingOrder:
    """How a pack becomes hands in a deal."""
    if not isinstance(rules, FrenchRules):
        return DealingOrder(opened.table, opened.active, danish.phases.PACKET, 0, 0)
    rule = rules.deal
    ends = rule.chien_forbidden_ends
    return DealingOrder(opened.table, opened.active, rule.packet, rule.chien, ends, _names(pack))


def _cut_pack(steps: Iterable[Step]) -> tuple[Card, ...]:
    """The pack from which the cards were dealt, where it is not shuffled."""
    before = next(step.before for step in steps if isinstance(step.event, Dealt))
    assert before.series is not None
    return series.cut_pack(before.series)


def _names(some: Iterable[Card]) -> tuple[str, ...]:
    return tuple(card.value for card in some)
