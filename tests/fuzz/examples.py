"""Good inputs of every kind, from which damaged ones are made."""

from __future__ import annotations

from functools import cache
from importlib import resources
from random import Random

import msgspec
from msgspec.structs import replace

from clubs import Log, french_entry
from live import HOST, bots
from live import Evening as Live
from table import Evening
from ultimo import record, rulebook
from ultimo.answers.tables import fair_deal
from ultimo.club import archive, files
from ultimo.club import club as c
from ultimo.club import sheet as s
from ultimo.club.boards import dumps, make
from ultimo.club.entries import DanishDeal
from ultimo.club.seating import Wish, draw
from ultimo.record import Entry, Record, jsonl, sheet
from ultimo.table import Settings, session_record
from ultimo.table.messages import Sit, Start

BOOKS = ("dtf", "basta", "jensen", "french4", "fft5")
HOUSE: dict[str, dict[str, object]] = {
    "dtf": {"strict.follow": True, "strict.skat": True, "session.length.deals": 4},
    "french4": {"poignee.multiple": "largest", "ecart.review": False},
}
POSITIONS = (
    "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9",
    "jensen: F S4 / M T3 / B D2 D3; trick F S2, M T2; cups 10 20; skat C1 C2 C3",
    "dtf: F T1 S2 / M T21 HK / B H7 H8; M leads; won F 8 M 7 B 8; piles F SK T20, M HQ; players 4",
    "hermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9; demanded; house skus.demandable=true",
    "vlk: F T1 S2 / M T21 T0 / B H7 H8; announced F nolo 13; cups 0 0; asked M B",
    "french4: A T1 S2 / B T21 HK / C H7 H8 / D C1 C2; A takes garde; taker has 31.5 points 1 bouts; tricks 9",
    "french5: T1 S2 / T21 HK / H7 H8 / C1 C2 / D1 D2; B takes sans with C; poignee A 10; slam B; called HK",
    "french3: A T1 S2 / B T21 HK / C H7 H8; C takes petite; petit last; aside S3 S4 S5 S6 S7 S8",
)
KEPT = (
    b"Ultimo position 1\nhermansen: F T1 S2 S1 / M T21 T0 HK / B H7 H8 H9\n1. F S2 {why}\n2. M HK\n3. B H7\n",
    b"Ultimo position 1\nfrench4: A T1 S2 / B T21 HK / C H7 H8 / D C1 C2; A takes garde\n#\nA S2\n",
)
OUTCOMES = (
    b'{"rules":"dtf","outcome":{"family":"danish","table":4,"order":[1,3,0],"king":85,"pagat":60,"tricks":[13,4,8],'
    b'"last":[{"seat":1,"card":"T1"},{"seat":3,"card":"S4"},{"seat":0,"card":"DK"}],"winner":1,"counts":[41,8,29]}}',
    b'{"rules":"basta","overrides":{"cups.ante":10},"outcome":{"family":"danish","table":3,"order":[1,2,0],"king":60,'
    b'"pagat":60,"tricks":[9,8,8],"declarations":{"1":[{"kind":"tarok","count":10}]},"kings_lost":[[0,1,"SK"]],'
    b'"last":[{"seat":1,"card":"S1"},{"seat":2,"card":"S4"},{"seat":0,"card":"S5"}],"winner":1,"counts":[30,20,28]}}',
    b'{"rules":"french4","outcome":{"family":"french","players":4,"taker":2,"bid":"garde","half_points":92,"bouts":2}}',
    b'{"rules":"fft5","outcome":{"family":"french","players":5,"taker":2,"partner":4,"bid":"sans","half_points":101,'
    b'"bouts":1,"poignees":[[1,10]],"petit":"taker","slam":{"announced":true,"made":false}}}',
)
CSV = (
    b"Dato;Medlem;Point;Spil\n2025-01-02;Member 1;12;20\n2.1.2025;Member 2;-12;20\n",
    b'date,member,points\n2025-02-03,Karen,5\n2025-02-03,"Bo, of Aarhus",-5\n',
    b"2024-12-31\tMember 3\t1000\t3\n",
)


