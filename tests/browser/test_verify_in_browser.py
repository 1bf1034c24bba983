"""What the page says of a shuffle: fair, came too late, the server alone, and in red not fair."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from browser.conftest import Arrive
from live import HOST, Secretive, bots
from ultimo.answers.tables import fair_deal
from ultimo.fair import Proof, commitment
from ultimo.table import Settings
from ultimo.table.archive import proof_of, steps

LATE = "p1"


class Mute(Secretive):
    """An evening at which nobody's page takes part in the shuffling."""

    def shuffle(self, player: str, shown: Any) -> None:
        self.step()


def evening(kind: type[Secretive], silent: bool) -> Secretive:
    settings = Settings("dtf", 3, bots(3, 2), tempo="instant", deals=1)
    played = kind(settings, lambda player, deal: silent and (player, deal) == (LATE, 1), (HOST, LATE))
    played.play_on(1)
    return played


def kept(played: Secretive, player: str, *, at_once: bool) -> str:
    """What the tab of a person keeps of every attempt in which it took part."""
    proofs = [proof for step in steps(played.log) if isinstance(proof := proof_of(step), Proof)]
    attempts = [(proof, attempt) for proof in proofs for attempt in proof.attempts]
    found: list[dict[str, Any]] = []
    for number, (proof, attempt) in enumerate(attempts, 1):
        secret = Random(f"{player}:{number}").randbytes(32).hex()
        players = [share.commitment for share in attempt.players]
        if commitment(secret) in players:
            seen: dict[str, Any] = {"number": number, "draw": proof.draw, "deal": proof.deal, "seat": 1}
            seen |= {"server": attempt.commitment, "players": players, "secret": secret}
            found.append(seen | {"committed": True, "revealed": at_once or proof.deal == 0})
    return json.dumps(found)


@pytest.mark.parametrize(
    ("kind", "silent", "at_once", "outcome", "said"),
    [
        (Secretive, False, True, "fair", "Deal 1: fair"),
        (Secretive, True, False, "unproven", "Your own secret came too late"),
        (Mute, False, True, "unproven", "Shuffled by the server alone"),
        (Secretive, True, True, "unfair", "Your browser sent its secret at once, but it is not included."),
    ],
)
def test_the_page_says_what_a_proof_shows(
    arrive: Arrive, kind: type[Secretive], silent: bool, at_once: bool, outcome: str, said: str
) -> None:
    played, visitor = evening(kind, silent), arrive()
    page = visitor.go("/verify").page
    witness = [f"ultimo.fair.{played.live.table}", kept(played, LATE, at_once=at_once)]
    page.evaluate("([key, kept]) => sessionStorage.setItem(key, kept)", witness)
    page.get_by_label("Or paste it here").fill(msgspec.json.encode(fair_deal(played.log, 1)).decode())
    page.get_by_role("button", name="Check", exact=True).click()
    verdict = page.locator("[data-testid=verdict][data-draw=cards]")
    expect(verdict).to_have_attribute("data-outcome", outcome)
    expect(verdict).to_contain_text(said)
    expect(verdict.locator("h2.good")).to_have_count(int(outcome == "fair"))
    expect(verdict.locator("h2.bad, li.bad")).to_have_count(2 if outcome == "unfair" else 0)
    if silent:
        expect(verdict).to_contain_text("did not reveal the secret in attempt 1")
