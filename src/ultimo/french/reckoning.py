"""What a French deal comes to, over plain integers: what the cards count, who has won, and what it is worth.

A side is 1 for the taker's, -1 for the defence, 0 for nobody, so that points times a side are points as the
taker's side sees them. `n` is the rulebook as an array (`numbers`); a pile is two words, as a hand is.
"""

from __future__ import annotations

from ultimo.cards import BOUTS as BOUT_CARDS
from ultimo.french import numbers as rule
from ultimo.play.bits import count
from ultimo.play.counting import honours
from ultimo.play.following import FIRST_TRUMP, Numbers, shared

NOBODY, TAKER, DEFENCE = 0, 1, -1
NO_SEAT = -1
KEPT, LOST, WINS = range(3)  # what becomes of a played excuse
NOT_A_POIGNEE = -1

BOUTS_WORD = BOUT_CARDS >> FIRST_TRUMP
EXCUSE_HALF_POINTS = 9


@shared
def side_of(seat: int, taker: int, partner: int) -> int:
    """The side of a seat; without a partner he is `NO_SEAT`."""
    return TAKER if seat in (taker, partner) else DEFENCE


# --- the cards -----------------------------------------------------------------------------------------


@shared
def counts_chien(n: Numbers, contract: int) -> bool:
    """Whether a chien that stays closed counts for the taker's side.

    Rule: 002 §6.
    """
    return n[rule.CHIEN_GOES + contract] == rule.CHIEN_TAKER


@shared
def pile_half_points(suits: int, trumps: int) -> int:
    """The card points of a pile, in halves: bout and king 9, queen 7, knight 5, jack 3, others 1; 182 in all.

    Rule: 002 §3.
    """
    return 2 * honours(suits, trumps) + count(suits) + count(trumps)


@shared
def pile_bouts(trumps: int) -> int:
    """How many bouts a pile holds.

    Rule: 002 §4.
    """
    return count(trumps & BOUTS_WORD)


@shared
def sweep_of(tricks: int, by_taker: int) -> int:
    """The side that has won every trick so far, if one has; the taker's side has won `by_taker` of them.

    Rule: 002 §11; I-C.19.
    """
    if tricks == 0 or 0 < by_taker < tricks:
        return NOBODY
    return TAKER if by_taker else DEFENCE


@shared
def excuse_takes(n: Numbers, number: int, sweep: int, side: int) -> bool:
    """Whether the excuse of `side` takes trick `number`: the last, after all others went to its side.

    Rule: 002 §9, §11; I-C.10.
    """
    return number == n[rule.HAND] - 1 and sweep == side


@shared
def fate_of_excuse(n: Numbers, number: int, own: bool, itself: bool) -> tuple[int, int]:
    """What became of an excuse played to trick `number`, and whether half a point is owed for it.

    `own` says that its side won the trick, `itself` that the excuse did. Before the last trick its side
    keeps it, and owes half a point if the other side won the trick, whether or not it has a card to give. In
    the last trick it is lost, even if its own side wins that trick, unless it wins the trick itself.
    Rule: 002 §9, §11; I-C.7, I-C.8, I-C.9.
    """
    if number < n[rule.HAND] - 1:
        return KEPT, int(not own)
    if itself:
        return WINS, 0
    return LOST, int(own and n[rule.HALF_RETURNED] != 0)


@shared
def excuse_brings(n: Numbers, number: int, side: int, own: bool, itself: bool) -> tuple[int, int]:
    """The half points and bouts that an excuse which `side` played to trick `number` brings the taker's side.

    The arguments are those of `fate_of_excuse`.
    """
    fate, owed = fate_of_excuse(n, number, own, itself)
    return excuse_share(side, fate, owed)


@shared
def excuse_share(side: int, fate: int, owed: int) -> tuple[int, int]:
    """The half points and the bouts that an excuse played by `side` brings the taker's side.

    Rule: 002 §9.
    """
    if (side == TAKER) != (fate == LOST):
        return EXCUSE_HALF_POINTS - owed, 1
    return owed, 0


@shared
def petit_ends(n: Numbers, number: int, excuse_won: bool) -> bool:
    """Whether a petit won in trick `number` is au bout: in the last, or before an excuse that takes the last.

    Rule: 002 §11, §12; I-C.11, I-C.24.
    """
    return number == n[rule.HAND] - 1 or (excuse_won and number == n[rule.HAND] - 2)


