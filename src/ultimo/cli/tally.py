"""What happened in many deals: totals, and how often there was what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ultimo import deal, french
from ultimo.events import Event, Paid, Transfer, balances
from ultimo.names import names
from ultimo.rulebook import FrenchRules, Rules
from ultimo.telling.teller import signed

DANISH_ROWS = {
    "kingUltimo": "king ultimo",
    "pagatUltimo": "pagat ultimo",
    "kingBagud": "king bagud",
    "pagatBagud": "pagat bagud",
    "nolo": "nolo",
    "tout": "tout",
}
MADE, PETIT, POIGNEE, SLAM, SLAM_LOST = (
    "contract made",
    "petit au bout",
    "poignée",
    "slam",
    "slam announced in vain",
)
RESULTS = {"scrapped": "scrapped", "passed": "deal passed on", "thrownIn": "thrown in"}


class Tally:
    """Counts deal by deal."""

    def __init__(self, rules: Rules, table: int) -> None:
        self.rules = rules
        self.deals = 0
        self.counts: Counter[str] = Counter()
        self.totals = [0] * table

    def add(self, events: Sequence[Event], ended: deal.State) -> None:
        """Count a deal: what was told, and the state in which it ended."""
        self.deals += 1
        reasons = {transfer.reason for transfer in self._paid(events)}
        self.counts.update(label for reason, label in DANISH_ROWS.items() if reason in reasons)
        if ended.result in RESULTS:
            self.counts[RESULTS[ended.result]] += 1
            return
        match self.rules, ended:
            case FrenchRules() as rules, french.State():
                self._french(rules, ended)

    def _french(self, rules: FrenchRules, ended: french.State) -> None:
        outcome = french.outcome(rules, ended)
        happened = {
            names("en").bid(outcome.bid): True,
            MADE: french.score(rules, outcome).won,
            PETIT: outcome.petit_au_bout,
            POIGNEE: outcome.poignees,
            SLAM: outcome.slam_made,
            SLAM_LOST: outcome.slam_announced and outcome.slam_announced != outcome.slam_made,
        }
        self.counts.update(label for label, did in happened.items() if did)

    def close(self, events: Sequence[Event]) -> None:
        """Count the end of a session, which is no deal."""
        self._paid(events)

    def lines(self) -> Iterator[str]:
        """The table."""
        yield f"{self.rules.title}: {self.deals} deals with {len(self.totals)} at the table"
        yield ""
        for label in self._labels():
            count = self.counts[label]
            yield f"{label:<24} {count:>8} {100 * count / self.deals:>7.2f} %"
        yield ""
        for seat, total in enumerate(self.totals):
            yield f"{f'seat {seat}':<24} {signed(total):>8} {total / self.deals:>+7.2f} a deal"

    def _labels(self) -> list[str]:
        if isinstance(self.rules, FrenchRules):
            bids = [names("en").bid(row.id) for row in self.rules.bid.ladder]
            return [*bids, MADE, PETIT, POIGNEE, SLAM, SLAM_LOST, RESULTS["thrownIn"]]
        return [*DANISH_ROWS.values(), RESULTS["scrapped"], RESULTS["passed"]]

    def _paid(self, events: Sequence[Event]) -> list[Transfer]:
        transfers = [one for event in events if isinstance(event, Paid) for one in event.transfers]
        gained = balances(transfers)
        self.totals = [total + gained[seat] for seat, total in enumerate(self.totals)]
        return transfers
