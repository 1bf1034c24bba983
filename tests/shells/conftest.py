"""No command in these tests draws from real chance: who forgets a seed is told so."""

from __future__ import annotations

import pytest

from ultimo.cli.play import session


@pytest.fixture(autouse=True)
def _no_real_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgotten(_: int) -> None:
        raise AssertionError("a test plays without --seed")

    monkeypatch.setattr(session, "token_hex", forgotten)
