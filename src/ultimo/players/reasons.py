"""Why a player chose as it did: what the alternatives seemed worth, by what principle, with what in mind."""

from __future__ import annotations

from msgspec import Struct

from ultimo.cards import Card
from ultimo.events import Action


class Candidate(Struct, frozen=True):
    """An action that was considered: the points it is expected to gain from here to the end of the deal.

    `spread` is the standard error of that expectation, and `samples` on how many worlds it rests; an action
    that soon turned out worse than others rests on few. A player who does not reckon expects nothing.
    """

    action: Action
    points: float | None = None
    spread: float | None = None
    samples: int = 0


class Inferred(Struct, frozen=True):
    """Where a card that was not seen may lie: how likely with each seat, and at last laid aside."""

    card: Card
    chances: tuple[float, ...]


class Reason(Struct, frozen=True):
    """A decision and what speaks for it. The candidates come with the best first.

    `principle` is the number of a piece of advice (rules.md, part F), or `search` where reckoning overruled
    all advice; `words` say it in a sentence. `role` is what the player was trying to be in this deal.
    """

    action: Action
    candidates: tuple[Candidate, ...] = ()
    role: str = ""
    principle: str = ""
    words: str = ""
    inferred: tuple[Inferred, ...] = ()

    @classmethod
    def by(cls, principle: str, action: Action, role: str, candidates: tuple[Candidate, ...] = ()) -> Reason:
        """A decision by a principle, with its words."""
        return cls(action, candidates, role, principle, PRINCIPLES[principle])


# What players go by, in a sentence each: the numbers are those of the rules' part on strategy.
PRINCIPLES = {
    "F1.4": "Keep a normal fighting hand: seven tarokker, a whip of six, four cards in every other suit.",
    "F1.6": "Keep no whip that you cannot play to its last card.",
    "F1.7": "With many tarokker, or a longer whip that can be driven, the side suits may be shortened.",
    "F1.9": "With three tarokker or fewer lay them all, and be ready for nolo.",
    "F1.11": "Of two whips keep the one that serves: with a weak hand the one without the king.",
    "F1.12": "Two or three cards from a suit of five or six: hardly anybody else's whip.",
    "F1.13": "With nine tarokker keep four cards in every suit and whip with tarok.",
    "F1.14": "Lay a court whose lower neighbours do the same work: it counts in the skat.",
    "F1.15": "For nolo lay the highest cards, and thin out the suit where you could be caught.",
    "F1.16": "Keep king and queen together: they make an ultimo much easier.",
    "F2.7": "Low, then high shows four or more cards of the suit; high, then low shows fewer.",
    "F3.1": "Keep tarokker for the fight over the last trick.",
    "F3.2": "Who plays for the last trick attacks with his whip, and then with tarok while it is safe.",
    "F3.3": "The leader of the defence plays his whip to the bottom.",
    "F3.5": "The helper returns the leader's suit, spends his middle tarokker, and does not overtake.",
    "F3.22": "Bring the pagat home as soon as that is safe, unless it is to be kept for the last trick.",
    "F3.23": "A king is kept for the last trick only by one who is strong in tarok.",
    "F4.2": "Lead what does no harm, best from a long suit, and clear it.",
    "F5.3": "The skus saves a card that is needed later.",
    "F5.4": "A led skus is named as the suit that serves the one who names it.",
    "F5.6": "A strong player gets rid of the skus while he is free to use it.",
    "F5.8": "Demand the skus before the third-last trick if its holder needs it as a guard.",
    "F6.1": "Few and small tarokker, small cards in every suit: a hand for nolo.",
    "F6.8": "For nolo shed the high cards whenever another takes the trick.",
    "F7.1": "The écart makes voids and puts courts in safety.",
    "F7.2": "A poignée is shown if one's side will probably win.",
    "F7.3": "The hidden partner feeds points to the taker.",
    "F7.4": "The excuse is not kept for the last trick.",
    "F7.5": "Bid at once what the hand is worth: there is but one turn.",
    "F7.6": "Where no trump can win, the lowest is played.",
    "DK.trick": "The trick is worth taking for the cards in it.",
    "DK.king": "A king goes while it wins; later it may be trumped.",
    "FR.only": "There was nothing to choose.",
    "FR.call": "Call a king that helps where the hand is weak.",
    "FR.slam": "A slam is announced only if no trick can be lost.",
    "FR.excuse": "The excuse is played instead of a card that would be lost.",
    "FR.petit.save": "The petit comes home while it is safe.",
    "FR.petit.hunt": "High trumps are led against the petit of the others.",
    "FR.petit.bout": "The petit is kept for the last trick.",
    "FR.trumps": "Draw trumps: those of the others fall two and more for one.",
    "FR.long": "Lead the long suit: it makes the others trump.",
    "FR.master": "A card that nothing of its suit beats is played while it wins.",
    "FR.force": "Lead what the taker must trump.",
    "FR.return": "Lead a friend's suit again.",
    "FR.ruff": "Trump as cheaply as will do.",
    "FR.win": "Take the trick.",
    "FR.feed": "Points go on a friend's trick.",
    "FR.low": "What is lost should be worth little.",
    "search": "Tried in many worlds that fit what is known, this did best.",
}
