"""How to play French Tarot: which sentences are said for which rules, in the order of a deal."""

from __future__ import annotations

from collections.abc import Iterator

from ultimo.french.outcome import Outcome
from ultimo.french.settlement import score
from ultimo.names import names
from ultimo.rulebook import FrenchRules
from ultimo.telling.writer import Chapter, Writer

RANKS = ("K", "Q", "N", "J", *range(10, 0, -1))
RANK = {"queen": "Q", "knight": "N", "jack": "J"}
ENDS = {0: "noEnds", 1: "end"}  # how many cards at each end of the pack stay out of the chien
EXAMPLE_BOUTS = 2
EXAMPLE_AHEAD = 6  # points more than are needed


def french(w: Writer, rules: FrenchRules) -> Iterator[Chapter]:
    """The chapters of a book of French Tarot."""
    called = rules.call.card != "none"
    yield w.chapter(
        "aim",
        w.passage("aim.partner" if called else "aim.alone", others=rules.players - 1),
        w.passage("aim.win"),
        w.passage("aim.bouts"),
    )
    yield w.chapter(
        "cards",
        w.passage("cards.suits", "cards.order"),
        w.passage("cards.trumps", "cards.excuse"),
        w.cards(
            rowSuit=[f"H{rank}" for rank in RANKS],
            rowTrumps=[f"T{number}" for number in range(21, 0, -1)],
            rowExcuse=["T0"],
            rowBouts=["T21", "T1", "T0"],
        ),
        w.worth({"four": "4½", "three": "3½", "two": "2½", "one": "1½", "half": "½"}),
        w.passage("cards.total"),
    )
    yield w.chapter(
        "deal",
        w.passage("deal.all", f"deal.{rules.deal.first_dealer}", "deal.next"),
        w.passage("deal.deal", f"deal.{ENDS.get(rules.deal.chien_forbidden_ends, 'ends')}"),
        w.passage(f"deal.{rules.deal.shuffle}"),
        w.passage("deal.petitSec" if rules.deal.petit_sec == "redeal" else "deal.petitPlayed"),
        w.lines("table.mort") if rules.table.mort else None,
    )
    yield _bids(w, rules)
    if called:
        yield _call(w, rules)
    yield _chien(w, rules)
    yield _shows(w, rules)
    yield w.chapter(
        "play",
        w.passage("play.lead"),
        w.passage("play.follow", "play.trump"),
        w.passage("play.over"),
        w.passage("play.win"),
    )
    yield w.chapter(
        "excuse",
        w.passage("excuse.free", "excuse.led"),
        w.passage("excuse.kept"),
        w.passage("excuse.lost", f"excuse.{rules.excuse.last_trick_return}", "excuse.wins"),
    )
    yield w.chapter(
        "count",
        w.passage("count.how", "count.partner" if called else ""),
        w.grid("count.bouts", "count.needed", rows=[(b, str(n)) for b, n in sorted(rules.target.items())]),
        w.passage("count.exactly", f"count.{rules.round}"),
    )
    yield _score(w, rules, called)
    yield w.chapter("end", w.passage("end.text"))


def _bids(w: Writer, rules: FrenchRules) -> Chapter:
    words = names(w.language)
    rows = ((words.bid(row.id), f"{row.mult}", w.say(f"bids.{row.chien}")) for row in rules.bid.ladder)
    return w.chapter(
        "bids",
        w.passage("bids.how"),
        w.grid("bids.head", "bids.times", "bids.chien", rows=rows),
    )


def _call(w: Writer, rules: FrenchRules) -> Chapter:
    after = "after" if rules.call.restrict_after_excuse else "notAfter"
    ban = ("call.ban", f"call.{after}") if rules.call.first_lead_ban else ("call.noBan",)
    ranks = [names(w.language).words[f"ranks.{RANK[rank]}"] for rank in rules.call.fallback]
    return w.chapter(
        "call",
        w.passage("call.king", "call.lower" if ranks else "call.onlyKing", ranks=ranks),
        w.passage("call.alone"),
        w.passage(*ban),
    )


def _chien(w: Writer, rules: FrenchRules) -> Chapter:
    words = names(w.language)
    taken = [words.bid(row.id) for row in rules.bid.ladder if row.chien == "taken"]
    closed = [words.bid(row.id) for row in rules.bid.ladder if row.chien != "taken"]
    review = "chien.review" if rules.ecart.review else "chien.noReview"
    return w.chapter(
        "chien",
        w.passage("chien.taken", "chien.barred", review, taken=taken) if taken else None,
        w.passage("chien.closed", closed=closed) if closed else None,
    )


def _shows(w: Writer, rules: FrenchRules) -> Chapter:
    words, shown, slam = names(w.language), rules.poignee, rules.slam
    sizes = enumerate(zip(shown.sizes, shown.values, strict=False))
    shows = [(words.poignee(place), str(size), str(worth)) for place, (size, worth) in sizes]
    prices = (("announced", slam.announced), ("silent", slam.silent), ("failed", slam.failed))
    slams = ((w.say(f"shows.{what}"), f"{price:+d}".replace("-", "−")) for what, price in prices)
    return w.chapter(
        "shows",
        w.passage("shows.poignee"),
        w.grid("shows.head", "shows.trumps", "shows.worth", rows=shows),
        w.passage("shows.whose", "shows.excuse", f"shows.{shown.multiple}", f"shows.{shown.ecart_trump}"),
        w.passage("shows.slam", "shows.defenders" if slam.defenders_may_announce else ""),
        w.grid("shows.slamHead", "shows.slamPays", rows=slams),
    )


def _score(w: Writer, rules: FrenchRules, called: bool) -> Chapter:
    """The score as a formula, and an example that the engine has worked out."""
    row = rules.bid.ladder[min(1, len(rules.bid.ladder) - 1)]
    points = rules.target[str(EXAMPLE_BOUTS)] + EXAMPLE_AHEAD  # type: ignore[index]
    outcome = Outcome(
        players=rules.players,
        taker=0,
        bid=row.id,
        half_points=2 * points,
        bouts=EXAMPLE_BOUTS,
        petit_au_bout="taker",
    )
    scored, share = score(rules, outcome), rules.share
    return w.chapter(
        "score",
        w.passage("score.base"),
        w.passage("score.petit", "score.petitSlam"),
        w.passage("score.add"),
        w.items("score.formula"),
        w.passage(
            "score.example",
            "score.each",
            "score.sharePartner" if called else "score.shareAlone",
            "score.lost",
            bid=names(w.language).bid(row.id),
            points=points,
            needed=scored.needed,
            difference=scored.difference,
            petit=rules.petit_au_bout,
            mult=row.mult,
            value=scored.value,
            taker=share.taker * scored.value,
            partner=share.partner * scored.value,
            all=(share.taker + share.partner) * scored.value,
            total=share.alone * scored.value,
        ),
        w.lines("fine.fault") if rules.fine.fault != "none" else None,
    )
