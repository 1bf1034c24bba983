"""Whatever a page sends over its socket: it is done, or refused in words and nothing has changed."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from fuzz.fuzzing import fuzz
from fuzz.making import Maker
from fuzz.mutating import Mutator, dumped
from live import HOST, STRICT, Evening, answer, bots
from ultimo.answers.refusing import Refusal
from ultimo.events import IllegalAction
from ultimo.names import LANGUAGES, names
from ultimo.server.sockets import WRITER, message_of
from ultimo.table import Fact, Live, Settings, decide, evolve, scene
from ultimo.table.messages import Act, Do, PageMessage, Rematch, Say, Sit
from ultimo.telling.teller import Teller

pytestmark = pytest.mark.timeout(7200)

PEOPLE = (HOST, "p1", "p2", "nobody")


class Sent(NamedTuple):
    """A message of somebody at a table."""

    table: int
    player: str
    text: str


@cache
def tables() -> list[Live]:
    """Tables at all moments: gathering, while shuffling, in the midst of deals, after them."""
    found: list[Live] = []
    for book, size, house in (("dtf", 4, {}), ("basta", 3, STRICT), ("french4", 4, {}), ("fft5", 5, {})):
        played = Evening(Settings(book, size, bots(size, 2), house=dict(house), deals=2), 3, (HOST, "p1"))
        found.append(played.live)
        played.do("p1", Sit(1))
        for step in range(160):
            if played.live.moment == "over":
                break
            played.one_thing()
            if step % 9 == 0:
                found.append(played.live)
        found.append(played.live)
    return found


def turns(live: Live) -> list[tuple[str, dict[str, Any]]]:
    """What people are asked now, each with an answer that is right."""
    shown = [(player, scene(live, player, "en", frozenset(PEOPLE))) for player in (HOST, "p1")]
    return [
        (player, msgspec.to_builtins(Act(answer(one.turn, Random(1)))))
        for player, one in shown
        if one.turn is not None
    ]


def make(dice: Random) -> Sent:
    """A message of the right form, of nearly the right form, or of none."""
    number = dice.randrange(len(tables()))
    asked = turns(tables()[number]) if dice.random() < 0.4 else []
    if asked:
        player, act = dice.choice(asked)
        message: Any = {"type": "do", "cmd": "command-1", "wish": act}
    else:
        known = {"cmd": ["command-1"], "seat": [*range(5)], "deal": [1, 2]}
        player, message = (
            dice.choice(PEOPLE),
            Maker(dice, known).value(Do if dice.random() < 0.8 else PageMessage),
        )
    if dice.random() < 0.4:
        message = Mutator(dice, [b"{}"]).value(message, 2)
    data = dumped(message)
    if dice.random() < 0.2:
        data = Mutator(dice, [data, b'{"type":"resync"}', b'{"type":"ping"}']).text(2)
    return Sent(number, player, data.decode(errors="surrogateescape"))


def heard(sent: Sent) -> str:
    """What comes of a message."""
    live = tables()[sent.table]
    try:
        message = message_of(sent.text)
    except Refusal as refusal:
        return refusal.why
    assert msgspec.json.decode(msgspec.json.encode(message), type=PageMessage) == message
    if not isinstance(message, Do) or isinstance(message.wish, Rematch):
        return "other"
    before = WRITER.encode(scene(live, sent.player, "en", frozenset(PEOPLE)))
    wish = Say(message.wish.text.strip() or "x") if isinstance(message.wish, Say) else message.wish
    try:
        facts = decide(live, sent.player, "Guest", wish)
    except IllegalAction as error:
        told_in_words(live, error)
        assert WRITER.encode(scene(live, sent.player, "en", frozenset(PEOPLE))) == before
        return "refused"
    for fact in facts:
        assert msgspec.json.decode(msgspec.json.encode(fact), type=Fact) == fact
        live = evolve(live, fact, 2000.0)
    for viewer in (*PEOPLE, None):
        assert WRITER.encode(scene(live, viewer, "da", frozenset()))
    return "accepted"


def told_in_words(live: Live, error: IllegalAction) -> None:
    """A refusal has words in every language."""
    people = tuple(sitting.name or "–" for sitting in live.seats)
    for language in LANGUAGES:
        assert Teller(names(language), live.rules, people).refusal(error).strip()


def test_messages() -> None:
    found = fuzz("messages", 600, make, heard)
    assert found.keys() == {"malformed", "largeMessage", "refused", "accepted", "other"}, found
    assert min(found["refused"], found["accepted"]) > found.total() / 20, found
