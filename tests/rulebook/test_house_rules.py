"""House rules and rulebooks of one's own: they come back as given, or are refused by file and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ultimo.rulebook import (
    DanishRules,
    FrenchRules,
    RulebookError,
    citation,
    digest,
    ids,
    load,
    load_file,
    overrides,
    parameters,
    parse_override,
    read_overrides,
)

# --- what is refused ----------------------------------------------------------------------------------

Club = Callable[[str], Path]


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Writes a file of a club's own."""

    def write(text: str) -> Path:
        path = tmp_path / "club.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


BAD_LINES = [
    ("jensen", "[skus]\ndemandible = true", "skus.demandible"),
    ("jensen", "[skus]\n'skus demandable' = true", "skus.skus demandable"),
    ("jensen", "[hat]\ncolour = 1", "hat"),
    ("jensen", "[fine]\nrevoke = {mercy = 1}", "fine.revoke.mercy"),
    ("jensen", "[skus]\ndemandable = 1", "skus.demandable"),
    ("jensen", "[skus]\nrename = 'guess'", "skus.rename"),
    ("jensen", "[cups]\nante = true", "cups.ante"),
    ("jensen", "[cups]\nante = 5.0", "cups.ante"),
    ("jensen", "[cups]\nante = -5", "cups.ante"),
    ("jensen", "[cups]\nante = 1001", "cups.ante"),
    ("jensen", "[cups]\ncite = ''", "cups.cite"),
    ("jensen", "[cups]\nfound = 20", "cups.found"),
    ("jensen", "[decl]\ndealerBasis = 26", "decl.dealerBasis"),
    ("jensen", "[decl]\ntarok = {min = 2}", "decl.tarok.min"),
    ("jensen", "[table]\nsizes = [3, 6]", "table.sizes[1]"),
    ("jensen", "[table]\nsizes = []", "table.sizes"),
    ("jensen", "[table]\nsizes = [3, 3]", "table.sizes"),
    ("jensen", "[fine.revoke]\neffect = ['hang']", "fine.revoke.effect[0]"),
    ("jensen", "[session]\nlength = 'long'", "session.length"),
    ("jensen", "[session]\nlength = {deals = 8, rounds = 2}", "session.length"),
    ("jensen", "[session]\nlength = {}", "session.length"),
    ("jensen", "[count]\ncounters = 'all'", "count.counters"),
    (
        "basta",
        "[nolo]\nannounce = [{beforeTrick = 0, win = 1, premium = 1, lose = 1}]",
        "nolo.announce[0].beforeTrick",
    ),
    ("basta", "[[tout.announce]]\nbeforeTrick = 26\nwin = 1\nlose = 1", "tout.announce[0].beforeTrick"),
    ("basta", "[ultimo]\nking = 31", "ultimo.king"),
    ("basta", "[ultimo]\npagat = 14", "ultimo.pagat"),
    ("jensen", "family = 'swiss'", "family"),
    ("french4", "[deal]\nhand = 17", "deal.hand"),
    ("french4", "[deal]\npacket = 4", "deal.packet"),
    ("french4", "[target]\n4 = 30", "target"),
    ("french4", "[target]\n3 = 92", "target"),
    ("french4", "[poignee]\nsizes = [13, 10, 15]", "poignee.sizes"),
    ("french4", "[poignee]\nvalues = [20, 30]", "poignee.values"),
    ("french4", "[bid]\nladder = []", "bid.ladder"),
    ("french4", "[[bid.ladder]]\nid = 'pousse'\nmult = 1\nchien = 'taken'", "bid.ladder[0].id"),
    ("french4", "[slam]\nfailed = 200", "slam.failed"),
    ("french4", "[call]\ncard = 'king'", "call.card"),
    ("french4", "[share]\ntaker = 2", "share.taker"),
]


@pytest.mark.parametrize(("parent", "lines", "key"), BAD_LINES)
def test_a_file_with_a_line_that_does_not_fit_is_refused_by_file_and_key(
    club: Club, parent: str, lines: str, key: str
) -> None:
    path = club(f"extends = '{parent}'\n{lines}\n")
    with pytest.raises(RulebookError) as caught:
        load_file(path)
    assert (caught.value.file, caught.value.key) == (str(path), key)
    assert str(caught.value) == f"{path}: {key}: {caught.value.reason}"


