"""What is drawn at a table: in attempts, with the secrets of all who take part, and all in the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from commands import Done, ultimo
from live import HOST, Evening, Secretive, bots, told, wire
from ultimo import fair, series
from ultimo.answers.payloads import DealtCards, Shuffled
from ultimo.answers.tables import fair_deal
from ultimo.deal import begin, deal_out, replay, shuffled
from ultimo.events import CupsDivided, Dealt, Opened, SeriesOpened
from ultimo.fair import Attempt, FirstProof, Proof, Share, commitment
from ultimo.record import jsonl
from ultimo.record.model import Entry, Record
from ultimo.table import Fact, Settings, proofs, session_record
from ultimo.table.archive import proof_of, steps
from ultimo.table.driving import COMMIT_WAIT, REVEAL_WAIT
from ultimo.table.facts import PlayerCommitted, ServerCommitted
from ultimo.table.messages import Finish, Sit

PEOPLE = (HOST, "p1", "p2")


def agreed(deals: int | None = None, people: int = 3) -> Settings:
    return Settings(
        "hermansen", 3, bots(3, people), tempo="instant", deals=deals, house={"session.rest": "lot"}
    )


def secretive(
    silent: Callable[[str, int], bool] = lambda player, deal: False,
    deals: int = 2,
    people: Sequence[str] = PEOPLE,
) -> Secretive:
    """An evening, played to its end."""
    evening = Secretive(agreed(deals, len(people)), silent, people)
    evening.play_on(deals)
    while evening.live.moment != "over":
        evening.one_thing()
    return evening


def drawn(evening: Evening) -> list[Proof]:
    """The proofs of an evening, in order."""
    found = [proof for step in steps(evening.log) if (proof := proof_of(step)) is not None]
    assert all(isinstance(one, Proof) for one in found)
    return [one for one in found if isinstance(one, Proof)]


def verify(read: Record | bytes, *more: str) -> Done:
    return ultimo("verify", "-", *more, given=read if isinstance(read, bytes) else jsonl.dumps(read))


# --- attempts ------------------------------------------------------------------------------------------


def test_who_does_not_reveal_ends_the_attempt_and_the_next_has_fresh_secrets_of_all_others() -> None:
    evening = secretive(lambda player, deal: player == "p1" and deal == 2)
    first, deal, second = [proof for proof in drawn(evening) if proof.draw in ("dealer", "cards")]
    assert [len(proof.attempts) for proof in (first, deal, second)] == [1, 1, 2]
    failed, last = second.attempts
    assert (failed.missing, last.missing) == ((1,), ())
    assert [share.seat for share in failed.players] == [0, 1, 2]
    assert [share.seat for share in last.players] == [0, 2]
    assert failed.secret != last.secret
    assert not {share.secret for share in failed.players} & {share.secret for share in last.players}
    assert second.complaints() == []


def test_a_seat_that_did_not_reveal_is_asked_again_after_five_deals() -> None:
    evening = secretive(lambda player, deal: player == "p1" and deal == 1, deals=7)
    took_part = {
        proof.deal: {share.seat for share in proof.players}
        for proof in drawn(evening)
        if proof.draw == "cards"
    }
    assert [deal for deal, seats in took_part.items() if 1 in seats] == [6, 7]
    assert all({0, 2} <= seats for seats in took_part.values())


def test_nobody_can_hold_a_table_up() -> None:
    """There is at most one more attempt for each who is silent, and then the server goes on alone."""
    evening = secretive(lambda player, deal: True, deals=1)
    assert [len(proof.attempts) for proof in drawn(evening)][:2] == [2, 1], (
        "all were silent at once, and rest"
    )
    since = [at for fact, at in evening.log if isinstance(fact, ServerCommitted)]
    assert since[1] - since[0] <= COMMIT_WAIT + REVEAL_WAIT
    one_by_one = Secretive(
        agreed(1),
        lambda player, deal: player == PEOPLE[len(one_by_one.live.failed_at)],
        PEOPLE,
    )
    one_by_one.play_on(1)
    (dealer, *_) = drawn(one_by_one)
    assert [attempt.missing for attempt in dealer.attempts] == [(0,), (1,), (2,), ()]
    assert dealer.complaints() == []


def test_each_attempt_is_hashed_into_the_commitment_of_the_next() -> None:
    proof = next(
        one for one in drawn(secretive(lambda player, deal: player == "p1")) if one.attempts[0].missing
    )
    failed, last = proof.attempts
    before = fair.origin("table1", proof.draw, proof.deal)
    assert last.commitment == commitment(last.secret, failed.digest(before))
    other = msgspec.structs.replace(failed, players=failed.players[1:])
    bent = msgspec.structs.replace(proof, attempts=(other, last))
    assert "the server revealed another secret in attempt 2" in bent.complaints()
    hidden = msgspec.structs.replace(proof, attempts=(last,))
    assert hidden.complaints() == ["the server revealed another secret in attempt 1"]


def test_the_secrets_of_the_last_attempt_are_hidden_until_the_deal_is_over() -> None:
    """A failed attempt is public, and tells no card."""
    settings = Settings("dtf", 3, bots(3, 3), tempo="instant", deals=1)
    evening, looked = Secretive(settings, lambda player, deal: player == "p1" and deal == 1, PEOPLE), 0
    while evening.live.series is None or evening.live.series.deals < 1:
        before, shuffle = evening.live, evening.live.shuffle
        evening.one_thing()
        if shuffle is None or shuffle.draw != "cards" or not evening.live.series.playing:  # type: ignore
            continue
        sent = b"".join(wire(evening, who) + told(before, evening, who) for who in (*PEOPLE, None))
        hidden = [shuffle.secret, *(share.secret for share in shuffle.shares.values())]
        assert not any(secret and secret.encode() in sent for secret in hidden)
        looked += len(shuffle.failed)
    assert looked > 50


# --- the first dealer and the rest of the cups ---------------------------------------------------------


@pytest.mark.parametrize(("book", "house"), [("hermansen", {}), ("fft4", {"deal.firstDealer": "lowestCard"})])
def test_the_first_dealer_comes_from_the_secrets_of_all(book: str, house: dict[str, Any]) -> None:
    size = 4
    evening = Evening(Settings(book, size, bots(size, 2), house=house, deals=1), 3, PEOPLE[:2])
    evening.do("p1", Sit(1))
    evening.play_on(1)
    step = next(iter(steps(evening.log)))
    assert isinstance(step.event, SeriesOpened)
    proof = proof_of(step)
    assert isinstance(proof, Proof)
    assert (proof.draw, proof.deal, len(proof.players)) == ("dealer", 0, 2)
    found = series.first_dealer(evening.live.rules, size, proof.people, proof.key)
    assert found == (step.event.dealer, step.event.drawn)
    assert verify(session_record(evening.log)).out.startswith("first dealer: fair: drawn by the server and 2")


def with_a_rest(silent: Callable[[str, int], bool] = lambda player, deal: False) -> Secretive:
    """An evening that ends with a rest in the cups for which lots are drawn."""
    for deals in range(1, 6):
        evening = secretive(silent, deals)
        if any(proof.draw == "rest" for proof in drawn(evening)):
            return evening
    raise AssertionError("the cups can always be divided")


def test_who_gets_the_rest_of_the_cups_comes_from_secrets_that_are_given_when_the_game_ends() -> None:
    evening = with_a_rest()
    *_, proof = drawn(evening)
    assert (proof.draw, proof.deal, len(proof.players)) == ("rest", evening.live.number + 1, 3)
    divided = next(step.event for step in steps(evening.log) if isinstance(step.event, CupsDivided))
    assert divided.shares.index(max(divided.shares)) == proof.chosen
    assert verify(session_record(evening.log)).out.splitlines()[-1].startswith("rest of the cups: fair: ")
    last = verify(msgspec.json.encode(fair_deal(evening.log, evening.live.number)))
    assert last.out.splitlines()[-1].startswith("rest of the cups: fair: ")


def test_secrets_for_the_next_cards_are_not_used_for_the_rest() -> None:
    """Where the host ends the game between two deals, people have committed to secrets for cards already."""
    evening = Secretive(agreed(), lambda player, deal: False, PEOPLE)
    while evening.live.series is None or not series.needs_lot(evening.live.rules, evening.live.series):
        evening.play_on(evening.live.number + 1)
    number = evening.live.number
    while evening.live.shuffle is None or (evening.live.shuffle.deal, len(evening.live.shuffle.shares)) != (
        number + 1,
        3,
    ):
        evening.one_thing()
    cards = evening.live.shuffle
    evening.do(HOST, Finish())
    while evening.live.moment != "over":
        evening.one_thing()
    rest = evening.live.shuffle
    assert rest is not None
    assert (rest.draw, rest.deal, rest.number) == ("rest", number + 1, cards.number + 1)
    assert rest.secret != cards.secret


def test_a_dealer_who_is_set_is_said_to_be() -> None:
    first = secretive(deals=1)
    dealt = next(step.event for step in steps(first.log) if isinstance(step.event, Dealt))
    from ultimo.table import again

    assert dealt.hands
    evening = Evening(
        Settings("hermansen", 3, bots(3), tempo="instant", deals=2), 3, again=again(first.log, 1)
    )
    evening.play_on(2)
    done = verify(session_record(evening.log))
    assert done.out.splitlines()[0] == "first dealer: set by the table, not drawn"


# --- what was begun before there were attempts ---------------------------------------------------------


def test_a_deal_that_was_begun_without_attempts_goes_on_as_it_was() -> None:
    """In an old log the server's commitment has no number: who does not reveal is left out of that deal."""
    settings = Settings("dtf", 3, bots(3, 2), tempo="instant", deals=2)
    evening = Secretive(settings, lambda player, deal: (player, deal) == ("p1", 1), PEOPLE[:2])
    evening.put((_opened(evening),))
    evening.put((ServerCommitted(1, "ab" * 32),))
    for player in PEOPLE[:2]:
        secret = Random(f"{player}:1").randbytes(32).hex()
        evening.put((PlayerCommitted(1, player, commitment(secret)),))
    evening.play_on(2)
    (first, *_), (second, *_) = proofs(evening.log, 1), proofs(evening.log, 2)
    assert isinstance(first[0], FirstProof)
    assert isinstance(second[0], Proof)
    assert [len(one[0].players) for one in (first, second)] == [1, 2]
    done = verify(session_record(evening.log))
    lines = done.out.splitlines()
    assert done.status == 3
    assert lines[0] == "first dealer: not proven: it has no proof"
    assert lines[1].startswith(
        "deal 1: not proven: it fits, shuffled by the server and 1 of the players, key "
    )
    assert "does not show whether a secret was left out" in lines[1]
    assert lines[-1].startswith("deal 2: fair: ")