# --- the score -----------------------------------------------------------------------------------------


@shared
def has_won(n: Numbers, half_points: int, bouts: int) -> bool:
    """Whether the taker's side has the points that it needs with these bouts: exactly as many win.

    Rule: 002 §4; I-C.21.
    """
    return half_points >= 2 * n[rule.TARGET + bouts]


@shared
def rounded(half_points: int, won: bool) -> int:
    """Whole points, a half counting for the side that wins: 40½ with 2 bouts is 40, and 41½ is 42.

    Rule: 002 §15, §16; I-C.22.
    """
    return (half_points + 1) // 2 if won else half_points // 2


@shared
def contract_value(n: Numbers, bid: int, half_points: int, bouts: int) -> int:
    """What the contract brings the taker's side from each defender; `bid` is its place on the ladder.

    Rule: 002 §13.
    """
    won = has_won(n, half_points, bouts)
    value = (n[rule.BASE] + abs(rounded(half_points, won) - n[rule.TARGET + bouts])) * n[
        rule.MULTIPLIER + bid
    ]
    return value if won else -value


@shared
def petit_value(n: Numbers, bid: int, side: int) -> int:
    """What the petit au bout brings the taker's side, if `side` has made it.

    Rule: 002 §12, §13.
    """
    return side * n[rule.PETIT_AU_BOUT] * n[rule.MULTIPLIER + bid]


@shared
def poignee_worth(n: Numbers, size: int) -> int:
    """What a poignée of so many trumps is worth; `NOT_A_POIGNEE` if there is none of that size.

    Rule: 002 §10, §15, §16.
    """
    for kind in range(n[rule.POIGNEES]):
        if n[rule.POIGNEE_SIZE + kind] == size:
            return n[rule.POIGNEE_VALUE + kind]
    return NOT_A_POIGNEE


@shared
def poignees_together(n: Numbers, so_far: int, worth: int) -> int:
    """What poignées come to with one more.

    Rule: 002 §10; I-C.12, I-C.20.
    """
    return so_far + worth if n[rule.POIGNEES_ADD_UP] else max(so_far, worth)


@shared
def slam_value(n: Numbers, announced: int, made: int) -> int:
    """What a slam made adds, and what one announced in vain costs; both may happen, and then add up.

    Rule: 002 §11; I-C.26.
    """
    if announced == made:
        return made * n[rule.SLAM_ANNOUNCED]
    return made * n[rule.SLAM_SILENT] + announced * n[rule.SLAM_FAILED]


@shared
def parts(
    n: Numbers, bid: int, half_points: int, bouts: int, petit: int, poignees: int, announced: int, made: int
) -> tuple[int, int, int, int]:
    """What each defender pays, in parts: for the contract, the petit au bout, the poignées, the slam.

    The poignées go to the side that wins, whoever showed them; the bonuses never change who that is.
    Rule: 002 §10, §11, §12, §13.
    """
    return (
        contract_value(n, bid, half_points, bouts),
        petit_value(n, bid, petit),
        poignees if has_won(n, half_points, bouts) else -poignees,
        slam_value(n, announced, made),
    )


# --- who pays whom -------------------------------------------------------------------------------------


@shared
def defender_at(n: Numbers, taker: int, partner: int, place: int) -> int:
    """The seat of a defender, counted from the taker's right, where the partner is passed over."""
    distance = place + 1
    if partner != NO_SEAT and (partner - taker) % n[rule.PLAYERS] <= distance:
        distance += 1
    return (taker + distance) % n[rule.PLAYERS]


@shared
def payments_of(n: Numbers, partner: int) -> int:
    """How many defenders pay, or are paid.

    Rule: 002 §13, §14, §16.
    """
    return n[rule.SHARE_ALONE] if partner == NO_SEAT else n[rule.SHARE_TAKER] + n[rule.SHARE_PARTNER]


@shared
def receiver_at(n: Numbers, taker: int, partner: int, place: int) -> int:
    """Whom a defender pays: the first ones the taker, the rest the partner, as the rulebook shares.

    Rule: 002 §13, §14, §16.
    """
    if partner == NO_SEAT or place < n[rule.SHARE_TAKER]:
        return taker
    return partner
