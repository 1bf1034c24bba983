"""Programs in any language as players: JSON, a line for each message, over standard input and output.

docs/protocol.md says what the lines are. A program that fails loses its deal to a stand-in of the club, and
nothing else: the failure is noted, and it plays again in the next deal.
"""

from __future__ import annotations

import atexit
import shlex
from collections import Counter
from importlib.metadata import version
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from ultimo import rulebook
from ultimo.events import Action, DealClosed, Event, Opened, Seat
from ultimo.play.choices import Choices
from ultimo.players.player import Fault, View
from ultimo.players.policy.levels import Club, errand
from ultimo.research import actions
from ultimo.research.deciding import Decision
from ultimo.research.observing import layout_of
from ultimo.research.process import Failure, Process
from ultimo.rulebook import DanishRules

PROTOCOL: Final = 1
LIMIT: Final = 5.0  # seconds for an answer
START: Final = 30.0  # seconds until a program is ready
TRIES: Final = 3  # starts that fail in a row, after which it is not started again

A = TypeVar("A", bound="Message")
Key = tuple[str, str | None]  # the command of a program, and where its complaints go


# --- messages ------------------------------------------------------------------------------------------


class Message(Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """A line of the protocol."""


class Hello(Message, frozen=True, kw_only=True):
    """The first line: which versions speak."""

    protocol: int = PROTOCOL
    ultimo: str = version("ultimo")


class Ready(Message, frozen=True, kw_only=True):
    """The program's answer: who it is, and how it wants to know what its seat knows."""

    protocol: int
    name: str
    version: str = ""
    wants: Literal["events", "observations"] = "events"


class Begin(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A deal begins."""

    family: Literal["danish", "french"]
    rules: str
    digest: str
    overrides: dict[str, Any]
    table: int
    seat: Seat
    names: tuple[str, ...]
    deal: int
    totals: tuple[int, ...]
    cups: dict[str, int] | None = None
    seed: str
    limit: float
    layout: tuple[str, int, int] | None = None  # of observations: family, version, size


class Seen(Message, frozen=True, kw_only=True, tag="event"):
    """Something happened, as the seat saw it."""

    event: Event


class Legal(Struct, frozen=True):
    """An action that may be done."""

    action: int
    name: str


class Choose(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The program is to act."""

    id: int
    phase: str
    legal: tuple[Legal, ...]
    observation: tuple[float, ...] = ()
    mask: tuple[int, ...] = ()


class Chosen(Message, frozen=True, kw_only=True, tag="action"):
    """The program's answer to a question."""

    id: int
    action: int


class Faulted(Message, frozen=True, kw_only=True, tag="fault"):
    """A stand-in finishes the deal, and why."""

    kind: str
    message: str


class End(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A deal is over: what each seat made in it, what all have now, and what the cups hold."""

    result: str
    points: tuple[int, ...]
    totals: tuple[int, ...]
    cups: dict[str, int] | None = None


class Quit(Message, frozen=True, kw_only=True):
    """The program is to end."""


_encode = msgspec.json.Encoder(order="deterministic").encode


# --- one program ---------------------------------------------------------------------------------------


class Connection:
    """A program that runs and has said who it is."""

    def __init__(self, key: Key, start: float = START) -> None:
        command, errors = key
        self.key = key
        self._process = Process(shlex.split(command), errors)
        self._asked = 0
        try:
            self.ready = self._answer(self._process.ask(_encode(Hello()), start), Ready)
            if self.ready.protocol != PROTOCOL:
                said = f"it speaks version {self.ready.protocol} of the protocol, not {PROTOCOL}"
                raise Failure("start", said)
        except Failure as failure:
            self.kill()
            raise Failure("start", failure.message) from failure

    def tell(self, message: Message) -> None:
        """Send something that needs no answer, at the latest with the next question."""
        self._process.tell(_encode(message))

    def push(self) -> None:
        """Send what has been told, as far as the program reads it."""
        self._process.push()

    def choose(self, decision: Decision, view: View, limit: float) -> int:
        """The number that the program chooses; raises `Failure`."""
        legal = decision.legal()
        names = actions.names(isinstance(view.rules, DanishRules))
        self._asked += 1
        question = Choose(
            id=self._asked,
            phase=decision.phase,
            legal=tuple(Legal(number, names[number]) for number in legal),
        )
        if self.ready.wants == "observations":
            question = msgspec.structs.replace(
                question,
                observation=tuple(decision.observe().tolist()),
                mask=tuple(int(number in legal) for number in range(len(names))),
            )
        chosen = self._answer(self._process.ask(_encode(question), limit), Chosen)
        if chosen.id != self._asked:
            raise Failure("nonsense", f"an answer to question {chosen.id}, not to {self._asked}")
        if chosen.action not in legal:
            known = 0 <= chosen.action < len(names)
            told = f" ({names[chosen.action]})" if known else ""
            raise Failure("illegal", f"action {chosen.action}{told} in the phase {decision.phase}")
        return chosen.action

    def quit(self) -> None:
        """Let the program end by itself, and if it does not, end it."""
        self._process.end(_encode(Quit()))

    def kill(self) -> None:
        """End the program."""
        self._process.end()

    def _answer(self, line: bytes, kind: type[A]) -> A:
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            said = line[:80].decode(errors="replace")
            raise Failure("nonsense", f"{said!r} is no answer: {error}") from error


# Programs that wait for their next deal, and starts in a row that failed; those of this process.
_idle: dict[Key, list[Connection]] = {}
_failed: Counter[Key] = Counter()


def _connect(key: Key) -> Connection:
    """A program that waits, or one more of it."""
    if _idle.get(key):
        return _idle[key].pop()
    if _failed[key] >= TRIES:
        raise Failure("start", f"it has failed to start {TRIES} times in a row, and is not started again")
    try:
        found = Connection(key)
    except Failure:
        _failed[key] += 1
        raise
    _failed[key] = 0
    return found


@atexit.register
def quit_all() -> None:
    """End all programs that wait."""
    while _idle:
        for connection in _idle.popitem()[1]:
            connection.quit()


# --- the player ----------------------------------------------------------------------------------------


class Program:
    """A player who asks a program; a club player stands in for the rest of a deal in which that fails.

    The program decides what the cards decide. What an honest player says without a choice (declarations,
    counts) is said for it, and where there is one action it is not asked.
    """

    def __init__(
        self, command: str, seed: int | str, limit: float = LIMIT, errors: str | None = None
    ) -> None:
        self._key: Key = (command, errors)
        self._seed, self._limit = str(seed), float(limit)
        self._stand_in = Club(seed)
        self._connection: Connection | None = None
        self._failed = True  # until a deal begins
        self.faults: list[Fault] = []

    def see(self, view: View, event: Event, /) -> None:
        """Tell the program what happened; with a deal it begins anew."""
        if isinstance(event, Opened):
            self._begin(view)
        if self._connection is None:
            return
        if self._connection.ready.wants == "events":
            self._connection.tell(Seen(event=event))
        if isinstance(event, DealClosed):
            self._connection.tell(self._end(view))
            self._connection.push()

    def choose(self, view: View, choices: Choices, /) -> Action:
        """What the program chooses, or its stand-in."""
        if (due := errand(view, choices)) is not None:
            return due
        if not self._failed:
            try:
                return self._ask(view)
            except Failure as failure:
                self._note(failure)
        return self._stand_in.choose(view, choices)

    def leave(self) -> None:
        """Get up: the program waits for the next player who asks for it."""
        if self._connection is not None:
            _idle.setdefault(self._key, []).append(self._connection)
        self._connection, self._failed = None, True

    def _begin(self, view: View) -> None:
        self._failed = False
        try:
            if self._connection is None:
                self._connection = _connect(self._key)
        except Failure as failure:
            self._note(failure)
            return
        rules, observing = view.rules, self._connection.ready.wants == "observations"
        layout = layout_of(rules)
        self._connection.tell(
            Begin(
                family="danish" if isinstance(rules, DanishRules) else "french",
                rules=rules.id,
                digest=rulebook.digest(rules),
                overrides=rulebook.overrides(rules),
                table=view.series.table,
                seat=view.seat,
                names=view.series.names,
                deal=view.series.deals + 1,
                totals=view.series.totals,
                cups=_cups(view),
                seed=self._seed,
                limit=self._limit,
                layout=(layout.family, layout.version, layout.size) if observing else None,
            )
        )

    def _end(self, view: View) -> End:
        ended = view.deal
        return End(result=ended.result or "", points=ended.net, totals=view.series.totals, cups=_cups(view))

    def _ask(self, view: View) -> Action:
        assert self._connection is not None
        decision = Decision(view)
        while True:
            legal = decision.legal()
            number = legal[0] if len(legal) == 1 else self._connection.choose(decision, view, self._limit)
            if (action := decision.act(number)) is not None:
                return action

    def _note(self, failure: Failure) -> None:
        """The deal is lost to the stand-in; who only chose wrong may stay and listen."""
        self._failed = True
        self.faults.append(Fault(failure.kind, failure.message))
        if self._connection is None:
            return
        if failure.kind == "illegal":
            self._connection.tell(Faulted(kind=failure.kind, message=failure.message))
        else:
            self._connection.kill()
            self._connection = None


def _cups(view: View) -> dict[str, int] | None:
    return {str(cup): held for cup, held in view.series.cups.items()} if view.rules.has_cups else None