def _opened(evening: Evening) -> Fact:
    from ultimo.table.facts import Happened

    names = [sitting.name for sitting in evening.live.seats]
    return Happened(series.open_series(evening.live.rules, names, 1))


# --- a server that bends the shuffle -------------------------------------------------------------------


def bent(evening: Evening, deal: int, change: Callable[[Proof], Proof]) -> bytes:
    """The proof that a bent server gives of a deal, with the cards that follow from it."""
    found = fair_deal(evening.log, deal)
    proof = found.shuffles[0].proof
    assert isinstance(proof, Proof)
    proof, order = change(proof), found.dealing
    stream = fair.Stream(proof.key, proof.dealing)
    before = begin(evening.live.rules, Opened(order.seats, found.dealer, order.order))
    cards = deal_out(evening.live.rules, replay(evening.live.rules, before), shuffled(stream), stream)
    hands = tuple(tuple(card.value for card in hand) for hand in cards.hands)
    given = Shuffled(proof, DealtCards(hands, ()))
    return msgspec.json.encode(msgspec.structs.replace(found, shuffles=(given,), first=None))


def sealed(proof: Proof, *attempts: tuple[str, tuple[Share, ...]]) -> Proof:
    """The proof with other attempts, each with the server's secret and fitting commitments."""
    made: tuple[Attempt, ...] = ()
    for secret, players in attempts:
        before = fair.chain(fair.origin(proof.table, proof.draw, proof.deal), made)
        made = (*made, Attempt(commitment(secret, before), secret, players))
    return msgspec.structs.replace(proof, attempts=made)


