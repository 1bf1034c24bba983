"""The cases of part G as vectors: what the tests that cite them ask the engine, told in neutral words.

The tests of `tests/rulebook` are run once while their questions are written down: what a seat may do in a
position, what is refused, what follows from the moves of a deal or an ending, what an outcome pays.
"""

from __future__ import annotations

import contextlib
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ultimo import danish, deal, french
from ultimo import events as e
from ultimo.conformance.notation import action_text, move_text, position, state_of, text
from ultimo.conformance.plain import Unsupported, Wrong, answer, told
from ultimo.danish import counting as danish_counting
from ultimo.french import following as french_following
from ultimo.rulebook import Rules, overrides

ROOT = Path(__file__).parents[1]
ASKED_AT_MOST = 60  # questions that are kept of one test
KEPT = {"deal": 1, "endgame": 1}  # vectors of one case, rulebook and kind; of other kinds two
DROPPED = (  # what a position can often do without, in this order
    *("tricks", "net", "piles", "dealt", "declared", "won", "kings_lost", "pagat_fate", "skat", "accepted"),
    *("antes", "emptied", "counts", "king", "pagat", "announced", "cups_moved", "tarok_laid", "demands"),
    *("bids", "chien", "shown", "ecart", "taker", "contract", "holder", "called", "sides_public", "excuse"),
    *("excuse_told", "poignees", "trumps_laid", "skus_gone", "dealer_void", "unseen", "claims", "faults"),
)

Vector = dict[str, Any]


class Chain(msgspec.Struct):
    """Moves that follow one another from a state."""

    rules: Rules
    start: deal.State
    end: deal.State
    moves: list[tuple[e.Seat | None, e.Action]]


