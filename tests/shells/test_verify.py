"""`ultimo verify`: cards that a server has dealt are shuffled once more and compared."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands import Done, fails, ultimo
from live import HOST, Evening, bots
from ultimo import deal, record, rulebook
from ultimo.answers.payloads import DealtCards, FairDeal, Shuffled
from ultimo.answers.tables import fair_deal
from ultimo.events import Opened
from ultimo.fair import Proof, Stream
from ultimo.record import Record, jsonl, sheet
from ultimo.record.model import Entry
from ultimo.table import Settings, deal_record, session_record
from ultimo.table.messages import Sit, Start

OTHER = "ab" * 32


@cache
def evening(book: str = "dtf", size: int = 4, deals: int = 2, **house: Any) -> Evening:
    """A session of two persons and bots; `house` has two underscores for a dot."""
    rules = {key.replace("__", "."): value for key, value in house.items()}
    played = Evening(Settings(book, size, bots(size, 2), house=rules, deals=deals), 3, (HOST, "p1"))
    played.do("p1", Sit(1))
    if played.live.moment == "gathering" and not played.live.started:
        played.do(HOST, Start())
    played.play_on(deals)
    return played


def spoiled(read: Record, **changes: Any) -> str:
    """The record with something else in the proofs, or in the last attempts that they have."""
    return jsonl.dumps(changed(read, lambda proof: _spoiled(proof, changes)))


def _spoiled(proof: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    *failed, last = proof["attempts"]
    inside = {key: value for key, value in changes.items() if key in last}
    return (
        proof | {"attempts": [*failed, last | inside]} | {k: v for k, v in changes.items() if k not in last}
    )


def changed(read: Record, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Record:
    """The record with other proofs."""
    entries = [
        Entry(one.event, one.meta | {"fair": change(one.meta["fair"])} if "fair" in one.meta else one.meta)
        for one in read.entries
    ]
    return Record(read.header, tuple(entries))


def verify(text: str | bytes) -> Done:
    return ultimo("verify", "-", given=text)


@pytest.mark.parametrize("book", rulebook.ids())
def test_every_deal_of_a_session_is_fair(book: str) -> None:
    size = rulebook.load(book).sizes[-1]
    done = verify(jsonl.dumps(session_record(evening(book, size).log)))
    lines = done.out.splitlines()
    assert done.status == 0
    names = [line.split(":")[0] for line in lines if "again" not in line]
    assert names == ["first dealer", "deal 1", "deal 2"]
    assert all(" by the server and 2 of the players" in line and ": fair: " in line for line in lines)


def test_a_dealer_who_was_set_is_said_to_be() -> None:
    settings = Settings("dtf", 3, bots(3), tempo="instant", deals=2, first_dealer=2)
    played = Evening(settings, 3)
    played.play_on(2)
    done = verify(jsonl.dumps(session_record(played.log)))
    assert done.status == 0
    assert done.out.splitlines()[0] == "first dealer: set by the table, not drawn"
    assert fair_deal(played.log, 1).dealer == 2


def test_both_spellings_and_a_deal_alone_are_read() -> None:
    whole, alone = session_record(evening().log), deal_record(evening().log, 2)
    assert verify(sheet.dumps(whole)).out == verify(jsonl.dumps(whole)).out
    assert verify(sheet.dumps(alone)).out == verify(jsonl.dumps(whole)).out.splitlines(keepends=True)[-1]


def test_a_pack_that_is_not_shuffled_is_verified_too() -> None:
    done = verify(jsonl.dumps(session_record(evening("french4", 4, 3, deal__shuffle="never").log)))
    assert done.status == 0
    assert done.out.count(": fair: ") >= 3


@pytest.mark.parametrize(("book", "size"), [("dtf", 5), ("french5", 5)])
def test_the_proof_that_a_server_gives_is_read(book: str, size: int) -> None:
    proof = msgspec.json.encode(fair_deal(evening(book, size).log, 2))
    done = verify(proof)
    assert done.status == 0
    assert done.out.startswith("deal 2: fair: ")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"secret": OTHER}, "the server revealed another secret"),
        ({"players": [{"seat": 0, "commitment": OTHER, "secret": OTHER}]}, "seat 0 revealed another secret"),
        ({"table": "another"}, "the cards are not those that the secrets give"),
        ({"dealing": 7}, "the cards are not those that the secrets give"),
        ({"dealing": 7}, "the proof belongs to dealing 7 in this deal, not to 1"),
        ({"deal": 9}, "the proof belongs to deal 9"),
        ({"secret": "not hex"}, "the proof cannot be read"),
        ({"people": []}, "a seat took part that had no person"),
        ({"draw": "rest"}, "the proof belongs to another draw"),
        ({"attempts": []}, "the proof has no attempt"),
    ],
)
def test_what_does_not_fit_is_said_and_ends_with_1(changes: dict[str, Any], complaint: str) -> None:
    done = verify(spoiled(session_record(evening().log), **changes))
    assert done.status == 1
    assert "NOT FAIR" in done.out
    assert complaint in done.out


def test_other_cards_than_those_of_the_secrets_are_noticed() -> None:
    found = msgspec.to_builtins(fair_deal(evening().log, 1))
    dealt = found["shuffles"][-1]["dealt"]
    one, other = (list(hand) for hand in dealt["hands"] if hand and "T21" not in hand)
    swapped = {one[0]: other[0], other[0]: one[0]}
    dealt["hands"] = [[swapped.get(card, card) for card in hand] for hand in dealt["hands"]]
    done = verify(msgspec.json.encode(found))
    assert done.status == 1
    assert "the cards are not those that the secrets give" in done.out


def bent(found: FairDeal, **changes: Any) -> bytes:
    """A proof in which something else was chosen afterwards, with the cards that it gives."""
    proof = found.shuffles[0].proof
    assert isinstance(proof, Proof)
    inside = {key: changes.pop(key) for key in ("secret", "players") if key in changes}
    attempts = (msgspec.structs.replace(proof.attempts[0], **inside),)
    proof = msgspec.structs.replace(proof, **{"attempts": attempts} | changes)
    order, stream = found.dealing, Stream(proof.key, proof.dealing)
    before = deal.initial(rulebook.load(found.rules), Opened(order.seats, found.dealer, order.order))
    cards = deal.deal_out(rulebook.load(found.rules), before, deal.shuffled(stream), stream)
    hands = tuple(tuple(card.value for card in hand) for hand in cards.hands)
    shuffled = Shuffled(proof, DealtCards(hands, ()))
    return msgspec.json.encode(msgspec.structs.replace(found, shuffles=(shuffled,)))


def test_a_server_chooses_nothing_afterwards_that_changes_the_cards() -> None:
    """The commitments fit and so do the cards, but not how it was agreed that they come about."""
    found = fair_deal(evening().log, 1)
    proof = found.shuffles[0].proof
    assert isinstance(proof, Proof)
    assert verify(bent(found)).status == 0
    shares, secret = proof.players, proof.attempts[0].secret
    for changes, complaint in (
        ({"secret": secret.upper()}, "a secret is not written as 64 digits"),
        ({"secret": secret + "\n"}, "a secret is not written as 64 digits"),
        ({"players": shares[::-1]}, "the players are not in the order of their seats"),
        ({"players": (*shares, shares[-1])}, "the players are not in the order of their seats"),
        ({"dealing": 9}, "the proof belongs to dealing 9"),
    ):
        done = verify(bent(found, **changes))
        assert done.status == 1
        assert complaint in done.out
        assert "the cards are not" not in done.out


def test_the_proofs_of_a_record_are_of_one_table() -> None:
    read = session_record(evening().log)
    first = next(place for place, entry in enumerate(read.entries) if "fair" in entry.meta)
    moved = [
        Entry(entry.event, entry.meta | {"fair": entry.meta["fair"] | {"table": "another"}})
        if place == first
        else entry
        for place, entry in enumerate(read.entries)
    ]
    done = verify(jsonl.dumps(Record(read.header, tuple(moved))))
    assert done.status == 1
    assert "the proofs are of several tables: another, table1" in done.out


def test_a_record_without_proofs_says_so(tmp_path: Path) -> None:
    file = tmp_path / "bots.jsonl"
    ultimo("simulate", "--deals", "1", "--out", file)
    assert fails("verify", file).startswith(f"{file}: it contains no proofs")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "standard input:1:1: the record is empty"),
        ("Hello", "standard input:1:1: not a record"),
        ('{"ultimo":1,"rules":"whist"', "standard input:1:"),
    ],
)
def test_what_is_no_record_is_refused(text: str, complaint: str) -> None:
    assert fails("verify", "-", given=text).startswith(complaint)


def test_a_proof_in_a_broken_envelope_is_refused() -> None:
    for broken in ({"players": "nobody"}, {"version": "ultimo-fair-9"}):
        text = spoiled(session_record(evening().log), **broken)
        assert "a proof in the record cannot be read" in fails("verify", "-", given=text)


def test_a_record_that_was_written_by_a_server_is_a_record() -> None:
    read = record.loads(jsonl.dumps(session_record(evening().log)))
    assert [entry.meta["fair"]["deal"] for entry in read.entries if "fair" in entry.meta][:2] == [0, 1]
