"""The switches of a new table: all that may be changed, and nothing that a table could not play."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ultimo.names import LANGUAGES
from ultimo.rulebook import RulebookError, Rules, citation, digest, ids, load, parameters
from ultimo.telling.citations import cited
from ultimo.telling.rules_words import ONLY_WHERE, explain, value_of
from ultimo.telling.switches import Choice, Switch, SwitchGroup, switches

# Lists, words of the declarations, what the number of players settles; and the length of a session, for
# which a new table has a question of its own.
NOT_OFFERED = {
    "table.sizes",
    "decl.words",
    "ultimo.kingRange",
    "ultimo.pagatRange",
    "nolo.announce",
    "tout.announce",
    "session.length",
    "players",
    "round",
    "target",
    "deal.packet",
    "deal.hand",
    "deal.chien",
    "bid.ladder",
    "poignee.sizes",
    "poignee.values",
    "call.card",
    "call.fallback",
    "share.taker",
    "share.partner",
    "share.alone",
}

each_book = pytest.mark.parametrize("book", ids())


# A price of the books that stands in a row of a list.
ROWS = {"nolo.announce.1.premium"}


def by_key(rules: Rules, tongue: str = "en") -> dict[str, Switch]:
    return {switch.key: switch for group in switches(rules, tongue) for switch in group.switches}


def values(switch: Switch) -> list[Any]:
    """What a switch offers: all of it, or the ends and the neighbours of a number."""
    if switch.kind != "number":
        return [choice.value for choice in switch.choices]
    near = (switch.least, int(switch.value) - 1, switch.value, int(switch.value) + 1, switch.most)
    return sorted({number for number in near if switch.least <= int(number) <= switch.most})


@each_book
def test_every_offered_value_is_accepted(book: str) -> None:
    for key, switch in by_key(load(book)).items():
        assert len(values(switch)) > 1, key
        for value in values(switch):
            assert value_of(msgspec.to_builtins(load(book, {key: value})), key) == value


@each_book
def test_every_switch_changes_the_rules(book: str) -> None:
    rules = load(book)
    for key, switch in by_key(rules).items():
        assert switch.value in values(switch), key
        digests = {digest(load(book, {key: value})) for value in values(switch)}
        assert len(digests) == len(values(switch)), key
        assert digest(rules) in digests, key


@each_book
def test_everything_is_offered_that_a_table_may_change(book: str) -> None:
    """Effects of a fine are a matter of the book; what leaves no choice or means nothing is not offered."""
    rules = load(book)
    kept = {
        key
        for key in parameters(rules)
        if not key.endswith(".effect") and not any(f"{key}.".startswith(f"{one}.") for one in NOT_OFFERED)
        if key not in ONLY_WHERE or ONLY_WHERE[key](msgspec.to_builtins(rules))
    }
    missing = kept - set(by_key(rules))
    assert set(by_key(rules)) - ROWS <= kept
    assert missing <= {"count.counters"}
    for key in missing:
        with pytest.raises(RulebookError):
            load(book, {key: "all"})


@each_book
def test_a_number_beyond_its_bounds_is_refused(book: str) -> None:
    for key, switch in by_key(load(book)).items():
        if switch.kind == "number":
            for beyond in (switch.least - 1, switch.most + 1):
                with pytest.raises(RulebookError):
                    load(book, {key: beyond})


@each_book
@pytest.mark.parametrize("tongue", LANGUAGES)
def test_a_switch_has_the_words_of_the_language(book: str, tongue: str) -> None:
    rules = load(book)
    sections = [section.title for section in explain(rules, tongue)]
    titles = [group.title for group in switches(rules, tongue)]
    assert titles == [title for title in sections if title in titles]
    assert len(set(titles)) == len(titles)
    labels = [switch.label for switch in by_key(rules, tongue).values()]
    assert len(set(labels)) == len(labels)
    for switch in by_key(rules, tongue).values():
        assert switch.label[0].isupper(), switch.key
        assert not set(switch.label) & set("{}."), switch.key
        assert switch.cite == cited(citation(rules, switch.key), tongue)
        said = {line.key: line.sentence for section in explain(rules, tongue) for line in section.lines}
        assert switch.sentence in said.values(), switch.key
        for choice in switch.choices:
            if choice.value == switch.value:
                assert choice.sentence == switch.sentence == said[switch.key]


def test_a_switch_knows_the_book_and_what_the_table_has_made_of_it() -> None:
    found = by_key(load("dtf", {"skus.demandable": False, "pay.lastTrick": 30}))
    demandable, last_trick = found["skus.demandable"], found["pay.lastTrick"]
    assert (demandable.kind, demandable.value, demandable.book) == ("yes/no", False, True)
    assert demandable.choices == (
        Choice(True, "In the third-last trick, either opponent may demand that the skus be played."),
        Choice(False, "Nobody may demand the skus."),
    )
    assert (last_trick.kind, last_trick.value, last_trick.book) == ("number", 30, 20)
    assert (last_trick.least, last_trick.most) == (0, 1000)
    assert last_trick.sentence == "The last trick earns 30 points from each opponent."


def test_the_numbers_of_a_small_table_have_switches_of_their_own() -> None:
    found = by_key(load("basta"))
    assert found["cups.found.pagat"].label == "Opening stake in the pagat cup"
    assert found["cups.found.king"].sentence == found["cups.found.pagat"].sentence
    assert (found["fine.revoke.amt"].label, found["fine.revoke.amt"].value) == (
        "Fine for not following suit (a revoke)",
        15,
    )
    assert found["fine.revoke.amt"].cite == cited(citation(load("basta"), "fine.revoke"), "en")


def test_a_price_keeps_to_the_range_of_the_book() -> None:
    assert [
        (by_key(load(book))["ultimo.king"].least, by_key(load(book))["ultimo.king"].most)
        for book in ("basta", "dtf")
    ] == [(10, 30), (0, 1000)]


def test_what_the_other_rules_forbid_is_not_offered() -> None:
    """All three players can count only where the count is paid exactly."""
    assert "count.counters" not in by_key(load("dtf"))
    exact = by_key(load("dtf", {"count.mode": "exact"}))
    assert [choice.value for choice in exact["count.counters"].choices] == ["twoAndBalance", "all"]
    assert [choice.value for choice in by_key(load("basta"))["count.mode"].choices] == ["exact", "off"]


def test_switches_can_be_sent() -> None:
    groups = switches(load("french5"), "fr")
    assert msgspec.json.decode(msgspec.json.encode(groups), type=tuple[SwitchGroup, ...]) == groups


def test_the_premium_that_the_book_gives_as_an_example_is_a_switch() -> None:
    """Basta: “f.eks. 90”. Where no nolo can be announced, there is none."""
    key = "nolo.announce.1.premium"
    switch = by_key(load("basta", {key: 60}), "en")[key]
    assert (switch.value, switch.book, switch.least) == (60, 90, 0)
    assert "60 points extra" in switch.sentence
    assert key not in by_key(load("dtf"), "en")
