"""The players of the compiled loops, numbered alike in both families, and what the random one draws.

`RANDOM`, `LOWEST` and `HIGHEST` need nothing but the deal; from `BEGINNER` on they look at the table. The
random player draws as `play.choices` does: a kind of action as likely as another, and within it each alike.
"""

from __future__ import annotations

from ultimo.kernel.bits import count, either, select
from ultimo.kernel.dice import draw
from ultimo.kernel.jit import Words, inlined
from ultimo.play.following import FIRST_TRUMP, PACK_SIZE

RANDOM, LOWEST, HIGHEST, BEGINNER, CLUB = range(5)
POLICIES = {"random": RANDOM, "lowest": LOWEST, "highest": HIGHEST, "beginner": BEGINNER, "club": CLUB}


@inlined
def any_card(suits: int, trumps: int, dice: Words) -> tuple[int, int, int]:
    """One of some cards, each as likely as another: its number, and itself in two words, one of them empty.

    What card falls is nothing that a processor can foresee, and so nothing is asked: the dice are thrown also
    where there is but one.
    """
    of_suits = count(suits)
    nth = draw(dice, of_suits + count(trumps))
    tarok = nth >= of_suits
    bit = select(either(tarok, trumps, suits), nth - either(tarok, of_suits, 0))
    return bit + either(tarok, FIRST_TRUMP, 0), either(tarok, 0, 1 << bit), either(tarok, 1 << bit, 0)


@inlined
def any_action(suits: int, trumps: int, words: int, dice: Words) -> int:
    """Any action: all cards together are one kind, and each of the others is one."""
    if words:
        others = count(words)
        kind = draw(dice, others + (1 if suits | trumps else 0))
        if kind < others:
            return PACK_SIZE + select(words, kind)
    card, _, _ = any_card(suits, trumps, dice)
    return card
