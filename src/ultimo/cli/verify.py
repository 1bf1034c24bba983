"""`ultimo verify`: draw once more what was drawn, and compare."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import Struct

from ultimo import deal, fair, files, record, rulebook, series
from ultimo.cards import Card, mask, parse_cards
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.events import CupsDivided, Dealt, IllegalAction, Opened, Seat, SeriesOpened
from ultimo.fair import AnyProof, FirstProof, Proof, Stream
from ultimo.record import Record, RecordError
from ultimo.record.check import IllegalRecord, Position, sit_together, steps
from ultimo.rulebook import Rules

if TYPE_CHECKING:
    from ultimo.answers.payloads import DealtCards

PROOF = "fair"  # the key of the envelope in which a record keeps a proof
DEALER, SET = "dealer", "set"  # the key and its value for a first dealer who was set and not drawn
FIRST_DEALER: Final = "first dealer"
OLDER: Final = "this older kind of proof does not show whether a secret was left out"
UNPROVEN: Final = 3  # the status where nothing is unfair, and something is not proven


class Drawn(Struct, frozen=True):
    """Something that was drawn: its name, its proof, and what the proof does not give."""

    name: str
    proof: AnyProof | None
    complaints: tuple[str, ...] = ()
    is_set: bool = False  # a dealer who was not drawn
    names: tuple[str, ...] = ()  # of the seats

    def called(self, seat: Seat) -> str:
        """How a seat is called."""
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"


class Verdict(Struct, frozen=True):
    """What a check has found."""

    line: str
    outcome: Literal["fair", "unproven", "unfair"]


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a record in either spelling, or the proof of a deal; - is standard input",
    )


def run(arguments: Namespace) -> int:
    """Check all that was drawn, and say what was found, a line for each; of several files also the sums."""
    every: list[list[Drawn]] = []
    verdicts: list[Verdict] = []
    for file in arguments.files:
        drawn = _drawn(file, given.read(file, files.RECORD))
        if not any(one.proof for one in drawn):
            raise Complaint(
                f"{given.called(file)}: it contains no proofs. "
                "Download the record from the server that shuffled the cards: it adds them"
            )
        found = [*map(verdict, drawn), *across(drawn)]
        if len(arguments.files) > 1:
            print(f"{given.called(file)}:")
        for one in found:
            print(one.line)
        every, verdicts = [*every, drawn], verdicts + found
    if len(arguments.files) > 1:
        print("\n".join(sums(every, verdicts)))
    outcomes = {one.outcome for one in verdicts}
    return 1 if "unfair" in outcomes else UNPROVEN if "unproven" in outcomes else 0


# --- checking ------------------------------------------------------------------------------------------


def verdict(drawn: Drawn) -> Verdict:
    """Whether what was drawn is what the secrets give, and whether they prove it."""
    name, proof = drawn.name, drawn.proof
    if drawn.is_set:
        return Verdict(f"{name}: set by the table, not drawn", "fair")
    if proof is None:
        return Verdict(f"{name}: not proven: it has no proof", "unproven")
    if drawn.complaints:
        return Verdict(f"{name}: NOT FAIR: {'; '.join(drawn.complaints)}", "unfair")
    by = f"and {len(proof.players)} of the players" if proof.players else "alone"
    verb = "drawn" if isinstance(proof, Proof) and proof.draw != "cards" else "shuffled"
    by = f"{verb} by the server {by}, key {proof.key[:16]}…"
    if isinstance(proof, FirstProof):
        return Verdict(f"{name}: not proven: it fits, {by}; {OLDER}", "unproven")
    silent = sorted({*proof.people} - {share.seat for share in proof.players})
    late = [f"without {', '.join(map(drawn.called, silent))}"] if silent and proof.players else []
    late += [
        f"{', '.join(map(drawn.called, attempt.missing))} did not reveal in attempt {number}"
        for number, attempt in enumerate(proof.attempts, 1)
        if attempt.missing
    ]
    said = "; ".join([by, *late])
    if not proof.players:
        return Verdict(f"{name}: not proven: {said}", "unproven")
    return Verdict(f"{name}: fair: {said}", "fair")


def across(drawn: Sequence[Drawn]) -> Iterator[Verdict]:
    """What does not fit between the draws of one record."""
    proofs = [one.proof for one in drawn if one.proof is not None]
    tables = sorted({proof.table for proof in proofs})
    if len(tables) > 1:
        yield Verdict(f"NOT FAIR: the proofs are of several tables: {', '.join(tables)}", "unfair")
    for earlier, later in combinations([one for one in proofs if isinstance(one, Proof)], 2):
        for seat in sorted(fair.asked_too_early(earlier, later)):
            said = f"seat {seat} did not reveal for deal {earlier.deal} and was asked for deal {later.deal}"
            yield Verdict(f"NOT FAIR: {said}", "unfair")


def sums(every: Iterable[Sequence[Drawn]], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Over several files: how many deals and attempts, what was found, and who did not reveal how often."""
    missing: Counter[str] = Counter()
    deals = draws = attempts = 0
    for drawn in every:
        proofs = {(one.proof.draw, one.proof.deal): one for one in drawn if isinstance(one.proof, Proof)}
        tried = [(one, one.proof.attempts) for one in proofs.values() if isinstance(one.proof, Proof)]
        deals += len({one.name.partition(",")[0] for one in drawn if one.name.startswith("deal ")})
        draws += len(tried)
        attempts += sum(len(attempts) for _, attempts in tried)
        missing.update(one.called(seat) for one, of in tried for attempt in of for seat in attempt.missing)
    found = Counter(one.outcome for one in verdicts)
    yield (
        f"together: {deals} deals, {attempts} attempts at {draws} draws; "
        f"{found['fair']} fair, {found['unproven']} not proven, {found['unfair']} NOT FAIR"
    )
    if missing:
        yield f"did not reveal: {', '.join(f'{name} ({times})' for name, times in missing.most_common())}"