@pytest.mark.parametrize(
    ("line", "key"),
    [("family", "family"), ("about", "about"), ("kingLost", "pay.kingLost"), ("revoke", "fine.revoke")],
)
def test_a_file_without_a_parent_must_state_every_value(club: Club, line: str, key: str) -> None:
    text = (resources.files("ultimo") / "rulebooks" / "jensen.toml").read_text(encoding="utf-8")
    assert load_file(club(text)) == load("jensen")
    with pytest.raises(RulebookError) as caught:
        load_file(club(re.sub(rf"(?m)^{line} = .*\n", "", text)))
    assert caught.value.key == key


TWICE = [{"beforeTrick": 13, "win": 9, "lose": 9}, {"beforeTrick": 13, "win": 9, "lose": 9}]

BAD_HOUSE_RULES = [
    ("dtf", {"skus.demandible": True}, "skus.demandible"),
    ("dtf", {"hat.colour": 1}, "hat.colour"),
    ("dtf", {"skus.demandable.always": True}, "skus.demandable.always"),
    ("dtf", {"fine.revoke.mercy": 1}, "fine.revoke.mercy"),
    ("dtf", {"session.length.years": 1}, "session.length.years"),
    ("dtf", {"session.length": {"deals": 8, "rounds": 2}}, "session.length.rounds"),
    ("dtf", {"session.length.deals": 0}, "session.length.deals"),
    ("dtf", {"skus.demandable": "no"}, "skus.demandable"),
    ("dtf", {"skus.demandable": None}, "skus.demandable"),
    ("dtf", {"skus": True}, "skus"),
    ("dtf", {"pay.lastTrick": 1001}, "pay.lastTrick"),
    ("dtf", {"strict.follow": "sometimes"}, "strict.follow"),
    ("dtf", {"count.counters": "all"}, "count.counters"),
    ("basta", {"count.mode": "table5"}, "count.counters"),
    ("basta", {"ultimo.king": 40}, "ultimo.king"),
    ("basta", {"tout.announce": TWICE}, "tout.announce"),
    ("french5", {"share.partner": 2}, "share.taker"),
    ("french5", {"share.alone": 3}, "share.alone"),
    ("french5", {"call": "none"}, "call.card"),
    ("french5", {"call": "queen"}, "call.card"),
    ("french3", {"call.fallback": ["queen"]}, "call.card"),
    ("french3", {"target.4": 30}, "target.4"),
    ("dtf", {"title": "Ours"}, "title"),
    ("dtf", {"family": "french"}, "family"),
    ("dtf", {"skus.cite": "004 nowhere"}, "skus.cite"),
    ("dtf", {"skus": {"cite": "004 nowhere"}}, "skus.cite"),
]


@pytest.mark.parametrize(("book", "house", "key"), BAD_HOUSE_RULES)
def test_a_house_rule_that_does_not_fit_is_refused_by_book_and_key(
    book: str, house: dict[str, Any], key: str
) -> None:
    with pytest.raises(RulebookError) as caught:
        load(book, house)
    assert (caught.value.file, caught.value.key) == (book, key)


def test_an_unknown_rulebook_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(RulebookError, match="poker: no such rulebook; there are basta, dtf, fft3"):
        load("poker")


@pytest.mark.parametrize(("parent", "reason"), [("vlk", "one level"), ("poker", "no rulebook 'poker'")])
def test_a_file_extends_one_complete_rulebook_only(club: Club, parent: str, reason: str) -> None:
    with pytest.raises(RulebookError, match=reason) as caught:
        load_file(club(f"extends = '{parent}'"))
    assert caught.value.key == "extends"


