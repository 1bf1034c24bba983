"""Record a session, write it as a text sheet, read it back and check every move."""

from __future__ import annotations

from random import Random

from ultimo import rulebook
from ultimo.players import Match, RandomPlayer
from ultimo.record import Entry, Record, header, sheet
from ultimo.record.check import check

rules = rulebook.load("french4")
match = Match(rules, ["N", "W", "S", "E"], {seat: RandomPlayer(seat) for seat in range(4)}, Random(5))
for _ in match.play_deals(3):
    pass
match.close()

text = sheet.dumps(Record(header(rules, 4), tuple(map(Entry, match.log))))
again = sheet.loads(text)
position = check(rules, [entry.event for entry in again.entries])
assert position.series is not None
print(text.splitlines()[0], position.series.totals)