class Harvest:
    """A plugin of pytest that notes what the tests ask."""

    def __init__(self) -> None:
        self.cites: tuple[str, ...] = ()
        self.chains: list[Chain] = []
        self.opened: list[e.Opened] = []
        self.asked: list[tuple[Rules, str, dict[str, Any]]] = []
        self.found: list[Vector] = []
        self.busy = False

    # --- pytest ---

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        marks = [str(cited) for mark in item.iter_markers("cites") for cited in mark.args]
        self.cites = tuple(dict.fromkeys(marks))
        self.chains, self.opened, self.asked = [], [], []
        yield
        if self.cites:
            self.busy = True
            self._write()
            self.busy = False
        self.cites = ()

    # --- what is asked ---

    def listen(self) -> None:
        """Put an ear to every function of the engine that tests call."""
        for face in (danish, french):
            self._wrap(face, "step", self._step)
            self._wrap(face, "legal", self._legal)
            self._wrap(face, "initial", self._initial)
            self._wrap(face, "settle", self._settle)
            self._wrap(face, "check", self._settle)
            self._wrap(face, "seated", self._seated)
            self._wrap(face, "founding", self._founding)
            self._wrap(face, "divided", self._divided)
            self._wrap(face, "drawn_dealer", self._drawn)
        self._wrap(french, "score", self._settle)
        self._wrap(french, "half_points", self._pile)
        self._wrap(french_following, "winner", self._winner)
        self._wrap(danish_counting, "count_results", self._counted)

    def _wrap(self, face: Any, name: str, note: Callable[..., None]) -> None:
        plain = getattr(face, name)

        def asked(*given: Any, **more: Any) -> Any:
            try:
                found = plain(*given, **more)
            except e.IllegalAction:
                self._note(note, given, None)
                raise
            self._note(note, given, found)
            return found

        setattr(face, name, asked)

    def _note(self, note: Callable[..., None], given: tuple[Any, ...], found: Any) -> None:
        if self.cites and not self.busy and len(self.asked) < ASKED_AT_MOST:
            self.busy = True
            with contextlib.suppress(ValueError, TypeError, KeyError, IndexError, AttributeError):
                note(found, *given)
            self.busy = False

    def _initial(self, found: Any, rules: Rules, opened: e.Opened) -> None:
        if opened not in self.opened:
            self.opened.append(opened)

    def _step(self, found: Any, rules: Rules, state: deal.State, seat: Any, wish: e.Action) -> None:
        if found is None:
            if seat is not None:
                given = lean(rules, state, seat, [action_text(wish)])
                self.asked.append((rules, "legal", given))
            return
        for chain in self.chains[-6:]:
            if chain.rules == rules and chain.end == state:
                chain.end = found[0]
                chain.moves.append((seat, wish))
                return
        if len(self.chains) < ASKED_AT_MOST:
            self.chains.append(Chain(rules, state, found[0], [(seat, wish)]))

    def _legal(self, found: Any, rules: Rules, state: deal.State, seat: Any) -> None:
        if seat is not None and found and is_few(found):
            self.asked.append((rules, "legal", lean(rules, state, seat)))

    def _settle(self, found: Any, rules: Rules, outcome: Any) -> None:
        self.asked.append((rules, "outcome", noted(outcome)))

    def _seated(self, found: Any, rules: Rules, table: int, dealer: int, out: int | None) -> None:
        more = {} if out is None else {"out": out}
        self.asked.append((rules, "seating", {"table": table, "dealer": dealer, "deals": 6} | more))

    def _founding(self, found: Any, rules: Rules, table: int, active: Any, cup: str) -> None:
        self.asked.append((rules, "stakes", {"table": table, "active": list(active), "found": [cup]}))

    def _divided(self, found: Any, rules: Rules, cups: Any, totals: Any, dealer: int, lot: int) -> None:
        given = {"divide": dict(cups), "totals": list(totals), "dealer": dealer, "lot": lot}
        self.asked.append((rules, "stakes", given))

    def _drawn(self, found: Any, rules: Rules, drawn: Any) -> None:
        said = " ".join(card.value for card in drawn)
        self.asked.append((rules, "seating", {"drawn": said}))

    def _pile(self, found: Any, cards: int) -> None:
        self.asked.append((french_rules(), "count", {"cards": text(cards)}))

    def _winner(self, found: Any, trick: Any, excuse_wins: bool) -> None:
        from ultimo.cards import PACK

        given: dict[str, Any] = {"cards": " ".join(PACK[card].value for card in trick)}
        self.asked.append((french_rules(), "trick", given | ({"slam": True} if excuse_wins else {})))

    def _counted(self, found: Any, rules: Rules, outcome: Any) -> None:
        """A count alone becomes an outcome in which nothing else happened: tricks that go with the counts."""
        counts, order = outcome.counts, outcome.order
        tricks = [min(count, 9) for count in counts]
        tricks[2] = min(max(counts[2] - 1, 0), 9)
        if min(counts[:2]) < 1 or counts[2] < 2 or sum(counts) != 78:
            return
        while sum(tricks) < 25:
            place = max(range(3), key=lambda at: counts[at] - tricks[at])
            tricks[place] += 1
        while sum(tricks) > 25:
            tricks[tricks.index(max(tricks))] -= 1
        given = {"family": "danish", "table": outcome.table, "order": list(order), "king": 60, "pagat": 60}
        last = [{"seat": order[0], "card": "T20"}]
        given |= {"tricks": tricks, "last": last, "winner": order[0], "counts": list(counts)}
        self.asked.append((rules, "outcome", given))

    # --- vectors ---

    def _write(self) -> None:
        for rules, kind, given in [*self.asked, *filter(None, map(self._told, self.chains))]:
            made = vector(kind, rules, given, self.cites)
            if made is not None:
                self.found.append(made)

    def _told(self, chain: Chain) -> tuple[Rules, str, dict[str, Any]] | None:
        """A whole deal if it was seen from its beginning, an ending if not."""
        dealings = [dealing(wish) for _, wish in chain.moves if isinstance(wish, e.Deal)]
        moves = [move_text(seat, wish) for seat, wish in chain.moves if not isinstance(wish, e.Deal)]
        for opened in reversed(self.opened):
            with contextlib.suppress(Exception):
                if deal.replay(chain.rules, deal.begin(chain.rules, opened)) == chain.start:
                    return (
                        chain.rules,
                        "deal",
                        begun(opened) | {"dealings": dealings, "moves": "/".join(moves)},
                    )
        where = position(chain.rules, chain.start)
        if dealings or state_of(chain.rules, msgspec.json.decode(msgspec.json.encode(where))) != chain.start:
            return None
        return chain.rules, "endgame", {"position": where, "moves": "/".join(moves)}


def french_rules() -> Rules:
    """The rules of a question that says none."""
    from ultimo.rulebook import load

    return load("french4")


def is_few(choices: Any) -> bool:
    """Whether choices can be written out."""
    from ultimo.play.choices import Lays, Shows

    return sum(0 if isinstance(offer, Lays | Shows) else len(offer) for offer in choices.offers) <= 40


def begun(opened: e.Opened) -> dict[str, Any]:
    """How a deal begins."""
    found: dict[str, Any] = {"table": opened.table, "dealer": opened.dealer, "active": list(opened.active)}
    found |= {"king": opened.king, "pagat": opened.pagat} if opened.king or opened.pagat else {}
    deck = " ".join(str(card.value) for card in opened.deck)
    return found | ({"deck": deck} if deck else {})


