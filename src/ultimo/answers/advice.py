"""What the tutor tells somebody about their own game: hints at a table, and reviews of deals.

What thinks loads the compiler when it begins, so that a shell can have it done in another process, which
answers in JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from ultimo.answers.refusing import Refusal, of_deal
from ultimo.events import Action, DealEvent, IllegalAction
from ultimo.names import capital, names
from ultimo.play.choices import Choices
from ultimo.players import View
from ultimo.rulebook import Rules
from ultimo.table import archive, helping
from ultimo.table.archive import Log
from ultimo.table.facts import PlayerId
from ultimo.table.live import Live
from ultimo.table.showing import teller_of
from ultimo.telling.teller import Teller
from ultimo.tutor import reviewed

# --- hints -----------------------------------------------------------------------------------------------


def question(live: Live, player: PlayerId, against: Action | None, language: str) -> tuple[View, Choices]:
    """What somebody may have a hint about: what their seat knows, and what they may do."""
    try:
        view, choices = helping.question(live, player)
        if against is not None and against not in choices:
            raise IllegalAction("notNow")
    except IllegalAction as error:
        status = 403 if live.seat_of(player) is None else 409
        reason = teller_of(live, language).refusal(error)
        raise Refusal(status, "told", cite=error.cite, reason=f"{capital(reason.rstrip('.'))}.") from None
    return view, choices


def people(live: Live) -> tuple[str, ...]:
    """Who sits at a table, by seat."""
    return tuple(sitting.name or "–" for sitting in live.seats)


def hint(
    view: View, choices: Choices, language: str, people: tuple[str, ...], against: Action | None, samples: int
) -> bytes:
    """What might be done, and why; `against` is what somebody would have done."""
    from ultimo.tutor import hinting

    teller = Teller(names(language), view.rules, people)
    return msgspec.json.encode(hinting.hint(view, choices, teller, against, samples))


def club_hint(
    view: View, choices: Choices, language: str, people: tuple[str, ...], against: Action | None
) -> bytes:
    """What a club player would do, and by which principle: where there is nothing that reckons."""
    from ultimo.tutor import advising

    teller = Teller(names(language), view.rules, people)
    return msgspec.json.encode(advising.club_hint(view, choices, teller, against))


# --- reviews ---------------------------------------------------------------------------------------------


class Played(Struct, frozen=True):
    """A deal that is over: its events, the frames of its replay by event, and who sat where."""

    rules: Rules
    events: tuple[DealEvent, ...]
    steps: tuple[int, ...]
    people: tuple[str, ...]


def played(log: Log, deal: int) -> Played:
    """A deal as it was played."""
    with of_deal(deal):
        rules, events = archive.deal_events(log, deal)
        step_of = archive.step_of(log, deal)
        before = archive.deal_steps(log, deal)[0].before
    return Played(rules, events, tuple(map(step_of, range(len(events)))), people(before))


def review_part(rules: Rules, events: Sequence[DealEvent], first: int, last: int, samples: int) -> bytes:
    """Some decisions of a deal, reviewed."""
    from ultimo.tutor import review

    return msgspec.json.encode(review.review_part(rules, events, first, last, samples))


def joined(rules: Rules, events: Sequence[DealEvent], parts: Sequence[bytes]) -> bytes:
    """The review that its parts make together."""
    from ultimo.tutor import review

    found = [msgspec.json.decode(part, type=tuple[reviewed.Reviewed, ...]) for part in parts]
    return msgspec.json.encode(review.joined(rules, events, [one for part in found for one in part]))


def review_shown(body: bytes, played: Played, language: str, number: int, title: str) -> bytes:
    """A review in words."""
    from ultimo.tutor import telling

    teller = Teller(names(language), played.rules, played.people)
    read = msgspec.json.decode(body, type=reviewed.Review)
    shown = telling.review_shown(read, played.events, teller, number, title, played.steps.__getitem__)
    return msgspec.json.encode(shown)
