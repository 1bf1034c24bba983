"""What follows from each offence in each book, as it is told at the table (rules B11, D1)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from offences import COMMIT
from table import DANISH, Evening, danish_rules
from ultimo import series
from ultimo.events import FineImposed
from ultimo.rulebook import RulebookError

STOP = {
    "wrongSkat": ("stop", "correctable"),
    "wrongCards": ("stop",),
    "revoke": ("stop",),
}
JENSEN = STOP | {"wrongDecl": ("banUltimo", "repay"), "missingDecl": ("banUltimo",)}
EFFECTS: dict[str, dict[str, tuple[str, ...]]] = {
    "jensen": JENSEN,
    "vlk": JENSEN,
    "hermansen": STOP | {"wrongDecl": ("stop", "repay"), "missingDecl": ("stop",)},
    "basta": {
        "wrongSkat": ("noDeclare", "winNothing"),
        "wrongCards": ("winNothing", "ultimoCost"),
        "revoke": ("winNothing", "giveBack", "ultimoCost"),
        "wrongDecl": ("repay",),
        "missingDecl": ("banUltimo",),
        "earlyDecl": ("noPayForIt",),
    },
    "dtf": {
        "wrongSkat": ("consent",),
        "wrongCards": ("consent",),
        "revoke": ("consent",),
        "wrongDecl": ("consent", "banUltimo", "repay"),
        "missingDecl": ("consent", "banUltimo"),
        "earlyDecl": ("onlyBeforeDealer", "consent"),
        "outOfTurn": ("consent",),
    },
}
PRICES = {"basta": {"king": (10, 30), "pagat": (15, 40)}}
ANY_PRICE = {"king": (0, 1000), "pagat": (0, 1000)}


@pytest.mark.parametrize(
    ("book", "offence", "effects"),
    [(book, offence, effects) for book, some in EFFECTS.items() for offence, effects in some.items()],
)
def test_a_fine_is_told_with_what_follows_from_it(book: str, offence: str, effects: tuple[str, ...]) -> None:
    commit, seat = COMMIT[offence]
    told = commit(book).events(FineImposed)[0]
    assert (told.seat, told.offence) == (seat, offence)
    assert set(told.effects) == set(effects)


@pytest.mark.parametrize("book", DANISH)
@pytest.mark.parametrize("card", ["king", "pagat"])
def test_a_house_agrees_on_prices_within_the_range_of_its_book(book: str, card: str) -> None:
    """Rules I-9.16."""
    least, most = PRICES.get(book, ANY_PRICE)[card]
    for price in (least, most):
        assert getattr(danish_rules(book, {f"ultimo.{card}": price}).ultimo, card) == price
    for price in (least - 1, most + 1):
        with pytest.raises(RulebookError, match=f"ultimo.{card}"):
            danish_rules(book, {f"ultimo.{card}": price})


@pytest.mark.parametrize("book", DANISH)
def test_a_session_goes_on_until_the_players_end_it(book: str) -> None:
    """Rules I-12.2, D2 «session.length»."""
    rules = danish_rules(book)
    assert not series.is_due_to_end(rules, replace(Evening(rules, 3).state, deals=9_999))