def silent(share: Share) -> Share:
    """The share of somebody who is said not to have revealed."""
    return msgspec.structs.replace(share, secret="")


def own_secret(number: int) -> str:
    return f"{number:064x}"


def test_secrets_that_are_drawn_until_the_deal_suits_prove_nothing_without_the_players() -> None:
    """The server draws until the deal without anybody suits it, and leaves everybody out."""
    evening = secretive()

    def tarokker(secret: str) -> int:
        proof = sealed(drawn(evening)[1], (secret, ()))
        deck = shuffled(fair.Stream(proof.key, 1))
        return sum(card.value.startswith("T") for card in deck[:25])

    best = max(map(own_secret, range(200)), key=tarokker)
    assert tarokker(best) > tarokker(own_secret(0))
    done = verify(bent(evening, 1, lambda proof: sealed(proof, (best, ()))))
    assert done.status == 3
    assert "deal 1: not proven: shuffled by the server alone" in done.out


def test_the_best_of_the_deals_that_leaving_out_reveals_gives_is_found_out() -> None:
    """Whichever reveals the server pretends not to have had: they are missing in the last attempt."""
    evening = secretive()
    for left_out in ({0}, {1, 2}, {0, 1, 2}):

        def without(proof: Proof, left_out: set[int] = left_out) -> Proof:
            players = tuple(silent(one) if one.seat in left_out else one for one in proof.players)
            return sealed(proof, (proof.attempts[-1].secret, players))

        done = verify(bent(evening, 1, without))
        assert done.status == 1
        assert "NOT FAIR: the last attempt was not opened by all who had committed" in done.out


