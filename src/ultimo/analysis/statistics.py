"""What many deals come to: shares and means with their 95 % intervals, and distributions.

A summary holds whole numbers only, so that summaries of the parts of a run add up to the same summary
whatever the parts are and in whatever order they come. It stays small however many deals it is made of.

>>> share = Share(50, 100)
>>> share.value, [round(bound, 4) for bound in share.interval()]
(0.5, [0.4038, 0.5962])
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan, sqrt
from typing import TypeAlias, TypeVar

from msgspec import Struct, field

Z = 1.959963984540054  # the normal distribution lies between ±Z with probability 95 %
EXACT = 10_000  # larger values of a distribution are kept to four digits

Distribution: TypeAlias = dict[int, int]  # how often each value came
Interval: TypeAlias = tuple[float, float]

K = TypeVar("K", str, int)


class Share(Struct, frozen=True):
    """How often something happened out of how many."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """The share; not a number where there was nothing to count."""
        return self.count / self.of if self.of else nan

    def interval(self) -> Interval:
        """Wilson's score interval: right also for shares near 0, and never empty.

        Wilson: Probable inference, the law of succession, and statistical inference (1927).
        """
        if not self.of:
            return 0.0, 1.0
        n, p, zz = self.of, self.count / self.of, Z * Z
        middle = (p + zz / (2 * n)) / (1 + zz / n)
        half = Z * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
        low = 0.0 if self.count == 0 else max(0.0, middle - half)
        high = 1.0 if self.count == self.of else min(1.0, middle + half)
        return low, high


class Moments(Struct):
    """What is needed for a mean per deal whose units are sessions: sums over the sessions.

    The deals of a session hang together by the cups, sessions do not; so the spread is taken between
    sessions. With sessions of one deal it is the usual spread.
    """

    sessions: int = 0
    deals: int = 0
    total: int = 0  # what was won
    deals_squared: int = 0
    total_squared: int = 0
    product: int = 0  # of the deals and what was won

    def add(self, other: Moments) -> None:
        """Add those of other sessions."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def mean(self) -> Mean:
        """The ratio of what was won to the deals, and its standard error."""
        if not self.deals:
            return Mean(nan, nan)
        ratio = self.total / self.deals
        if self.sessions < 2:
            return Mean(ratio, nan)
        # Σ(won − ratio · deals)² as a fraction of whole numbers, since the terms nearly cancel
        scaled = (
            self.total_squared * self.deals**2
            - 2 * self.total * self.deals * self.product
            + self.total**2 * self.deals_squared
        )
        spread = sqrt(max(0, scaled) / self.deals**2)
        return Mean(ratio, spread / self.deals * sqrt(self.sessions / (self.sessions - 1)))


class Mean(Struct, frozen=True):
    """A mean per deal and its standard error."""

    value: float
    error: float

    def interval(self) -> Interval:
        """The 95 % interval, by the normal distribution."""
        return self.value - Z * self.error, self.value + Z * self.error


class Summary(Struct):
    """What the deals of a run come to."""

    deals: int = 0
    sessions: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    moments: dict[str, Moments] = field(default_factory=dict)
    points: Distribution = field(default_factory=dict)  # of those who played, a deal each
    cups: dict[str, dict[int, Distribution]] = field(default_factory=dict)  # by the number in the session
    highest: dict[str, int] = field(default_factory=dict)

    def add(self, other: Summary) -> None:
        """Add what other deals come to."""
        self.deals += other.deals
        self.sessions += other.sessions
        _add(self.counts, other.counts)
        _add(self.points, other.points)
        for name, moments in other.moments.items():
            self.moments.setdefault(name, Moments()).add(moments)
        for cup, by_number in other.cups.items():
            known = self.cups.setdefault(cup, {})
            for number, held in by_number.items():
                _add(known.setdefault(number, {}), held)
        for name, value in other.highest.items():
            self.highest[name] = max(value, self.highest.get(name, value))

    def share(self, name: str, of: str | None = None) -> Share:
        """How often something happened, of all deals or of those of a kind."""
        return Share(self.counts.get(name, 0), self.deals if of is None else self.counts.get(of, 0))

    def mean(self, name: str) -> Mean:
        """What somebody won a deal."""
        return self.moments[name].mean()


def rounded(value: int) -> int:
    """A value as a distribution keeps it: a large one to four digits, towards zero.

    >>> rounded(-9999), rounded(123456), rounded(-123456)
    (-9999, 123400, -123400)
    """
    size = abs(value)
    if size < EXACT:
        return value
    unit: int = 10 ** (len(str(size)) - 4)
    return size // unit * unit * (1 if value > 0 else -1)


def average(held: Mapping[int, int]) -> float:
    """The mean of a distribution."""
    return sum(value * count for value, count in held.items()) / sum(held.values())


def quantile(held: Mapping[int, int], part: float) -> int:
    """The smallest value that at least this part of the distribution does not exceed.

    >>> quantile({1: 1, 2: 1, 3: 2}, 0.5), quantile({1: 1, 2: 1, 3: 2}, 0.51)
    (2, 3)
    """
    least, passed = part * sum(held.values()), 0
    for value in sorted(held):
        passed += held[value]
        if passed >= least:
            return value
    raise ValueError("a distribution without values has no quantiles")


def _add(known: dict[K, int], more: Mapping[K, int]) -> None:
    for key, count in more.items():
        known[key] = known.get(key, 0) + count


def combined_cup(summary: Summary, cup: str) -> Distribution:
    """What a cup held as a deal began, over all deals of the sessions that were kept."""
    held: Distribution = {}
    for by_number in summary.cups[cup].values():
        _add(held, by_number)
    return held