def dealing(wish: e.Deal) -> dict[str, Any]:
    """Cards that are dealt."""
    hands = [" ".join(str(card.value) for card in hand) for hand in wish.hands]
    chien = " ".join(str(card.value) for card in wish.chien)
    return {"hands": hands} | ({"chien": chien} if chien else {})


def noted(outcome: Any) -> dict[str, Any]:
    """An outcome as `ultimo settle` reads it, without what has its default value."""
    whole = msgspec.json.decode(msgspec.json.encode(outcome))
    defaults = {
        field.name: msgspec.to_builtins(field.default)
        for field in msgspec.structs.fields(outcome)
        if field.default is not msgspec.NODEFAULT
    }
    found = {
        name: value
        for name, value in whole.items()
        if value not in ([], {}, None) and not (name in defaults and value == defaults[name])
    }
    for name in ("last", "announcements"):
        for one in found.get(name, ()):
            one.pop("type", None)
    return found


def lean(rules: Rules, state: deal.State, seat: e.Seat, among: list[str] | None = None) -> dict[str, Any]:
    """A question about a position, without what does not change its answer."""
    more = {} if among is None else {"among": among}

    def asked(where: dict[str, Any]) -> Any:
        try:
            now = state_of(rules, msgspec.json.decode(msgspec.json.encode(where)))
            return (
                told(deal.legal(rules, now, seat)) if among is None else answer("legal", rules, whole(where))
            )
        except Exception as error:
            return repr(error)

    def whole(where: dict[str, Any]) -> dict[str, Any]:
        return {"position": where, "seat": seat, **more}

    where = position(rules, state)
    right = asked(where)
    if not rules.accounts:
        number = {key: value for key, value in where.items() if key != "tricks"} | {"number": state.number}
        where = number if asked(number) == right else where
    for name in DROPPED:
        without = {key: value for key, value in where.items() if key != name}
        if len(without) < len(where) and asked(without) == right:
            where = without
    hands = where.get("hands", [])
    for other in range(len(hands)):
        if other != seat and hands[other]:
            fewer = where | {"hands": [*hands[:other], "", *hands[other + 1 :]]}
            if asked(fewer) == right:
                where, hands = fewer, fewer["hands"]
    return whole(where)


def vector(kind: str, rules: Rules, given: dict[str, Any], cites: Any, **more: Any) -> Vector | None:
    """A vector with the engine's answer; None for what cannot be answered."""
    given = msgspec.json.decode(msgspec.json.encode(given))
    kind = "outcome" if kind == "impossible" else kind
    made: Vector = {"kind": kind, "rules": rules.id}
    if house := msgspec.json.decode(msgspec.json.encode(overrides(rules))):
        made["overrides"] = house
    made |= {"cites": list(cites), "input": given}
    try:
        made["expected"] = answer(kind, rules, given)
    except Wrong as wrong:
        if wrong.error["key"] == "unreadable":
            return None
        made["error"] = wrong.error
        made["kind"] = "impossible" if kind == "outcome" else kind
    except (Unsupported, ValueError, KeyError, IndexError, AssertionError, AttributeError, TypeError):
        return None
    return made


def cases() -> list[Vector]:
    """The vectors of the cases, the same ones each time."""
    harvest = Harvest()
    harvest.listen()
    folder = str(ROOT / "tests" / "rulebook")
    skipped = [f"--ignore={folder}/{name}.py" for name in ("test_coverage_map", "test_names")]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = pytest.main(
            [folder, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", *skipped],
            plugins=[harvest],
        )
    if status:
        raise RuntimeError(said.getvalue()[-3000:])
    return numbered(harvest.found)


def numbered(found: list[Vector]) -> list[Vector]:
    """Vectors with ids, none twice, and no more than a few of one case, rulebook and kind."""
    seen: set[bytes] = set()
    kept: Counter[tuple[str, str, str]] = Counter()
    numbers: dict[tuple[str, str], int] = defaultdict(int)
    made: list[Vector] = []
    for one in found:
        told_as = msgspec.json.encode([one["kind"], one["rules"], one.get("overrides"), one["input"]])
        slots = [(cited, one["rules"] + str(one.get("overrides", "")), one["kind"]) for cited in one["cites"]]
        if told_as in seen or all(kept[slot] >= KEPT.get(one["kind"], 2) for slot in slots):
            continue
        seen.add(told_as)
        kept.update(slots)
        name = (one["cites"][0], one["rules"])
        numbers[name] += 1
        made.append({"id": f"{name[0]}-{name[1]}-{numbers[name]}", **one})
    return made
