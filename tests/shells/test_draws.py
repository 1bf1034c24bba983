"""What is drawn at a table: in attempts, with the secrets of all who take part, and all in the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from commands import Done, ultimo
from live import HOST, Evening, bots, told, wire
from ultimo import fair, series
from ultimo.answers.tables import fair_deal
from ultimo.events import CupsDivided, Dealt, SeriesOpened
from ultimo.fair import FirstProof, Proof, commitment
from ultimo.record import jsonl
from ultimo.record.model import Record
from ultimo.table import Fact, Settings, proofs, session_record
from ultimo.table.archive import proof_of, steps
from ultimo.table.driving import COMMIT_WAIT, REVEAL_WAIT
from ultimo.table.facts import PlayerCommitted, ServerCommitted
from ultimo.table.messages import Finish, Sit

PEOPLE = (HOST, "p1", "p2")


class Secretive(Evening):
    """An evening at which some people commit to secrets and never reveal them, in some draws or in all."""

    def __init__(self, settings: Settings, silent: Callable[[str, int], bool], people: Sequence[str]) -> None:
        super().__init__(settings, 3, tuple(people))
        self.silent = silent
        for seat, player in enumerate(people[1:], 1):
            self.do(player, Sit(seat))

    def _person_acts(self, player: str) -> bool:
        wanted = self.scene(player).fair
        if wanted is not None and wanted.wanted == "reveal" and self.silent(player, wanted.deal):
            return False
        return super()._person_acts(player)


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
