"""Which outcomes a French deal can have: what a score sheet refuses before it reckons."""

from __future__ import annotations

from ultimo.events import Impossibilities, ImpossibleOutcome
from ultimo.french.outcome import ALL_HALF_POINTS, Outcome
from ultimo.french.settlement import defenders, needed_points, poignee_value, row_of
from ultimo.rulebook import FrenchRules

TRUMPS_AND_EXCUSE = 22
BOUT = 9  # half points; the excuse can be worth one less, for the card that is owed for it
PLAIN_HONOURS: tuple[int, ...] = (3,) * 4 + (2,) * 4 + (1,) * 4  # queens, knights, jacks: an écart's
HONOURS: tuple[int, ...] = (4,) * 4 + PLAIN_HONOURS


def check(rules: FrenchRules, outcome: Outcome) -> None:
    """Refuse an outcome that no deal can have.

    Rule: 002 §4, §6, §7, §9, §10, §11, §12; rules C7, C10.
    """
    for problem in _contradictions(rules, outcome):
        raise problem


def _contradictions(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    yield from _people(rules, outcome)
    yield from _points(rules, outcome)
    yield from _poignees(rules, outcome)
    yield from _slam(rules, outcome)
    yield from _petit(outcome)
    yield from _halves(rules, outcome)
    if outcome.fault and rules.fine.fault == "none":
        yield ImpossibleOutcome("fault", "noSuchFault", book=rules.id)


def _people(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    seats = range(rules.players)
    if outcome.players != rules.players:
        yield ImpossibleOutcome("players", "tableHas", count=rules.players)
    if outcome.taker not in seats:
        yield ImpossibleOutcome("taker", "notASeat", seat=outcome.taker, last=rules.players - 1)
    if outcome.partner is not None:
        if rules.call.card == "none":
            yield ImpossibleOutcome("partner", "nobodyCalled")
        if outcome.partner not in seats:
            yield ImpossibleOutcome("partner", "notASeat", seat=outcome.partner, last=rules.players - 1)
        if outcome.partner == outcome.taker:
            yield ImpossibleOutcome("partner", "ownPartner")


def _points(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    row_of(rules, outcome.bid)
    needed_points(rules, outcome.bouts)
    if not 0 <= outcome.half_points <= ALL_HALF_POINTS:
        yield ImpossibleOutcome("half_points", "wholePack")
    least = BOUT * outcome.bouts - bool(outcome.bouts)
    lacking = 3 - outcome.bouts
    most = ALL_HALF_POINTS - (BOUT * lacking - bool(lacking))
    if outcome.half_points < least:
        yield ImpossibleOutcome("half_points", "boutsAlone", bouts=outcome.bouts)
    if outcome.half_points > most:
        yield ImpossibleOutcome("half_points", "boutsOfDefence", bouts=lacking)


def _poignees(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    for _, shown in outcome.poignees:
        poignee_value(rules, shown)
    if sum(shown for _, shown in outcome.poignees) > TRUMPS_AND_EXCUSE:
        yield ImpossibleOutcome("poignees", "trumpsInAll", count=TRUMPS_AND_EXCUSE)
    against = len(defenders(outcome))
    for side, seats in (("taker", rules.players - against), ("defence", against)):
        if sum(by == side for by, _ in outcome.poignees) > seats:
            yield ImpossibleOutcome("poignees", "onePoigneeEach", count=seats)


def _slam(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    if outcome.slam_announced == "defence" and not rules.slam.defenders_may_announce:
        yield ImpossibleOutcome("slam_announced", "takerAnnounces")
    if outcome.slam_made and not _fits_slam(rules, outcome):
        yield ImpossibleOutcome("slam_made", "notOfASlam")


def _fits_slam(rules: FrenchRules, outcome: Outcome) -> bool:
    """Whether the side without a trick has what it can have: écart or chien, and a kept excuse.

    A kept excuse is worth 4½ less the ½ given for it; the card is owed even if there is none.
    """
    loser_is_taker = outcome.slam_made == "defence"
    half_points = outcome.half_points if loser_is_taker else ALL_HALF_POINTS - outcome.half_points
    bouts = outcome.bouts if loser_is_taker else 3 - outcome.bouts
    chien = row_of(rules, outcome.bid).chien
    if (chien == "defence") == loser_is_taker:
        laid, honours, bouts_laid = 0, HONOURS, 0
    elif chien == "taken":
        laid, honours, bouts_laid = rules.deal.chien, PLAIN_HONOURS, 0
    else:
        laid, honours, bouts_laid = rules.deal.chien, HONOURS, 3
    for excuse_kept in (0, 1):
        inside = bouts - excuse_kept  # bouts in the closed chien, where a kept excuse is not
        if 0 <= inside <= min(bouts_laid, laid, 3 - excuse_kept):
            rest = half_points - (BOUT - 1) * excuse_kept - BOUT * inside - (laid - inside)
            if rest % 2 == 0 and 0 <= rest // 2 <= sum(honours[: laid - inside]):
                return True
    return False


def _petit(outcome: Outcome) -> Impossibilities:
    side = outcome.petit_au_bout
    if side == "taker" and outcome.bouts == 0:
        yield ImpossibleOutcome("petit_au_bout", "takerWithoutBouts")
    if side == "defence" and outcome.bouts == 3:
        yield ImpossibleOutcome("petit_au_bout", "takerWithAllBouts")
    if side and outcome.slam_made and side != outcome.slam_made:
        yield ImpossibleOutcome("petit_au_bout", "otherSideSlam")


def _halves(rules: FrenchRules, outcome: Outcome) -> Impossibilities:
    """Half a point is left over when a pile has an odd number of cards.

    With four players tricks, écart and chien are even, and only an excuse that falls in a last trick of its
    own side's, and so changes sides alone, can leave one. It is then a defender's: the taker has
    nobody who could win that trick for him.
    """
    if outcome.half_points % 2 == 0 or rules.players != 4:
        return
    if rules.excuse.last_trick_return == "half":
        yield ImpossibleOutcome("half_points", "wholePoints")
    elif outcome.bouts == 0 or outcome.slam_made or outcome.petit_au_bout == "taker":
        yield ImpossibleOutcome("half_points", "halfOnlyByExcuse")
