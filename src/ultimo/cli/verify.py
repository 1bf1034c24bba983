"""`ultimo verify`: shuffle once more what was dealt, and compare."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from ultimo import deal, fair, files, record, rulebook
from ultimo.cards import Card, mask, parse_cards
from ultimo.cli import given
from ultimo.cli.complaint import Complaint
from ultimo.events import Dealt, IllegalAction, Opened
from ultimo.fair import Proof, Stream
from ultimo.record import Record, RecordError
from ultimo.record.check import IllegalRecord, Position, sit_together, steps
from ultimo.rulebook import Rules

PROOF = "fair"  # the key of the envelope in which a record keeps the proof of dealt cards


class Dealing(Struct, frozen=True):
    """One time that cards were dealt: by what, from which state of the deal, and what came of it."""

    number: int  # of the deal
    times: int  # that cards have been dealt in it, this time included
    proof: Proof | None
    before: deal.State
    dealt: Dealt


class Verdict(Struct, frozen=True):
    """What a check has found; without complaints the cards are fair."""

    line: str
    fair: bool
    proven: bool = True


def arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a record in either spelling, or the proof of a deal; - is standard input",
    )


def run(arguments: Namespace) -> int:
    """Check every deal, and say what was found, a line for each."""
    data = given.read(arguments.file, files.RECORD)
    rules, dealings = _proof_of(arguments.file, data) or _record_of(arguments.file, data)
    verdicts = [verdict(rules, dealing) for dealing in dealings]
    tables = sorted({one.proof.table for one in dealings if one.proof is not None})
    if len(tables) > 1:
        verdicts.append(
            Verdict(f"NOT FAIR: the proofs are of several tables: {', '.join(tables)}", fair=False)
        )
    if not any(one.proven for one in verdicts):
        raise Complaint(
            f"{given.called(arguments.file)}: it contains no proofs. "
            "Download the record from the server that shuffled the cards: it adds them"
        )
    for one in verdicts:
        print(one.line)
    return 0 if all(one.fair for one in verdicts) else 1


# --- checking ------------------------------------------------------------------------------------------


def verdict(rules: Rules, dealing: Dealing) -> Verdict:
    """Whether cards are those that the secrets give."""
    name = f"deal {dealing.number}"
    proof = dealing.proof
    if proof is None:
        return Verdict(f"{name}: no proof", fair=True, proven=False)
    if proof.dealing > 1:
        name += f", dealt again ({proof.dealing})"
    found = list(complaints(rules, dealing, proof))
    if found:
        return Verdict(f"{name}: NOT FAIR: {'; '.join(found)}", fair=False)
    players = (
        "the server alone" if not proof.players else f"the server and {len(proof.players)} of the players"
    )
    return Verdict(f"{name}: fair: shuffled by {players}, key {proof.key[:16]}…", fair=True)


def complaints(rules: Rules, dealing: Dealing, proof: Proof) -> Iterator[str]:
    """What does not fit: a version, a commitment, the numbers of deal and dealing, the cards.

    Whoever could choose a number, and with it the cards, would not need to know a secret beforehand.
    """
    if proof.version != fair.VERSION:
        yield f"unsupported kind of proof: {proof.version}, not {fair.VERSION}"
        return
    if proof.deal != dealing.number:
        yield f"the proof belongs to deal {proof.deal}"
    if proof.dealing != dealing.times:
        yield f"the proof belongs to dealing {proof.dealing} in this deal, not to {dealing.times}"
    try:
        yield from proof.complaints()
        stream = Stream(proof.key, proof.dealing)
        deck = dealing.before.deck or deal.shuffled(stream)
        expected = deal.deal_out(rules, dealing.before, deck, stream)
    except (ValueError, IndexError, IllegalAction):
        yield "the proof cannot be read"
        return
    if _sets(expected.hands, expected.chien) != _sets(dealing.dealt.hands, dealing.dealt.chien):
        yield "the cards are not those that the secrets give"


def _sets(hands: Sequence[Sequence[Card]], chien: Sequence[Card]) -> tuple[int, ...]:
    return tuple(map(mask, (*hands, chien)))


# --- reading -------------------------------------------------------------------------------------------


def _record_of(file: str, data: bytes) -> tuple[Rules, list[Dealing]]:
    """The dealings of a record, every move of which is checked on the way."""
    try:
        read = record.loads(record.decode(data))
        rules = record.rules_of(read.header)
    except RecordError as error:
        raise given.damaged(file, error) from error
    try:
        return rules, list(_dealings(rules, read))
    except IllegalRecord as error:
        raise Complaint(f"{given.called(file)}: {error}") from error


def _dealings(rules: Rules, read: Record) -> Iterator[Dealing]:
    position, number, times = Position(), 0, 0
    for after, step in steps(rules, [entry.event for entry in read.entries]):
        for place, event in enumerate(step.events, step.index):
            if isinstance(event, Opened):
                number, times = number + 1, 0
            if isinstance(event, Dealt):
                times += 1
                assert position.deal is not None
                proof = _proof_in(read.entries[place].meta)
                alone = proof is not None and position.series is None  # a deal of a session, recorded alone
                yield Dealing(proof.deal if alone and proof else number, times, proof, position.deal, event)
        position = after


def _proof_in(meta: dict[str, object]) -> Proof | None:
    try:
        return msgspec.convert(meta[PROOF], Proof) if PROOF in meta else None
    except msgspec.ValidationError as error:
        raise Complaint(f"a proof in the record cannot be read: {error}") from None


def _proof_of(file: str, data: bytes) -> tuple[Rules, list[Dealing]] | None:
    """The dealings of a proof as a server gives it; None if the file is something else."""
    from ultimo.answers.payloads import FairDeal

    try:
        found = msgspec.json.decode(data, type=FairDeal)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    order = found.dealing
    try:
        rules = rulebook.load(found.rules, found.house)
        opened = Opened(order.seats, found.dealer, order.order, deck=_cards(order.pack))
        if not sit_together(rules, opened):
            raise ValueError(f"{order.order} do not play together when seat {found.dealer} deals")
        before = deal.initial(rules, opened)
        again = any(one.proof.dealing == 2 for one in found.shuffles[:1])  # the first cards have no proof
        return rules, [
            Dealing(one.proof.deal, times, one.proof, before, _dealt(one.dealt.hands, one.dealt.chien))
            for times, one in enumerate(found.shuffles, 1 + again)
        ]
    except (ValueError, IndexError) as error:
        raise Complaint(f"{given.called(file)}: {error}") from error


def _dealt(hands: Sequence[Sequence[str]], chien: Sequence[str]) -> Dealt:
    return Dealt(tuple(map(_cards, hands)), _cards(chien))


def _cards(notation: Sequence[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(notation))
