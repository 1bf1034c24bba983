"""Danish Tarok in sentences: the wording of every parameter of rules D1 and D2, in the order of a deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ultimo.telling.wording import Chapter, listed, points


def _sizes(sizes: tuple[int, ...], _: Any) -> str:
    return f"The table seats {listed([str(size) for size in sizes], 'or')}; three play each deal."


def _found(found: dict[str, int], _: Any) -> str:
    king, pagat = points(found["king"]), points(found["pagat"])
    return f"Whoever founds pays {king} into an empty king cup and {pagat} into an empty pagat cup."


def _run(cards: str) -> Callable[[Any, Any], str]:
    def sentence(run: dict[str, int], _: Any) -> str:
        base, step = points(run["base"]), points(run["step"])
        return f"{run['min']} {cards} bring {base} from each opponent, and each one more brings {step} more."

    return sentence


def _range(card: str) -> Callable[[Any, Any], str]:
    def sentence(bounds: tuple[int, int], _: Any) -> str:
        return f"The table may agree on any price of a {card} ultimo from {bounds[0]} to {bounds[1]} points."

    return sentence


def _nolo_announced(rows: tuple[dict[str, int], ...], _: Any) -> str:
    offers = [
        f"before trick {row['beforeTrick']} it brings {points(row['win'])} and a premium of "
        f"{points(row['premium'])} from each opponent, failed it costs {points(row['lose'])} and the premium"
        for row in rows
    ]
    return f"A nolo may be announced: {'; '.join(offers)}." if offers else "A nolo is not announced."


def _tout_announced(rows: tuple[dict[str, int], ...], _: Any) -> str:
    offers = [
        f"before trick {row['beforeTrick']} it brings {points(row['win'])} from each opponent, "
        f"failed it costs {points(row['lose'])}"
        for row in rows
    ]
    return f"A tout may be announced: {'; '.join(offers)}." if offers else "A tout is not announced."


# Effects that the offence itself has, and effects on the offender.
STOPS = {
    "stop": "stops the deal",
    "consent": "stops the deal unless both opponents want to play on",
    "noPayForIt": "is not paid, though the others' are",
}
SUFFERS = {
    "banUltimo": "may not make an ultimo",
    "repay": "gives back what was received wrongly",
    "noDeclare": "loses all declarations of the deal",
    "winNothing": "wins nothing while paying the others' counting losses",
    "giveBack": "returns a king or pagat so captured with what was paid for it",
    "ultimoCost": "bears the cost of an ultimo it helped, the cup included",
}


def _fine(offence: str) -> Callable[[Any, Any], str]:
    def sentence(fine: dict[str, Any], tables: Any) -> str:
        payee = {"cups": "into each cup", "opponents": "to each opponent"}[tables["fine"]["to"]]
        costs = [f"costs {points(fine['amt'])} {payee}"] if fine["amt"] else []
        costs += [words for effect, words in STOPS.items() if effect in fine["effect"]]
        suffers = [words for effect, words in SUFFERS.items() if effect in fine["effect"]]
        clauses = [f"the offender {listed(suffers)}"] if suffers else []
        if "correctable" in fine["effect"]:
            clauses.append("it may be put right until another hand has declared anything")
        if costs:
            return "; ".join([f"{offence} {listed(costs)}", *clauses]) + "."
        if clauses:
            return f"{offence}: {'; '.join(clauses)}."
        return f"{offence} has no fine: the program prevents it."

    return sentence


def _length(length: Any, _: Any) -> str:
    if length == "open":
        return "The session ends when the players stop."
    amount = listed([f"{number} {unit if number > 1 else unit[:-1]}" for unit, number in length.items()])
    return f"The session ends after {amount}."


DANISH: Mapping[str, Chapter] = {
    "The table": {
        "table.sizes": _sizes,
        "table.five": {
            "fiveDealsOut": "With five at the table one player goes out for five deals at a time.",
            "twoSitOut": "With five at the table the dealer plays with his two neighbours; two sit out.",
        },
        "sitter.sees": {
            "public": "A sitter sees what is public, and no hand.",
            "all": "A sitter sees every hand.",
        },
    },
    "Cups": {
        "cups.enabled": {True: "There is a king cup and a pagat cup.", False: "There are no cups."},
        "cups.found": _found,
        "cups.foundBy": {
            "allAtTable": "All at the table found, the sitters too.",
            "active": "Only the three who play the deal found.",
        },
        "cups.ante": "The dealer pays an ante of {points} into each cup.",
        "cups.moveDuty": {
            True: "The dealer must move the cups to his right before the first lead.",
            False: "Nobody has to move the cups.",
        },
        "cups.lastTrickOrder": {
            "snapshot": "What is taken from a cup or doubled is what lay in it when the last card fell.",
            "ultimoFirst": "The ultimator takes the cup before anyone who went bagud doubles it.",
            "bagudFirst": "Whoever went bagud doubles the cup before the ultimator takes it.",
        },
    },
    "Dealing": {
        "deal.misdeal": {
            "anteOrPass": "After a misdeal the dealer antes and deals again, or passes the deal on.",
            "payEachOrPass": "After a misdeal the dealer pays each opponent and deals again, or passes on.",
            "correctAndFine": "A misdeal is put right on the table, and the dealer pays into each cup.",
        },
        "deal.misdealPay": "The price of a misdeal, where it is not the ante, is {points}.",
        "deal.redealNoTarok": {
            True: "A hand without a trump (the skus does not count) may demand a new deal.",
            False: "A hand without a trump has no right to a new deal.",
        },
    },
    "Skat": {
        "skat.forbidPagat": {
            True: "The pagat (T1) may not be laid.",
            False: "The pagat (T1) may be laid as other trumps may.",
        },
        "skat.forbidDeclared": {
            True: "Cards of a declaration may not be laid unless it cannot be avoided.",
            False: "Cards of a declaration may be laid.",
        },
        "skat.tarokAllOrNone": {
            True: "Trumps may be laid only from three or fewer, and then all of them.",
            False: "Trumps may be laid only from three or fewer, some or all of them.",
        },
        "skat.skusForTout": {
            True: "The skus may be laid only by a dealer who announces tout.",
            False: "The skus may never be laid.",
        },
        "skat.discloseTarok": {
            "none": "The dealer never has to say that he laid trumps.",
            "afterVoid": "Once seen void in trumps, the dealer says on demand how many he laid.",
            "onDemand": "The dealer says at any time, on demand, how many trumps he laid.",
        },
        "skat.discloseDeclared": {
            "none": "The dealer does not say that he laid from a declaration.",
            "fact": "The dealer says that he laid from a declaration, but not which cards.",
            "cards": "The dealer says which cards he laid from a declaration.",
        },
    },
    "Declarations": {
        "decl.mode": {
            "auto": "Whatever a hand must declare is declared for it.",
            "manual": "Each player makes his declarations himself.",
        },
        "decl.dealerBasis": {
            28: "The dealer declares on his 28 cards, those laid included.",
            25: "The dealer declares on the 25 cards he keeps.",
        },
        "decl.tarok": _run("trumps, the skus counted,"),
        "decl.matador": _run("matadors (T21, T1, T0, then T20 and on without a gap)"),
        "decl.half": "Half, three courts of a suit or three kings with the skus, brings {points} from each.",
        "decl.full": "Full, four courts of a suit or four kings, brings {points} from each.",
        "decl.over": "Overfull, four courts or kings with the skus, brings {points} from each.",
        "decl.overfull": {
            True: "Overfull is declared.",
            False: "Overfull is not declared: it counts as full.",
        },
        "decl.matadorsFromBelow": {
            True: "Matadors are also declared from below: T1, T0, T2, then T3 and on.",
            False: "Matadors are declared from above only.",
        },
        "decl.words": {
            "jensen": "Players say halvfuld, fuld, overfyldt and matadorer, as Jensen does.",
            "hermansen": "Players say halve, fulde, overfyldte and matadorer, as Hermansen does.",
            "vlk": "Players say halv, helt, sprøjte and store, as at VLK Tarokklub.",
            "basta": "Players say kavalleri, hele konger, fuldblods and matadorer, as Basta does.",
            "dtf": "Players say halvt, fuldt or helt, sprøjte and matadorer, as the federation does.",
        },
    },
    "Skus": {
        "skus.demandable": {
            True: "Either opponent may demand the skus in the third-last trick.",
            False: "Nobody may demand the skus.",
        },
        "skus.thirdLastVoluntary": {
            True: "The skus may be played to the third-last trick unasked.",
            False: "The skus may be played to the third-last trick only on demand.",
        },
        "skus.secondLastBarred": {
            True: "The skus may not be played to the second-last trick.",
            False: "The skus may be played to the second-last trick as to any other.",
        },
        "skus.rename": {
            "claim": "If the suit of a led skus is not in, the next hand renames it if it claims the right.",
            "nextDecides": "If the suit of a led skus is not in, the next hand renames it without a claim.",
            "never": "A led skus keeps the name it was given.",
        },
        "skus.swapOnRename": {
            True: "A card already played to a led skus is exchanged for one of the suit finally named.",
            False: "A card already played to a led skus stays, whatever suit is finally named.",
        },
        "skus.lastTrickLead": {
            "named": "A skus led to the last trick is named as in any other.",
            "leadPasses": "Whoever must lead the skus to the last trick passes the lead on.",
        },
    },
    "Payments during play": {
        "pay.kingLost": "A king that does not win its trick costs {points} to each opponent.",
        "pay.kingLostCup": "A lost king puts {points} into the king cup.",
        "pay.pagatLost": "A pagat that does not win its trick costs {points} to each opponent.",
        "pay.pagatLostCup": "A lost pagat puts {points} into the pagat cup.",
        "pay.pagatHome": "A pagat that wins its trick brings {points} from each opponent.",
    },
    "Last trick and ultimo": {
        "pay.lastTrick": "The last trick brings {points} from each opponent.",
        "ultimo.king": "A king ultimo brings the king cup and {points} from each; bagud costs as much.",
        "ultimo.kingRange": _range("king"),
        "ultimo.pagat": "A pagat ultimo brings the pagat cup and {points} from each; bagud costs as much.",
        "ultimo.pagatRange": _range("pagat"),
        "ultimo.pagatExtra": "A pagat ultimo or bagud is paid {points} more, for the pagat itself.",
        "ultimo.includesLastTrick": {
            True: "The price of an ultimo includes the last trick.",
            False: "The last trick is paid on top of an ultimo.",
        },
        "bagud.pagatExtraCup": "A pagat bagud puts {points} into the pagat cup after doubling it.",
        "lastTrick.paidWithBagud": {
            True: "The last trick is paid even if somebody goes bagud in it.",
            False: "The last trick is not paid if somebody goes bagud in it.",
        },
    },
    "Nolo and tout": {
        "nolo.pay": "A nolo, no trick at all, brings {points} from each opponent.",
        "nolo.premium": (
            "A nolo has no premium.",
            "An unannounced nolo has a premium of {points} from each.",
        ),
        "nolo.announce": _nolo_announced,
        "nolo.cancelsUltimo": {
            True: "A nolo cancels an ultimo of the same deal.",
            False: "An ultimo is paid beside a nolo.",
        },
        "nolo.cancelsLastTrick": {
            True: "A nolo cancels the payment for the last trick.",
            False: "The last trick is paid beside a nolo.",
        },
        "nolo.cancelsCount": {
            True: "After a nolo the cards are not counted.",
            False: "After a nolo the cards are counted.",
        },
        "tout.pay": "A tout, all 25 tricks, brings {points} from each opponent.",
        "tout.announce": _tout_announced,
        "tout.count": {
            "byCount": "After a tout the cards are counted as usual.",
            "flat25": "After a tout the count is a flat 25 points from each opponent.",
            "none": "After a tout the cards are not counted.",
        },
        "tout.takesCups": {True: "A tout takes both cups.", False: "A tout leaves the cups alone."},
        "tout.excludesNolo": {
            True: "Against a tout a hand without a trick makes no nolo.",
            False: "Against a tout each hand without a trick makes a nolo.",
        },
        "tout.replacesLastTrick": {
            True: "A tout replaces last trick and ultimo.",
            False: "Last trick and ultimo are paid on top of a tout.",
        },
    },
    "Counting": {
        "count.mode": {
            "table5": "What a count differs from 26 is paid in steps of five.",
            "exact": "What a count differs from 26 is paid exactly.",
            "off": "The cards are not counted.",
        },
        "count.counters": {
            "twoAndBalance": "Two players count, and the third pays or takes the balance.",
            "all": "All three players count.",
        },
    },
    "Fines": {
        "fine.to": {"cups": "Fines go into each cup.", "opponents": "Fines go to each opponent."},
        "fine.wrongSkat": _fine("A wrong skat"),
        "fine.wrongCards": _fine("A wrong number of cards"),
        "fine.revoke": _fine("A revoke"),
        "fine.wrongDecl": _fine("A wrong declaration"),
        "fine.missingDecl": _fine("A missing declaration"),
        "fine.earlyDecl": _fine("A declaration before its time"),
        "fine.outOfTurn": _fine("A card out of turn"),
        "fine.falseTen": (
            "Declaring ten trumps without the pagat on nine has no fine of its own.",
            "Declaring ten trumps without the pagat on nine costs {points} to each opponent besides.",
        ),
        "fine.wrongDemand": "Demanding a skus that has gone costs {points}.",
        "fine.cupsNotMoved": "Cups that had to be moved and were not cost {points} into each.",
    },
    "Strict table": {
        "strict.deal": {True: "A misdeal is possible.", False: "The program deals, always right."},
        "strict.cups": {
            True: "Founding and moving the cups can be forgotten.",
            False: "The program founds and moves the cups.",
        },
        "strict.skat": {True: "A wrong skat can be laid.", False: "A wrong skat is refused."},
        "strict.declare": {True: "Declarations can be wrong.", False: "A wrong declaration is refused."},
        "strict.follow": {True: "A player can revoke.", False: "A revoke is refused."},
        "strict.turn": {True: "Cards can be played out of turn.", False: "A card out of turn is refused."},
        "strict.skusClaim": {
            True: "A void hand must claim the right to rename a led skus itself.",
            False: "The program claims for a void hand the right to rename a led skus.",
        },
        "strict.skusDemand": {
            True: "The skus can be demanded though it has gone.",
            False: "The skus can be demanded only while it is in.",
        },
        "strict.count": {True: "Players count the cards themselves.", False: "The program counts the cards."},
        "strict.lenient": {
            True: "A fine is due only if both opponents ask for it.",
            False: "A fine is due without asking anybody.",
        },
    },
    "Session": {
        "session.length": _length,
        "session.unit": "At the end the cups are shared out in chips of {points}.",
        "session.rest": {
            "worst": "What cannot be shared goes to the player who did worst.",
            "lot": "What cannot be shared goes by lot.",
        },
    },
}