def test_an_attempt_that_everybody_has_opened_is_not_dropped_for_a_better_one() -> None:
    evening = secretive()

    def again(proof: Proof) -> Proof:
        first = proof.attempts[0]
        return sealed(proof, (first.secret, first.players), (own_secret(1), first.players))

    done = verify(bent(evening, 1, again))
    assert done.status == 1
    assert "an attempt that everybody had opened was dropped" in done.out


def test_an_accomplice_gives_one_draw_more_and_is_seen() -> None:
    """A seat that does not reveal is named; once more is unfair, in the same draw and for five deals."""
    evening = secretive()

    def accomplice(proof: Proof, times: int = 1) -> Proof:
        players = proof.players
        failed = tuple(silent(one) if one.seat == 1 else one for one in players)
        honest = tuple(one for one in players if one.seat != 1)
        return sealed(proof, *[(own_secret(n), failed) for n in range(times)], (own_secret(9), honest))

    once = verify(bent(evening, 1, accomplice))
    assert (once.status, "fair: shuffled by the server and 2 of the players" in once.out) == (0, True)
    assert once.out.strip().endswith("; without seat 1; seat 1 did not reveal in attempt 1")
    twice = verify(bent(evening, 1, lambda proof: accomplice(proof, 2)))
    assert (twice.status, "a seat that had not opened was asked again" in twice.out) == (1, True)
    read = session_record(secretive(lambda player, deal: player == "p1" and deal == 1, deals=3).log)
    assert verify(read).status == 0
    later = [entry for entry in read.entries if "fair" in entry.meta][2]
    asked = Entry(later.event, later.meta | {"fair": with_seat(later.meta["fair"], 1)})
    entries = tuple(asked if entry is later else entry for entry in read.entries)
    early = verify(Record(read.header, entries))
    assert early.status == 1
    assert "NOT FAIR: seat 1 did not reveal for deal 1 and was asked for deal 2" in early.out


def with_seat(proof: dict[str, Any], seat: int) -> dict[str, Any]:
    """The proof with a seat that takes part again."""
    attempts = [
        one | {"players": [*one["players"], {"seat": seat, "commitment": "", "secret": ""}]}
        for one in proof["attempts"]
    ]
    return proof | {"attempts": attempts}


def test_a_proof_of_the_older_kind_is_no_way_round() -> None:
    """A bent server can write one, with the reveals that it likes; nothing then calls it proven."""
    evening = secretive()
    read = session_record(evening.log)
    place = next(at for at, entry in enumerate(read.entries) if isinstance(entry.event, Dealt))
    proof = next(one for one in drawn(evening) if one.draw == "cards")
    last = proof.attempts[-1]
    old = FirstProof(proof.table, 1, 1, commitment(last.secret), last.secret, last.players[:1])
    stream = fair.Stream(old.key, 1)
    opened = next(entry.event for entry in read.entries if isinstance(entry.event, Opened))
    before = replay(evening.live.rules, begin(evening.live.rules, opened))
    cards = deal_out(evening.live.rules, before, shuffled(stream), stream)
    start = next(at for at, entry in enumerate(read.entries) if isinstance(entry.event, Opened))
    meta = {"fair": msgspec.json.decode(msgspec.json.encode(old))}
    kept = [*read.entries[start:place], Entry(Dealt(cards.hands, cards.chien), meta)]
    done = verify(Record(read.header, tuple(kept)))
    assert done.status == 3
    assert "not proven: it fits, shuffled by the server and 1 of the players" in done.out


def is_late(who: str) -> Callable[[str, int], bool]:
    return lambda player, deal: (player, deal) == (who, 1)


def test_over_many_records_it_is_counted_who_did_not_reveal(tmp_path: Path) -> None:
    files = []
    for number, late in enumerate(("p1", "p1", "p2", "")):
        evening = secretive(is_late(late), deals=1)
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_text(jsonl.dumps(session_record(evening.log)))
    done = ultimo("verify", *files)
    assert done.status == 0
    assert [line for line in done.out.splitlines() if line.endswith(".jsonl:")] == [
        f"{one}:" for one in files
    ]
    deals, missing = done.out.splitlines()[-2:]
    assert deals.startswith("together: 4 deals, ")
    assert deals.endswith(" 0 not proven, 0 NOT FAIR")
    assert missing == "did not reveal: p1 (2), p2 (1)"