@pytest.mark.parametrize("read", [load_file, read_overrides])
@pytest.mark.parametrize("content", [b"[skus\n", b"[skus]\ndemandable = maybe", b"title = '\xff'", None])
def test_a_file_that_cannot_be_read_is_refused_by_name(
    tmp_path: Path, content: bytes | None, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "club.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RulebookError) as caught:
        read(path)
    assert (caught.value.file, caught.value.key) == (str(path), "")
    assert str(path) in str(caught.value)


# --- house rules --------------------------------------------------------------------------------------

# Another valid value for every parameter that is neither a yes or no nor a number that may be one more.
OTHER_VALUES: Mapping[str, Any] = {
    "table.sizes": [4],
    "table.five": "twoSitOut",
    "cups.foundBy": "active",
    "cups.lastTrickOrder": "bagudFirst",
    "deal.misdeal": "correctAndFine",
    "deal.objectUntil": "firstLead",
    "skat.discloseTarok": "onDemand",
    "skat.discloseDeclared": "cards",
    "decl.dealerBasis": 25,
    "decl.words": "dtf",
    "decl.mode": "manual",
    "skus.rename": "nextDecides",
    "skus.lastTrickLead": "leadPasses",
    "ultimo.kingRange": [10, 50],
    "ultimo.pagatRange": [10, 50],
    "nolo.announce": [{"beforeTrick": 13, "win": 31, "premium": 25, "lose": 5}],
    "tout.announce": [{"beforeTrick": 20, "win": 31, "lose": 31}],
    "tout.count": "none",
    "count.mode": "off",
    "fine.to": "opponents",
    "session.rest": "lot",
    "sitter.sees": "all",
    "deal.firstDealer": "lowestCard",
    "deal.shuffle": "never",
    "deal.petitSec": "off",
    "bid.ladder": [{"id": "garde", "mult": 1, "chien": "taken"}],
    "poignee.sizes": [8, 10, 14],
    "poignee.values": [20, 30, 50],
    "poignee.multiple": "sum",
    "poignee.ecartTrump": "showAgain",
    "excuse.lastTrickReturn": "half",
    "call.fallback": ["queen"],
    "fine.fault": "voidIfWon",
    "deal.packet": 5,
}

# House rules of several parameters that can only change together, or under another key.
TOGETHER: Mapping[str, list[dict[str, Any]]] = {
    "jensen": [{"count.mode": "exact", "count.counters": "all"}, {"session.length.deals": 25}],
    "french5": [
        {
            "players": 4,
            "deal.hand": 18,
            "deal.chien": 6,
            "share.taker": 3,
            "share.partner": 0,
            "share.alone": 3,
            "call.card": "none",
            "call.fallback": [],
            "call.firstLeadBan": False,
            "call.restrictAfterExcuse": False,
        }
    ],
}


def house_rules(book: str) -> Iterator[dict[str, Any]]:
    """House rules that change, one after the other, every parameter that has another value."""
    together = TOGETHER[book]
    tied = {key for house in together for key in house} - OTHER_VALUES.keys()
    for key, value in parameters(load(book)).items():
        if key in OTHER_VALUES:
            yield {key: OTHER_VALUES[key]}
        elif key.endswith(".effect"):
            yield {key: ["giveBack"]}
        elif isinstance(value, bool):
            yield {key: not value}
        elif isinstance(value, int) and key not in tied:
            yield {key: value + 1}
    yield from together


@pytest.mark.parametrize("book", TOGETHER)
def test_house_rules_come_back_as_they_were_given(book: str) -> None:
    changed: set[str] = set()
    for house in house_rules(book):
        assert overrides(load(book, house)) == house
        changed |= house.keys()
    # `round` has one value so far; the length of a session changes under `session.length.deals`.
    assert parameters(load(book)).keys() - changed <= {"round", "session.length"}


@pytest.mark.parametrize("book", TOGETHER)
def test_every_change_of_a_parameter_changes_the_digest(book: str) -> None:
    digests = [digest(load(book)), *(digest(load(book, house)) for house in house_rules(book))]
    assert len(set(digests)) == len(digests)


def test_no_two_rulebooks_have_the_same_digest() -> None:
    assert len({digest(load(book)) for book in ids()}) == len(ids())


@pytest.mark.parametrize(("book", "cited"), [("jensen", "fine.revoke"), ("french4", "share")])
def test_words_and_citations_do_not_change_the_digest(club: Club, book: str, cited: str) -> None:
    words = "id = 'club'\ntitle = 'Ours'\nabout = 'Us.'"
    ours = load_file(club(f"extends = '{book}'\n{words}\n[{cited}]\ncite = 'minutes of 1971'"))
    assert (ours.title, citation(ours, cited)) == ("Ours", "minutes of 1971")
    assert digest(ours) == digest(load(book))


def test_without_house_rules_there_are_no_overrides() -> None:
    assert [overrides(load(book, {})) for book in ids()] == [{}] * len(ids())


def test_a_house_rule_equal_to_the_book_is_no_house_rule() -> None:
    assert overrides(load("dtf", {"skus.demandable": True, "skus.swapOnRename": False})) == {
        "skus.swapOnRename": False
    }


def test_a_house_rule_may_be_given_as_a_table() -> None:
    house = {"session.length": {"rounds": 2}, "cups": {"found": {"king": 40}}}
    assert overrides(load("dtf", house)) == {"session.length.rounds": 2, "cups.found.king": 40}


def test_the_call_may_be_given_by_its_short_key() -> None:
    rules = load("french5", {"call": "king", "call.firstLeadBan": False})
    assert overrides(rules) == {"call.firstLeadBan": False}


def test_a_file_of_ones_own_takes_house_rules_too(club: Club) -> None:
    rules = load_file(club("extends = 'dtf'\n[pay]\nlastTrick = 25"), {"pay.pagatHome": 10})
    assert overrides(rules) == {"pay.lastTrick": 25, "pay.pagatHome": 10}


def test_rules_are_values_that_cannot_be_changed() -> None:
    rules = load("dtf")
    with pytest.raises(AttributeError):
        rules.title = "Ours"  # type: ignore[misc]
    assert load("dtf") == rules == msgspec.convert(msgspec.to_builtins(rules), DanishRules)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("skus.demandable=false", ("skus.demandable", False)),
        (" strict.follow = true ", ("strict.follow", True)),
        ("pay.lastTrick=5", ("pay.lastTrick", 5)),
        ("slam.failed=-100", ("slam.failed", -100)),
        ("skus.rename=nextDecides", ("skus.rename", "nextDecides")),
        ("skus.rename='nextDecides'", ("skus.rename", "nextDecides")),
        ("table.sizes=[3, 4]", ("table.sizes", [3, 4])),
        ("call.fallback=[]", ("call.fallback", [])),
        ("session.length={deals=8}", ("session.length", {"deals": 8})),
        ("title=a=b", ("title", "a=b")),
        ("deal.misdeal=", ("deal.misdeal", "")),
    ],
)
def test_a_house_rule_on_the_command_line_is_a_toml_value_or_a_word(text: str, rule: tuple[str, Any]) -> None:
    key, value = parse_override(text)
    assert (key, value) == rule
    assert type(value) is type(rule[1])


