"""Tables as lists show them, how one is opened, and what remains of its deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from ultimo import danish, rulebook, series
from ultimo.answers import books
from ultimo.answers.files import LINES, TEXT, File
from ultimo.answers.payloads import (
    CupsRest,
    DealingOrder,
    DealtCards,
    FairDeal,
    FirstDealer,
    Ledger,
    Lobby,
    Replay,
    SeatLine,
    Shuffled,
    Sitting,
    TableLine,
    TableRules,
)
from ultimo.answers.refusing import Refusal, number, of_deal
from ultimo.cards import Card
from ultimo.events import CupsDivided, Dealt, IllegalAction, Opened, Seat, SeriesOpened
from ultimo.names import names
from ultimo.record import jsonl, sheet
from ultimo.record.model import Record
from ultimo.rulebook import FrenchRules, RulebookError, Rules
from ultimo.table import archive
from ultimo.table.archive import Log, Step
from ultimo.table.facts import PlayerId, SeatTaken
from ultimo.table.live import held_back
from ultimo.table.scene import Moment
from ultimo.table.settings import Again, SeatPlan, Settings, check, recorded, rules_of
from ultimo.telling.teller import Teller

FORMS: Final[dict[str, tuple[Callable[[Record], str], str]]] = {
    "sheet": (sheet.dumps, TEXT),
    "jsonl": (jsonl.dumps, LINES),
}


class Game(Protocol):
    """What is known of a table without its log; `seat` is that of the player whose history it is in."""

    @property
    def id(self) -> str: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def moment(self) -> Moment: ...
    @property
    def number(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> tuple[str, ...]: ...
    @property
    def series(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def at(self) -> float: ...
    @property
    def seat(self) -> Seat | None: ...
    @property
    def device(self) -> str: ...


# --- in lists --------------------------------------------------------------------------------------------


def lobby(games: Iterable[Game], language: str) -> Lobby:
    """The public tables."""
    lines = [line(game, language) for game in games]
    waiting = tuple(one for one in lines if one.moment == "gathering")
    return Lobby(waiting, tuple(one for one in lines if one.moment != "gathering"))


def line(game: Game, language: str) -> TableLine:
    """What a table plays and who sits there."""
    settings = game.settings
    return TableLine(
        id=game.id,
        title=books.title_of(settings.rules, language),
        rules=settings.rules,
        family=books.family_of(settings.rules),
        size=settings.size,
        seats=tuple(
            SeatLine(name, kind)  # type: ignore[arg-type]
            for name, kind in zip(game.names, game.kinds, strict=True)
        ),
        moment=game.moment,
        number=game.number,
        deals=settings.deals,
        house=len(settings.house),
        public=settings.public,
        at=game.at,
    )


def sitting(game: Game, language: str) -> Sitting:
    """A session that somebody has played."""
    totals = tuple(after[game.seat] for after in game.series) if game.seat is not None else ()
    return Sitting(
        id=game.id,
        title=books.title_of(game.settings.rules, language),
        at=game.at,
        moment=game.moment,
        deals=len(game.series),
        total=totals[-1] if totals else 0,
        players=game.names,
        series=totals,
        device=game.device,
    )


def rules(settings: Settings, language: str) -> TableRules:
    """The rules of a table in sentences."""
    return books.table_rules(rules_of(settings), settings.size, language)


# --- opening one -----------------------------------------------------------------------------------------


def check_settings(settings: Settings, language: str) -> None:
    """Refuse a table that cannot be."""
    try:
        check(settings)
    except RulebookError as error:
        field = f"settings.house.{error.key}" if error.key else "settings.rules"
        raise Refusal(422, "settings", field, reason=error) from None
    except IllegalAction as error:
        reason = Teller(names(language), rules_of(settings), ()).refusal(error)
        raise Refusal(422, "settings", "settings.size", error.cite, reason=reason) from None


def again(log: Log, deal: int, step: int | None) -> Again:
    """The cards of a deal that is over, to be played once more or on from a frame."""
    with of_deal(deal):
        return archive.again(log, deal, step)


def alone(settings: Settings, log: Log, player: PlayerId) -> Settings:
    """The agreement of a table at which somebody plays a single deal from the seat they had, among bots."""
    own = _seat_of(log, player)
    seats = tuple(
        SeatPlan("host") if seat == own else SeatPlan("bot", plan.level)
        for seat, plan in enumerate(settings.seats)
    )
    return replace(recorded(settings), seats=seats, deals=1, public=False, help="alone")


def _seat_of(log: Log, player: PlayerId) -> Seat:
    """Where somebody sat last; who never did takes the first seat."""
    taken = [fact.seat for fact, _ in log if isinstance(fact, SeatTaken) and fact.player == player]
    return taken[-1] if taken else 0


# --- what remains ----------------------------------------------------------------------------------------


def check_open(settings: Settings, moment: Moment) -> None:
    """Refuse what tells the cards of a table's deals while the next ones follow from them."""
    if held_back(rules_of(settings), moment):
        raise Refusal(409, "heldBack")