def _checked(
    name: str,
    proof: AnyProof | None,
    draw: tuple[fair.Draw, int, int],
    differs: Callable[[AnyProof], str],
    names: tuple[str, ...],
) -> Drawn:
    """A draw with what does not fit: the commitments, what the proof belongs to, or what was drawn.

    Whoever could choose a number, and with it the cards, would not need to know a secret beforehand.
    """
    if proof is None:
        return Drawn(name, None, names=names)
    found: list[str] = []
    what, number, dealing = draw
    if (proof.draw if isinstance(proof, Proof) else "cards") != what:
        found.append("the proof belongs to another draw")
    if proof.deal != number:
        found.append(f"the proof belongs to deal {proof.deal}")
    if proof.dealing != dealing:
        found.append(f"the proof belongs to dealing {proof.dealing} in this deal, not to {dealing}")
    try:
        found += [*proof.complaints(), differs(proof)]
    except (ValueError, IndexError, IllegalAction):
        found.append("the proof cannot be read")
    return Drawn(name, proof, tuple(filter(None, found)), names=names)


def _cards_differ(rules: Rules, before: deal.State, dealt: Dealt, proof: AnyProof) -> str:
    stream = Stream(proof.key, proof.dealing)
    deck = before.deck or deal.shuffled(stream)
    expected = deal.deal_out(rules, before, deck, stream)
    same = _sets(expected.hands, expected.chien) == _sets(dealt.hands, dealt.chien)
    return "" if same else "the cards are not those that the secrets give"


def _dealer_differs(rules: Rules, size: int, dealer: Seat, drawn: tuple[Card, ...], proof: AnyProof) -> str:
    if isinstance(proof, FirstProof) or proof.among != series.first_dealers(rules, size, proof.people):
        return "the dealer was drawn among other seats"
    found = series.first_dealer(rules, size, proof.people, proof.key)
    return "" if found == (dealer, drawn) else f"the secrets give seat {found[0]}, not seat {dealer}"


def _lot_differs(size: int, seat: Seat, proof: AnyProof) -> str:
    if isinstance(proof, FirstProof) or proof.among != tuple(range(size)):
        return "the rest was drawn among other seats"
    return "" if proof.chosen == seat else f"the secrets give the rest to seat {proof.chosen}"


def _sets(hands: Sequence[Sequence[Card]], chien: Sequence[Card]) -> tuple[int, ...]:
    return tuple(map(mask, (*hands, chien)))


# --- reading -------------------------------------------------------------------------------------------


def _drawn(file: str, data: bytes) -> list[Drawn]:
    """What was drawn, in a proof as a server gives it or in a record."""
    try:
        if (drawn := _of_proof(data)) is not None:
            return drawn
    except (ValueError, IndexError) as error:
        raise Complaint(f"{given.called(file)}: {error}") from error
    try:
        read = record.loads(record.decode(data))
        rules = record.rules_of(read.header)
    except RecordError as error:
        raise given.damaged(file, error) from error
    try:
        return list(_of_record(rules, read))
    except IllegalRecord as error:
        raise Complaint(f"{given.called(file)}: {error}") from error


