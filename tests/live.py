"""A live table for tests: time and secrets are made up, and people do what the page could let them do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from ultimo.events import Action
from ultimo.fair import commitment
from ultimo.players import create
from ultimo.table import (
    Again,
    Fact,
    Facts,
    Live,
    Nothing,
    PlayerId,
    SeatPlan,
    Settings,
    Think,
    Wait,
    decide,
    due,
    evolve,
    open_table,
    scene,
    story,
    story_so_far,
    thought,
)
from ultimo.table.messages import Act, Commit, Full, Ready, Reveal, Sit, Start, Update, Wish
from ultimo.table.scene import ButtonOffer, DeclareOffer, NumberOffer, PickOffer, PlayOffer, Scene, Turn

HOST = "host"
STRICT: dict[str, Any] = {  # a table at which all mistakes can be made
    f"strict.{switch}": True
    for switch in ("cups", "skat", "declare", "follow", "turn", "skusClaim", "skusDemand", "count")
} | {"decl.mode": "manual"}


class Evening:
    """A table with its log. Persons are `host`, `p1`, `p2` …; `known` is the seed of a server under test."""

    def __init__(
        self,
        settings: Settings,
        seed: int | str = 0,
        people: tuple[PlayerId, ...] = (HOST,),
        again: Again | None = None,
        known: str | None = None,
    ) -> None:
        self.now = 1000.0
        self.rng = Random(seed)
        self.log: list[tuple[Fact, float]] = []
        self.here = set(people)
        self.seen: dict[PlayerId, float] = {}
        self.host_starts = True  # as soon as the last seat is taken
        self.live: Live = None  # type: ignore[assignment]
        self.put(open_table("table1", settings, HOST, "Ada", again, known))

    def put(self, facts: tuple[Fact, ...]) -> None:
        """Let facts happen, as the log would spell them."""
        for fact in facts:
            again = msgspec.json.decode(msgspec.json.encode(fact), type=Fact)
            assert again == fact
            self.log.append((fact, self.now))
            self.live = evolve(self.live, again, self.now)

    def secret(self) -> str:
        """Something nobody can guess."""
        return self.rng.randbytes(32).hex()

    def do(self, player: PlayerId, wish: Wish) -> None:
        """Let a person wish something."""
        self.put(decide(self.live, player, player, wish))
        full = all(sitting.kind != "open" for sitting in self.live.seats)
        if isinstance(wish, Sit) and full and self.host_starts:
            self.put(decide(self.live, HOST, HOST, Start()))

    def scene(self, viewer: PlayerId | None, language: str = "en") -> Scene:
        """What somebody sees."""
        return scene(self.live, viewer, language, frozenset(self.here))

    def step(self) -> bool:
        """Let the table do the next thing by itself; False if it waits for people."""
        for player in self.here:
            self.seen[player] = self.now
        match due(self.live, self.now, self.seen, self.secret):
            case Nothing():
                return False
            case Facts(facts=facts):
                self.put(facts)
            case Think() as think:
                self.now = max(self.now, think.not_before)
                chosen = create("random", think.seed).choose(think.view, think.choices)
                self.put(thought(self.live, think, chosen))
            case Wait(until=until):
                self.now = until
        return True

    def settle_down(self) -> None:
        """Let the table go on until it waits for a person who is here, or nothing is left to do."""
        while not self.asked() and self.step():
            pass

    def end(self) -> None:
        """Let the table close a session whose last deal is over."""
        for _ in range(5):
            self.step()
        assert self.live.moment == "over"

    def asked(self) -> list[PlayerId]:
        """The persons here who have something to do."""
        waiting = [self.live.seats[seat] for seat in self.live.waiting_for]
        asked = [one.player for one in waiting if one.player in self.here and not one.stand_in]
        if self.live.moment == "between" and self.live.number:
            asked += [one.player for one in self.live.seats if one.player in self.here and not one.ready]
        return [player for player in asked if player is not None]

    def play_on(self, deals: int = 1) -> None:
        """Let everybody play at random, by the offers of their scenes alone, until so many deals are over."""
        for _ in range(4000 * deals):
            if self.live.series is not None and self.live.series.deals >= deals:
                return
            self.one_thing()
        raise AssertionError("the deals do not end")

    def one_thing(self) -> None:
        """Let one person who is asked do something, or else the table."""
        if not any(self._person_acts(player) for player in sorted(self.here)):
            self.step()

    def _person_acts(self, player: PlayerId) -> bool:
        """Let a person do what is asked, if anything is."""
        shown = self.scene(player)
        if shown.you is None or shown.seats[shown.you].stand_in:
            return False
        if shown.fair is not None and shown.fair.wanted:
            self.shuffle(player, shown)
        elif self.live.moment == "between" and self.live.number and not shown.seats[shown.you].ready:
            self.do(player, Ready())
        elif shown.turn is not None and (shown.you in self.live.waiting_for or self.live.number == 0):
            self.do(player, Act(answer(shown.turn, self.rng)))
        else:
            return False
        return True

    def shuffle(self, player: PlayerId, shown: Scene) -> None:
        """Do what a page does while cards are shuffled."""
        assert shown.fair is not None
        secret = Random(f"{player}:{shown.fair.number}").randbytes(32).hex()
        if shown.fair.wanted == "commit":
            self.do(player, Commit(shown.fair.number, commitment(secret)))
        else:
            self.do(player, Reveal(shown.fair.number, secret))


class Secretive(Evening):
    """An evening at which some people commit to secrets and never reveal them, in some draws or in all."""

    def __init__(
        self, settings: Settings, silent: Callable[[str, int], bool], people: Sequence[PlayerId]
    ) -> None:
        super().__init__(settings, 3, tuple(people))
        self.silent = silent
        for seat, player in enumerate(people[1:], 1):
            self.do(player, Sit(seat))

    def _person_acts(self, player: str) -> bool:
        wanted = self.scene(player).fair
        if wanted is not None and wanted.wanted == "reveal" and self.silent(player, wanted.deal):
            return False
        return super()._person_acts(player)


def bots(size: int, people: int = 1) -> tuple[SeatPlan, ...]:
    """The host, open seats for other people, and bots."""
    robots = [SeatPlan("bot", "random")] * (size - people)
    return (SeatPlan("host"), *[SeatPlan("open")] * (people - 1), *robots)


def answer(turn: Turn, rng: Random) -> Action:
    """An action made from what a page is offered, with no knowledge of the game."""
    action: Action = msgspec.convert(_composed(rng.choice(turn.offers), rng), type=Action)
    return action


def _composed(offer: Any, rng: Random) -> dict[str, Any]:
    match offer:
        case ButtonOffer(action=action):
            built: dict[str, Any] = msgspec.to_builtins(action)
            return built
        case PlayOffer(cards=cards, naming=naming, suits=suits):
            card = rng.choice(cards)
            named = rng.choice(suits).suit if naming and card == "T0" else None
            return {"type": "Play", "card": card, "named": named}
        case PickOffer(does=does, size=size, must=must, among=among, tout=tout):
            chosen = [*must, *rng.sample(among, size - len(must))]
            return {"type": does, "cards": chosen} | ({"tout": tout} if does == "Lay" else {})
        case DeclareOffer(slots=slots):
            picks = [rng.choice([None, *slot.options]) for slot in slots]
            made = [msgspec.to_builtins(one.declaration) for one in picks if one is not None]
            return {"type": "Declare", "declarations": made}
        case NumberOffer(does=does, least=least, most=most, usual=usual):
            number = rng.choice([usual, usual, rng.randint(least, most)])  # wrong counts are counted again
            return {"type": does, "at" if does == "Cut" else "points": number}
    raise AssertionError(offer)


def wire(evening: Evening, viewer: PlayerId | None, language: str = "en") -> bytes:
    """All that a viewer who has just come is sent."""
    shown = evening.scene(viewer, language)
    full = Full(evening.live.seq, shown, story_so_far(evening.live, viewer, language), evening.now)
    return msgspec.json.encode(full)


def told(before: Live, evening: Evening, viewer: PlayerId | None, language: str = "en") -> bytes:
    """What a viewer is told of what has happened since."""
    new = evening.log[before.seq :]
    return msgspec.json.encode(
        Update(before.seq, evening.live.seq, {}, story(before, new, viewer, language), evening.now)
    )