def asked_record(form: str, deal: str | None) -> tuple[str, int | None]:
    """In which form a record is asked for, and of which deal; without one, of all that are over."""
    if form not in FORMS:
        raise Refusal(404, "unknownPage", "form")
    return form, None if deal is None else number(deal)


def record(table: str, log: Log, form: str, deal: int | None) -> File:
    """The record of a deal, or of all that are over, to keep."""
    write, media = FORMS[form]
    with of_deal(deal or 1):
        kept = archive.session_record(log) if deal is None else archive.deal_record(log, deal)
    return File(f"ultimo-{table}{'' if deal is None else f'-{deal}'}.{form}", media, write(kept))


def replay(log: Log, deal: int, language: str) -> Replay:
    """A deal step by step."""
    with of_deal(deal):
        frames, cites = archive.replay(log, deal, language)
    return Replay(deal, tuple(frames), cites)


def ledger(log: Log, language: str) -> Ledger:
    """Every payment of the session so far."""
    payments, cites = archive.ledger(log, language)
    return Ledger(tuple(payments), cites)


# --- fair cards ------------------------------------------------------------------------------------------


def fair(log: Log, deal: int) -> FairDeal:
    """How the cards of a deal were shuffled; one that was not shuffled here has nothing to check."""
    with of_deal(deal):
        found = fair_deal(log, deal)
    if not found.shuffles:
        raise Refusal(404, "unproven", deal=deal)
    return found


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
    first, rest = _lots(log, number)
    house, digest = rulebook.overrides(rules), rulebook.digest(rules)
    return FairDeal(rules.id, house, opened.dealer, order, shuffles, first, rest, digest)


def _lots(log: Log, number: int) -> tuple[FirstDealer | None, CupsRest | None]:
    """How the first dealer was drawn, for the first deal; for the last one, who got the rest of the cups."""
    first: FirstDealer | None = None
    rest: CupsRest | None = None
    for step in archive.steps(log):
        state = step.before.series
        match step.event:
            case SeriesOpened(dealer=dealer, drawn=drawn) if number == 1:
                is_set = step.before.dealer_is_set
                first = FirstDealer(dealer, _names(drawn), archive.proof_of(step), is_set)
            case CupsDivided(shares=shares) if state is not None and state.deals == number:
                proof = archive.proof_of(step)
                rest = CupsRest(shares.index(max(shares)), proof) if proof is not None else None
            case _:
                pass
    return first, rest


def _order(rules: Rules, opened: Opened, pack: tuple[Card, ...]) -> DealingOrder:
    """How a pack becomes hands in a deal."""
    if not isinstance(rules, FrenchRules):
        return DealingOrder(opened.table, opened.active, danish.phases.PACKET, 0, 0)
    rule = rules.deal
    ends = rule.chien_forbidden_ends
    return DealingOrder(opened.table, opened.active, rule.packet, rule.chien, ends, _names(pack))


def _cut_pack(steps: Sequence[Step]) -> tuple[Card, ...]:
    """The pack from which the cards were dealt, where it is not shuffled."""
    before = next(step.before for step in steps if isinstance(step.event, Dealt))
    assert before.series is not None
    return series.cut_pack(before.series)


def _names(some: Iterable[Card]) -> tuple[str, ...]:
    return tuple(card.value for card in some)