def _of_record(rules: Rules, read: Record) -> Iterator[Drawn]:
    """What was drawn in a record, every move of which is checked on the way."""
    position, number, times = Position(), 0, 0
    names: tuple[str, ...] = ()
    for after, step in steps(rules, [entry.event for entry in read.entries]):
        for place, event in enumerate(step.events, step.index):
            meta = read.entries[place].meta
            proof, state = _proof_in(meta), position.series
            match event:
                case SeriesOpened():
                    names = event.names
                    yield _first(rules, event.dealer, event.drawn, names, proof, meta.get(DEALER) == SET)
                case Opened():
                    number, times = number + 1, 0
                case Dealt():
                    times += 1
                    assert position.deal is not None
                    alone = proof is not None and state is None  # a deal of a session, recorded alone
                    of = proof.deal if alone and proof is not None else number
                    yield _dealing(rules, position.deal, event, proof, of, times, names)
                case CupsDivided() if state is not None and series.needs_lot(rules, state):
                    yield _rest(event.shares.index(max(event.shares)), proof, state.deals, names)
                case _:
                    pass
        position = after


def _first(
    rules: Rules,
    dealer: Seat,
    drawn: tuple[Card, ...],
    names: tuple[str, ...],
    proof: AnyProof | None,
    is_set: bool,
) -> Drawn:
    if is_set and proof is None:
        return Drawn(FIRST_DEALER, None, is_set=True, names=names)
    differs = partial(_dealer_differs, rules, len(names), dealer, drawn)
    return _checked(FIRST_DEALER, proof, ("dealer", 0, fair.DRAWING), differs, names)


def _dealing(
    rules: Rules,
    before: deal.State,
    dealt: Dealt,
    proof: AnyProof | None,
    number: int,
    times: int,
    names: tuple[str, ...],
) -> Drawn:
    name = f"deal {number}" if times == 1 else f"deal {number}, dealt again ({times})"
    return _checked(
        name, proof, ("cards", number, times), partial(_cards_differ, rules, before, dealt), names
    )


def _rest(seat: Seat, proof: AnyProof | None, deals: int, names: tuple[str, ...]) -> Drawn:
    draw: tuple[fair.Draw, int, int] = "rest", deals + 1, fair.DRAWING
    return _checked("rest of the cups", proof, draw, partial(_lot_differs, len(names), seat), names)


def _proof_in(meta: dict[str, object]) -> AnyProof | None:
    try:
        return msgspec.convert(meta[PROOF], AnyProof) if PROOF in meta else None
    except msgspec.ValidationError as error:
        raise Complaint(f"a proof in the record cannot be read: {error}") from None


def _of_proof(data: bytes) -> list[Drawn] | None:
    """What was drawn in a proof as a server gives it; None if the data is something else."""
    from ultimo.answers.payloads import FairDeal

    try:
        found = msgspec.json.decode(data, type=FairDeal)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    order = found.dealing
    rules = rulebook.load(found.rules, found.house, found.digest)
    opened = Opened(order.seats, found.dealer, order.order, deck=_parsed(order.pack))
    if not sit_together(rules, opened):
        raise ValueError(f"{order.order} do not play together when seat {found.dealer} deals")
    before = deal.initial(rules, opened)
    again = any(one.proof.dealing == 2 for one in found.shuffles[:1])  # the first cards have no proof
    names = tuple(f"seat {seat}" for seat in range(order.seats))
    drawn = [
        _dealing(rules, before, _dealt(one.dealt), one.proof, one.proof.deal, times, names)
        for times, one in enumerate(found.shuffles, 1 + again)
    ]
    if (first := found.first) is not None:
        drawn.insert(0, _first(rules, first.dealer, _parsed(first.cards), names, first.proof, first.is_set))
    if (rest := found.rest) is not None:
        number = found.shuffles[-1].proof.deal if found.shuffles else 0
        drawn.append(_rest(rest.seat, rest.proof, number, names))
    return drawn


def _dealt(cards: DealtCards) -> Dealt:
    return Dealt(tuple(map(_parsed, cards.hands)), _parsed(cards.chien))


def _parsed(notation: Sequence[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(notation))
