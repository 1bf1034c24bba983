"""How to play Danish Tarok: which sentences are said for which rules, in the order of a deal."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from ultimo.danish.counting import balancing_place, count_results
from ultimo.danish.numbers import numbers
from ultimo.danish.outcome import Outcome
from ultimo.names import capital, names
from ultimo.rulebook import DanishRules
from ultimo.telling.glossary import book_words
from ultimo.telling.results import steps
from ultimo.telling.rules_words import history
from ultimo.telling.teller import signed
from ultimo.telling.writer import Chapter, Grid, Items, Passage, Writer

EXAMPLE = (20, 19, 39)  # counts of forehand, middle hand and dealer
ANY_PRICE = (0, 1000)
COURTS = "KQNJ"


def danish(w: Writer, rules: DanishRules) -> Iterator[Chapter]:
    """The chapters of a book of Danish Tarok."""
    cups = rules.cups.enabled
    yield w.chapter(
        "aim",
        w.passage("aim.what"),
        w.passage("aim.last", "aim.cups" if cups else ""),
        w.passage("aim.bagud" if cups else "aim.bagudPlain"),
        w.passage("aim.besides"),
    )
    yield w.chapter(
        "cards",
        w.passage("cards.suits", "cards.courts"),
        w.passage("cards.black", "cards.red"),
        w.passage("cards.trumps", "cards.skus"),
        w.cards(
            rowBlack=[f"S{rank}" for rank in (*COURTS, *range(10, 0, -1))],
            rowRed=[f"H{rank}" for rank in (*COURTS, *range(1, 11))],
            rowTrumps=[f"T{number}" for number in range(21, 0, -1)],
            rowSkus=["T0"],
        ),
        w.worth({"four": "4", "three": "3", "two": "2", "one": "1", "none": "0"}),
    )
    yield _seats(w, rules)
    yield _cups(w, rules) if cups else w.chapter("cups", w.passage("cups.none"))
    yield _deal(w, rules)
    yield _declarations(w, rules)
    yield w.chapter(
        "play", w.passage("play.lead"), w.passage("play.follow"), w.passage("play.win", "play.low")
    )
    yield _skus(w, rules)
    yield _during(w, rules)
    yield _last(w, rules)
    yield _nolo_and_tout(w, rules)
    yield w.chapter("count", w.passage("count.off")) if rules.count.mode == "off" else _count(w, rules)
    yield _fines(w, rules)
    yield w.chapter(
        "end",
        w.line("session.length"),
        w.passage(f"end.{rules.session.rest}") if cups else None,
        w.passage("end.highest"),
    )
    if words := book_words(rules.id, w.language):
        about = Passage(history(rules, w.language))
        yield w.chapter("words", about, w.grid("words.ours", "words.theirs", rows=words))


def _seats(w: Writer, rules: DanishRules) -> Chapter:
    sitting = {3: "three", 4: "four"}.get(w.table, rules.table.five)
    founds = rules.cups.found_by == "allAtTable"
    return w.chapter(
        "seats",
        w.passage(f"seats.{sitting}", "seats.sizes"),
        w.passage("seats.right", "seats.lot" if sitting == "twoSitOut" else "seats.next"),
        w.passage(
            "seats.out",
            ("seats.outFounds" if founds else "seats.outShares") if rules.cups.enabled else "",
            "seats.seesAll" if rules.sitter.sees == "all" else "seats.seesPublic",
        )
        if w.table > 3
        else None,
    )


def _cups(w: Writer, rules: DanishRules) -> Chapter:
    return w.chapter(
        "cups",
        w.passage("cups.what"),
        w.passage(f"cups.{rules.cups.found_by}"),
        w.passage("cups.ante", "cups.move" if rules.cups.move_duty else ""),
        w.passage("cups.short"),
    )


def _deal(w: Writer, rules: DanishRules) -> Chapter:
    skat = rules.skat
    tells = {"none": "Nothing", "fact": "Fact", "cards": "Cards"}[skat.disclose_declared]
    asks = {"none": "None", "afterVoid": "AfterVoid", "onDemand": "OnDemand"}[skat.disclose_tarok]
    blocks = "deal.pagatBlocks" if skat.forbid_pagat else "deal.highestBlocks"
    return w.chapter(
        "deal",
        w.passage("deal.deal", "deal.redeal" if rules.deal.redeal_no_tarok else "deal.noRedeal"),
        w.passage("deal.skat"),
        w.passage("deal.never"),
        w.items(
            "deal.kings",
            "deal.pagat" if skat.forbid_pagat else "",
            "deal.skusTout" if skat.skus_for_tout else "deal.skus",
            "deal.allTrumps" if skat.tarok_all_or_none else "deal.someTrumps",
            "deal.declared" if skat.forbid_declared else "",
        ),
        w.passage(
            blocks if skat.tarok_all_or_none else "",
            "" if skat.forbid_pagat else "deal.pagatToo",
            f"deal.tell{tells}" if skat.forbid_declared else "deal.declaredToo",
            f"deal.ask{asks}",
        ),
    )


def _declarations(w: Writer, rules: DanishRules) -> Chapter:
    decl = rules.decl

    tarok, matadors = (
        w.say("declare.run", min=run.min, least=run.base, step=run.step) for run in (decl.tarok, decl.matador)
    )
    rows = [("tarok", "tarokNeeds", tarok), ("matadors", "matadorNeeds", matadors)]
    if decl.matadors_from_below:
        rows.append(("below", "belowNeeds", matadors))
    rows += [("half", "halfNeeds", str(decl.half)), ("full", "fullNeeds", str(decl.full))]
    if decl.overfull:
        rows.append(("over", "overNeeds", str(decl.over)))
    return w.chapter(
        "declare",
        w.passage("declare.when", f"declare.{decl.mode}"),
        w.grid(
            "declare.head",
            "declare.needs",
            "declare.pays",
            rows=[
                (w.say(f"declare.{what}"), w.say(f"declare.{needs}"), price) for what, needs, price in rows
            ],
        ),
        w.passage(
            "declare.nameMissing" if decl.name_missing else "",
            "" if decl.overfull else "declare.noOver",
            "declare.several",
            f"declare.basis{decl.dealer_basis}",
        ),
        w.line("decl.words"),
    )


def _skus(w: Writer, rules: DanishRules) -> Chapter:
    skus = rules.skus
    third = (("Never", "Free"), ("OnlyDemand", "FreeDemand"))[skus.demandable][skus.third_last_voluntary]
    renaming = [f"skus.{skus.rename}"]
    if skus.rename == "claim":
        claimed = ["claimSelf"] if rules.strict.skus_claim else ["claim", "claimReal"]
        renaming = [f"skus.{one}" for one in (*claimed, "swap" if skus.swap_on_rename else "noSwap")]
    return w.chapter(
        "skus",
        w.passage("skus.free", "skus.show"),
        w.passage("skus.when"),
        w.items(
            "skus.early",
            f"skus.third{third}",
            "skus.secondBarred" if skus.second_last_barred else "skus.secondFree",
            "skus.last",
        ),
        w.passage("skus.demand") if skus.demandable else None,
        w.passage("skus.home"),
        w.passage("skus.led", *renaming),
        w.passage("skus.nobody"),
        w.passage(f"skus.{skus.last_trick_lead}"),
    )


def _during(w: Writer, rules: DanishRules) -> Chapter:
    pay, lost = rules.pay, []
    for card, each, into_cup in (
        ("king", pay.king_lost, pay.king_lost_cup),
        ("pagat", pay.pagat_lost, pay.pagat_lost_cup),
    ):
        cup = into_cup if rules.cups.enabled else 0
        lost.append(w.say(f"during.{card}Lost{'' if cup else 'Plain'}", total=2 * each + cup))
    return w.chapter(
        "during",
        w.passage("during.when"),
        Items((*lost, w.say("during.pagatHome"))),
        w.passage("during.thrown"),
    )


def _last(w: Writer, rules: DanishRules) -> Chapter:
    cups, ultimo = rules.cups.enabled, rules.ultimo
    plain = "" if cups else "Plain"
    more = "More" if cups and rules.bagud.pagat_extra_cup else plain
    fixed = ultimo.king_range == ultimo.pagat_range == ANY_PRICE
    return w.chapter(
        "last",
        w.passage("last.plain"),
        w.items(f"last.king{plain}", f"last.pagat{plain}", pagat=ultimo.pagat + ultimo.pagat_extra),
        w.passage("last.includes" if ultimo.includes_last_trick else "last.onTop", "last.silent"),
        w.items(f"last.kingBagud{plain}", f"last.pagatBagud{more}", pagat=ultimo.pagat + ultimo.pagat_extra),
        w.passage("last.paidToo" if rules.last_trick.paid_with_bagud else "last.notPaidToo"),
        w.passage(f"last.{rules.cups.last_trick_order}", "last.again") if cups else None,
        None if fixed else w.passage("last.ranges"),
    )


def _nolo_and_tout(w: Writer, rules: DanishRules) -> Chapter:
    nolo, tout = rules.nolo, rules.tout
    cancels = (("Neither", "Last"), ("Ultimo", "Both"))[nolo.cancels_ultimo][nolo.cancels_last_trick]
    takes = rules.cups.enabled and tout.takes_cups
    announcements = _announcements(w, rules)
    return w.chapter(
        "nolo",
        w.passage("nolo.nolo", "nolo.noloSilent", total=nolo.pay + nolo.premium),
        w.passage(
            f"nolo.cancels{cancels}",
            "nolo.keepsPaying",
            "nolo.noCount" if nolo.cancels_count else "nolo.count",
        ),
        w.passage(
            "nolo.tout" if takes else "nolo.toutPlain",
            "nolo.noUltimo",
            "nolo.instead" if tout.replaces_last_trick else "nolo.besides",
            "nolo.noNolo" if tout.excludes_nolo else "nolo.alsoNolo",
            f"nolo.tout{capital(tout.count)}",
        ),
        w.passage("nolo.announce") if announcements else None,
        w.grid("nolo.what", "nolo.made", "nolo.failed", rows=announcements) if announcements else None,
    )


def _announcements(w: Writer, rules: DanishRules) -> list[tuple[str, str, str]]:
    """What may be announced, when, and what it brings or costs; a nolo with its premium."""
    prices = [
        ("nolo", one.before_trick, one.win + one.premium, one.lose + one.premium)
        for one in rules.nolo.announce
    ]
    prices += [("tout", one.before_trick, one.win, one.lose) for one in rules.tout.announce]
    rows = []
    for kind, trick, win, lose in prices:
        key = "nolo.atStart" if trick == 1 else "nolo.atTrick"
        said = w.say(key, what=names(w.language).announcement(kind), trick=trick)
        rows.append((said, str(win), str(lose)))
    return rows


def _count(w: Writer, rules: DanishRules) -> Chapter:
    fives = rules.count.mode == "table5"
    balances = ("forehandBalances", "middleBalances")[balancing_place(numbers(rules), w.table)]
    a, b, c = EXAMPLE
    outcome = Outcome(table=w.table, order=(0, 1, 2), king=0, pagat=0, counts=EXAMPLE)
    x, y, z = (signed(points) for points in count_results(rules, outcome).values())
    return w.chapter(
        "count",
        w.passage("count.what"),
        w.passage("count.par", "count.table" if fives else "count.exact"),
        _in_fives(w) if fives else None,
        w.passage("count.all" if rules.count.counters == "all" else f"count.{balances}"),
        w.passage("count.example", a=a, b=b, c=c, x=x, y=y, z=z),
    )


def _in_fives(w: Writer) -> Grid:
    rows = ((f"{step.least}–{step.most}", signed(step.points)) for step in steps())
    return w.grid("count.points", "count.result", rows=rows)


def _fines(w: Writer, rules: DanishRules) -> Chapter:
    fine, strict = rules.fine, rules.strict
    switches = [field for field in structs.fields(strict) if field.type is bool]
    possible = any(getattr(strict, switch.name) for switch in switches)
    return w.chapter(
        "fines",
        w.passage("fines.possible" if possible else "fines.prevented"),
        w.lines(*(f"strict.{switch.encode_name}" for switch in switches)) if possible else None,
        w.passage("fines.fines") if possible else None,
        w.lines(
            "deal.misdeal",
            "deal.misdealPay",
            "deal.objectUntil",
            "fine.wrongCards",
            "fine.wrongSkat",
            "fine.wrongDecl",
            "fine.falseTen" if fine.false_ten else "",
            "fine.missingDecl",
            "fine.earlyDecl",
            "fine.revoke",
            "fine.outOfTurn",
            "fine.wrongDemand",
            "fine.cupsNotMoved",
        ),
        w.passage("fines.cancelled"),
    )