@pytest.mark.parametrize("text", ["skus.demandable", "=false", " = 1", ""])
def test_a_house_rule_without_key_and_value_is_refused(text: str) -> None:
    with pytest.raises(RulebookError, match="write key=value"):
        parse_override(text)


def test_a_file_of_house_rules_may_use_tables_and_dotted_keys(club: Club) -> None:
    path = club(
        """
        skus.demandable = false
        "pay.lastTrick" = 25
        fine.revoke = {amt = 10, effect = ["consent"]}
        session.length = {deals = 8}

        [table]
        sizes = [4]

        [cups]
        # nothing so far
        """
    )
    house = read_overrides(path)
    assert house == {
        "skus.demandable": False,
        "pay.lastTrick": 25,
        "fine.revoke.amt": 10,
        "fine.revoke.effect": ["consent"],
        "session.length.deals": 8,
        "table.sizes": [4],
    }
    assert overrides(load("jensen", house)) == house


def test_a_row_of_a_list_is_changed_by_its_name() -> None:
    dear, cheap = (
        load("basta", {"nolo.announce.13.premium": 30}),
        load("french4", {"bid.ladder.garde.mult": 3}),
    )
    assert isinstance(dear, DanishRules)
    assert isinstance(cheap, FrenchRules)
    assert [one.premium for one in dear.nolo.announce] == [90, 30]
    (changed,) = overrides(dear).items()
    assert changed[0] == "nolo.announce"
    assert digest(load("basta", dict([changed]))) == digest(dear)
    assert [one.mult for one in cheap.bid.ladder] == [1, 3, 4, 6]
    for key in (
        "bid.ladder.misere.mult",
        "bid.ladder.petite.price",
        "bid.ladder.petite",
        "bid.ladder.0.mult",
    ):
        with pytest.raises(RulebookError):
            load("french4", {key: 2})
