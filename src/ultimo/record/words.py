"""How the sheet spells each event: one pattern that the writer fills in and the reader follows.

`{field}` is the value of a field, spelled by its type. `(…)` is left out when its fields have their default
values. `{+field}` is the field's own name, written when it is true. `{field:yes/no}` gives the two words of a
truth, `{field:none}` the word for an empty list, `{field:free}` takes text as it is up to a bracket.
Whatever has no pattern here has the regular one, which `grammar.regular` derives from its fields.
"""

from __future__ import annotations

from typing import Any, Final

from ultimo import events
from ultimo.events import Declaration

AMOUNT: Final = "{payer} pays {payee} {points}"
CAUSE: Final = ": {reason}( {card})( [{cite:free}])"  # left out where it is that of the line above

PATTERNS: Final[dict[type[Any], str]] = {
    Declaration: "{kind}( {of})( {count})( {pagat:with/without})( -{missing})",
    events.SeriesOpened: "Series: dealer {dealer}, names {names}(, out {out})(, drawn {drawn})",
    events.Opened: "Deal: table {table}, dealer {dealer}, active {active}"
    "(, cups {king} {pagat})(, deck {deck})",
    events.Paid: "Nobody pays",  # somebody pays on lines of their own: an amount and a cause
    events.Dealt: "Dealt(: chien {chien})",  # and the hands
    events.SkatLaid: "Skat {seat}: {cards}(, {+tout})",
    events.SkatNotice: "Skat notice {seat}(: {cards})",
    events.Declared: "Declare {seat}( {+early}): {declarations:pass}",
    events.Announced: "Announce {seat}: {kind}( before trick {before})",
    events.CardPlayed: "Play {seat}: {card}(={named})",
    events.TarokLaidAnswer: "Tarok laid: {count}, asked by {by}",
    events.Voted: "Voted {seat}: {yes}",
    events.BidMade: "Bid {seat}: {bid}",
    events.Passed: "Pass {seat}",
    events.Called: "Call {seat}: {card}",
    events.ChienShown: "Chien {seat}: {cards}",
    events.EcartLaid: "Ecart {seat}: {cards}(, shown {shown})",
    events.PoigneeShown: "Poignee {seat}: size {size}, {cards}",
}