@cache
def records() -> tuple[bytes, ...]:
    """Records in both spellings: sessions, deals alone, with and without house rules, cut off, empty."""
    found: list[Record] = []
    for number, book in enumerate(BOOKS):
        rules = rulebook.load(book, HOUSE.get(book))
        size = rules.sizes[-1]
        evening = Evening(rules, size, dealer=number % size)
        for _ in range(2):
            evening.play_deal(Random(number))
        evening.close()
        head = record.header(rules, size)
        found.append(Record(head, tuple(map(Entry, evening.log))))
        found.append(Record(head, tuple(map(Entry, evening.log[: 30 + number]))))
    return tuple(spelling.dumps(one).encode() for one in found for spelling in (jsonl, sheet))


@cache
def saved() -> tuple[bytes, ...]:
    """Games that were left in the terminal, at once or after a while."""
    whole = [record.loads(one.decode()) for one in records() if one.startswith(b"{")]
    return tuple(
        jsonl.dumps(Record(replace(one.header, extra={"seat": 1}), one.entries[:length])).encode()
        for one in whole
        for length in (0, 5, 60, 100, len(one.entries))
    )


@cache
def proofs() -> tuple[bytes, ...]:
    """Records with proofs in both spellings, and the proof of a deal as a server gives it."""
    found: list[bytes] = []
    for book, size in (("dtf", 4), ("french3", 3)):
        played = Live(Settings(book, size, bots(size, 2), deals=2), 3, (HOST, "p1"))
        played.do("p1", Sit(1))
        if played.live.moment == "gathering" and not played.live.started:
            played.do(HOST, Start())
        played.play_on(2)
        kept = session_record(played.log)
        found += [jsonl.dumps(kept).encode(), sheet.dumps(kept).encode()]
        found.append(msgspec.json.encode(fair_deal(played.log, 1)))
    return tuple(found)


@cache
def rulebooks() -> tuple[bytes, ...]:
    """All rulebooks, two that extend one, and house rules."""
    folder = resources.files("ultimo") / "rulebooks"
    return (
        *((folder / f"{book}.toml").read_bytes() for book in rulebook.ids()),
        b'extends = "jensen"\n[ultimo]\nking = 40\n[session]\nlength = {deals = 8}\n',
        b'extends = "french4"\npetitAuBout = 20\n[cites]\n"deal.packet" = "our table"\n',
        b'skus.demandable = false\nskus.rename = "claim"\n[fine.revoke]\namt = 25\neffect = ["stops"]\n',
    )


@cache
def sheets() -> tuple[bytes, ...]:
    """Logs of score sheets of both families."""
    rules = rulebook.load("dtf")
    danish: list[s.AnyFact] = [
        s.Opened(rules="dtf", names=("Karen", "Bo", "Ida"), by="k", digest=rulebook.digest(rules)),
        s.Booked(entry=DanishDeal(), by="k"),
        s.Booked(entry=DanishDeal(winner=1, counts={1: 30, 2: 20}), by="k"),
    ]
    dice = Random(3)
    french: list[s.AnyFact] = [s.Opened(rules="french4", names=("A", "B", "C", "D"), by="k")]
    french += [s.Booked(entry=french_entry(dice, 4), by="k") for _ in range(4)]
    french += [s.PenHanded(to="b", by="k"), s.Closed(by="b")]
    for facts in (danish, french):
        files.loads(files.dumps(facts))
    return tuple(files.dumps(facts).encode() for facts in (danish, french))


@cache
def club() -> tuple[c.Club, bytes]:
    """A club with seasons, evenings and sheets, and the file of it."""
    log = Log("french4")
    season = log.season()
    members = ("m1", "m2", "m3", "m4")
    evening = log.evening("2026-01-10", members, season)
    log.play(evening, 1, members, *(french_entry(Random(number), 4) for number in range(3)))
    log.write(c.EveningClosed, evening=evening)
    other = log.evening("2026-02-10", members, season)
    log.count(other, {"m1": 5, "m2": -5})
    return log.club, archive.export(archive.Whole(tuple(log.facts), log.sheets)).encode()


@cache
def boards() -> tuple[bytes, ...]:
    """Prepared deals."""
    return tuple(
        dumps(make(rulebook.load(book), size, "a seed", (1, 2))).encode()
        for book, size in (("french4", 4), ("dtf", 4), ("hermansen", 3), ("fft5", 5))
    )


@cache
def plans() -> tuple[bytes, ...]:
    """Who sat where on an evening."""
    wish = Wish(people=tuple("ABCDEFGHI"), rounds=2, sizes=(4, 3))
    return (msgspec.json.encode(draw(wish, "1", (), 200)),)
