"""Pass, or which bid? A hand and the bids before it; play-outs on what the seat knows are the judge."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from ultimo import deal, french
from ultimo import events as e
from ultimo.cards import BOUTS, KINGS, TRUMPS
from ultimo.french.settlement import needed_points
from ultimo.names import capital, names
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.teller import Teller
from ultimo.telling.writer import Block, CardRow, CardRows, Grid, Items
from ultimo.tutor.school.exercises import Answer, Choice, Question, Verdict, options
from ultimo.tutor.school.parts import Pen
from ultimo.tutor.school.trainers.laying import SUITS as SUIT_SETS
from ultimo.tutor.school.trainers.seen import Seen
from ultimo.tutor.school.trainers.trainer import Trainer

# What weighs a choice brings the compiler along: it is loaded where an answer is judged.
if TYPE_CHECKING:
    from ultimo.tutor.school.trainers.weighing import Weighed

KEY: Final = "trainers.bidding"
SAMPLES: Final = 800  # worlds an answer
TRIES: Final = 6  # hands that are looked at for one with which the club bids
BIDS: Final = 0.6  # how often such a hand is looked for


class Bidding(Struct, frozen=True):
    """A hand whose player is to bid, as that player knows it."""

    rules: FrenchRules
    seat: e.Seat
    state: french.State
    samples: int = SAMPLES

    def question(self, language: str) -> Question:
        """The hand, and what the others have said."""
        pen = Pen(self.rules, language)
        labels = tuple(self._label(pen, one) for one in self._actions)
        return Question(pen.text(f"{KEY}.ask"), Choice(labels), self._blocks(pen))

    def verdict(self, answer: Answer, language: str) -> Verdict:
        """What pass and each bid are worth; all that are equal as far as can be told are right."""
        from ultimo.tutor.school.trainers.weighing import weighed

        pen, widget = Pen(self.rules, language), self.question(language).widget
        assert isinstance(widget, Choice)
        (taken,) = options(widget, answer)
        found = weighed(self.rules, self.seat, self.state, self._actions[taken], self.samples)
        right = found.is_right(self._actions[taken])
        best = taken if right else self._actions.index(found.best.action)
        text = " ".join([pen.text("right" if right else "wrong"), *self._why(pen, found)])
        return Verdict(right, text, (str(best),), (*self._blocks(pen), self._compared(pen, found)))

    @property
    def _actions(self) -> list[e.Action]:
        return list(deal.legal(self.rules, self.state, self.seat))

    def _label(self, pen: Pen, action: e.Action) -> str:
        if isinstance(action, e.Bid):
            return capital(pen.teller.words.bid(action.bid))
        return capital(pen.teller.text("does.pass"))

    def _blocks(self, pen: Pen) -> tuple[Block, ...]:
        teller: Teller = Seen(self.rules, self.state, self.seat).teller(pen)
        said = [teller.tell(None, bid)[0] for bid in self.state.bids] or [pen.text(f"{KEY}.first")]
        hand = CardRow(pen.teller.text("hand"), pen.sorted(self.state.hands[self.seat]))
        return Items(tuple(said)), CardRows((hand,))

    def _why(self, pen: Pen, found: Weighed) -> Iterator[str]:
        hand = self.state.hands[self.seat]
        bouts = (hand & BOUTS).bit_count()
        yield pen.text(
            f"{KEY}.hand",
            bouts=bouts,
            needed=needed_points(self.rules, bouts),
            trumps=(hand & TRUMPS).bit_count(),
            kings=(hand & KINGS).bit_count(),
            voids=sum(not hand & suit for suit in SUIT_SETS),
        )
        from ultimo.tutor.school.trainers.weighing import is_close

        good = [self._label(pen, one.action) for one in found.judged.worths if is_close(one)]
        key = "best" if len(good) == 1 else "equal"
        yield pen.text(f"{KEY}.{key}", bids=names(pen.language).listed(good))
        yield pen.text(f"{KEY}.club", bid=self._label(pen, found.club))

    def _compared(self, pen: Pen, found: Weighed) -> Grid:
        """What each choice brings on average, and how far it is behind the best."""
        from ultimo.tutor.words import Words

        words = Words(pen.teller)
        worths = {one: found.judged.worth(one) for one in self._actions}
        head = ("", pen.text(f"{KEY}.head.points"), pen.text("laying.head.behind"))
        return Grid(
            head,
            tuple(
                (
                    self._label(pen, one),
                    words.signed(worth.points),
                    f"{words.number(worth.behind)} ± {words.number(worth.error)}",
                )
                for one, worth in worths.items()
            ),
        )


def ask(rules: Rules, seed: str, n: int) -> Bidding:
    """A hand of a run, at any place of the bidding."""
    from ultimo.tutor.school.trainers.weighing import club, come_to

    assert isinstance(rules, FrenchRules)
    rng = Random(f"bidding {rules.id} {seed} {n}")
    wanted, place = rng.random() < BIDS, rng.randrange(rules.players)
    for _ in range(TRIES):
        seat, state = come_to(rules, rng, lambda now: _is_turn(now, place))
        if not wanted or isinstance(club(rules, seat, state), e.Bid):
            break
    assert isinstance(state, french.State)
    return Bidding(rules, seat, state)


def _is_turn(state: deal.State, place: int) -> bool:
    """Whether so many have spoken, and the next is to bid."""
    return isinstance(state, french.State) and state.phase == "bid" and len(state.bids) == place


TRAINER: Final = Trainer("bidding", "french", ("french4", "french3", "french5"), ask, heavy=True)
