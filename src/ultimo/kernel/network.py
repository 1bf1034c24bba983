"""A small network in whole numbers: inputs that are on or off, two hidden layers, a value for each action.

Sums of integers are the same on every machine, compiled or not, in whatever order they are made. Several
numbers share a word: eight weights of the first layer, four of the others (`kernel.lanes`).

A network is a part of the array `n`, behind the rulebook, and begins with its sizes and with the paper on
which it thinks; so two threads need two of them. The file it comes from has a line that says what it is, and
a line of JSON with its sizes and a digest; then come the numbers, each in one, two or four bytes. It is read
when a student sits down, and not before.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ultimo.kernel.arrays import ints, joined, zeros
from ultimo.kernel.bits import lowest
from ultimo.kernel.jit import Ints, inlined, tight
from ultimo.kernel.lanes import BYTES, SHORTS, add_rows, cut_down, products, put_short
from ultimo.kernel.layout import Places
from ultimo.play.following import FIRST_TRUMP

MAGIC = b"ultimo network 1\n"

# --- where everything lies -----------------------------------------------------------------------------

_place = Places()
INPUTS, FIRST, SECOND, OUTPUTS = _place(), _place(), _place(), _place()  # how many there are of each
FIRST_SHIFT, SECOND_SHIFT = _place(), _place()  # by so many bits a sum is made smaller for the next layer
MARGIN = _place()  # by so much another card must be better than the club's, in units of the values,
WORD_MARGIN = _place()  # and by so much anything but a card that is played
UNIT = _place()  # so many of them are a point
LAST_LAYER = _place()  # where it begins
ON = _place(384)  # paper: which inputs are on
SUMS = _place(64)  # the sums of the first layer, of 16 bits each,
PASSED, PASSED_AGAIN = _place(64), _place(32)  # and what either hidden layer passes on, 0 … MOST
WEIGHTS = _place.end  # of each layer what its sums begin with, then its weights, as `packed` puts them

MOST = 255

# --- thinking ------------------------------------------------------------------------------------------


@tight
def think(net: Ints, number: int) -> None:
    """Find what the hidden layers pass on, if the first `number` places of `ON` say which inputs are on."""
    width, start = net[FIRST] // SHORTS, WEIGHTS
    sums, passed = net[SUMS : SUMS + width], net[PASSED : PASSED + width]
    for spot in range(width):
        sums[spot] = net[start + spot]
    start += width
    size = net[INPUTS] * net[FIRST] // BYTES
    add_rows(sums, net[start : start + size], net[ON : ON + number])
    cut_down(sums, net[FIRST_SHIFT], MOST, passed)
    start += size
    second = net[PASSED_AGAIN : PASSED_AGAIN + net[SECOND] // SHORTS]
    for spot in range(net[SECOND]):
        row = start + net[SECOND] + width * spot
        total = net[start + spot] + products(passed, net[row : row + width])
        put_short(second, spot, min(max(total, 0) >> net[SECOND_SHIFT], MOST))


@inlined
def value_of(net: Ints, output: int) -> int:
    """The value of an action, after `think`."""
    width, start = net[SECOND] // SHORTS, net[LAST_LAYER]
    row = start + net[OUTPUTS] + width * output
    passed = net[PASSED_AGAIN : PASSED_AGAIN + width]
    return int(net[start + output] + products(passed, net[row : row + width]))


# --- inputs --------------------------------------------------------------------------------------------


@inlined
def put_card(net: Ints, number: int, start: int, order: int, card: int) -> int:
    """Switch a card on, the cards of a suit by height and the suits in an order of their own."""
    net[ON + number] = start + card_input(order, card)
    return number + 1


@inlined
def put_cards(net: Ints, number: int, start: int, order: int, suits: int, trumps: int) -> int:
    """Switch a set of cards on; how many inputs are on now."""
    while suits:
        net[ON + number] = start + card_input(order, lowest(suits))
        suits &= suits - 1
        number += 1
    while trumps:
        net[ON + number] = start + FIRST_TRUMP + lowest(trumps)
        trumps &= trumps - 1
        number += 1
    return number


@inlined
def put_suits(net: Ints, number: int, start: int, order: int, held: int) -> int:
    """Switch some suits on, a bit each and the trumps last."""
    while held:
        net[ON + number] = start + suit_input(order, lowest(held))
        held &= held - 1
        number += 1
    return number


@inlined
def put_steps(net: Ints, number: int, start: int, value: int, most: int) -> int:
    """Switch as many inputs on as a number is large, and not more than `most`."""
    for step in range(min(value, most)):
        net[ON + number] = start + step
        number += 1
    return number


@inlined
def put_one(net: Ints, number: int, spot: int) -> int:
    """Switch one input on."""
    net[ON + number] = spot
    return number + 1


@inlined
def card_input(order: int, card: int) -> int:
    """The place of a card among 78; its suit is put where `order` has it."""
    if card >= FIRST_TRUMP:
        return card
    return 14 * suit_input(order, card // 14) + card % 14


@inlined
def suit_input(order: int, suit: int) -> int:
    """The place of a suit, or the trumps; `order` has four bits for each."""
    return order >> (4 * suit) & 15


@inlined
def order_of(first: int, second: int, third: int, fourth: int) -> int:
    """The order of the suits, the one with the largest number first; the trumps stay behind them."""
    one = int(second > first) + int(third > first) + int(fourth > first)
    two = int(first >= second) + int(third > second) + int(fourth > second)
    three = int(first >= third) + int(second >= third) + int(fourth > third)
    return one | two << 4 | three << 8 | (6 - one - two - three) << 12 | 4 << 16


# --- files ---------------------------------------------------------------------------------------------

Layers = Sequence[Sequence[int]]  # of each layer the first sums, then the weights row by row


def written(head: Mapping[str, Any], layers: Layers) -> bytes:
    """The file of a network; `head` has its sizes and shifts."""
    kinds = ("h", "b"), ("i", "h"), ("i", "h")
    parts = []
    for (begun, weight), size, numbers in zip(kinds, head["sizes"][1:], layers, strict=True):
        parts += [_bytes(begun, numbers[:size]), _bytes(weight, numbers[size:])]
    body = b"".join(parts)
    told = {**head, "sha256": sha256(body).hexdigest()}
    return MAGIC + json.dumps(told, sort_keys=True).encode() + b"\n" + body


@cache
def read(path: Path, family: str, inputs: int, outputs: int) -> Ints:
    """The network of a file as a part of `n`; raises `ValueError` if it is not the one that is looked for."""
    try:
        whole = path.read_bytes()
    except OSError as error:
        raise ValueError(f"the network {path.name} cannot be read: {error.strerror}") from error
    magic, _, rest = whole.partition(b"\n")
    line, _, body = rest.partition(b"\n")
    try:
        head = json.loads(line)
        intact = magic + b"\n" == MAGIC and sha256(body).hexdigest() == head["sha256"]
    except (ValueError, KeyError, TypeError):
        intact = False
    if not intact:
        raise ValueError(f"the network {path.name} is damaged; install Ultimo again")
    if head["family"] != family or (head["sizes"][0], head["sizes"][-1]) != (inputs, outputs):
        raise ValueError(f"the network {path.name} was trained for other inputs; train it again")
    return packed(head, body)


def packed(head: Mapping[str, Any], body: bytes) -> Ints:
    """A network as it lies in `n`.

    Of the first layer there is a row for each input, to be added up; of the others one for each sum, with the
    weights side by side that are multiplied with what the layer before has passed on.
    """
    inputs, first, second, outputs = head["sizes"]
    at, parts = 0, []
    for kind, rows, columns in (
        ("h", 1, first),
        ("b", inputs, first),
        ("i", 1, second),
        ("h", first, second),
        ("i", 1, outputs),
        ("h", second, outputs),
    ):
        size = rows * columns * array(kind).itemsize
        numbers = _numbers(kind, body[at : at + size])
        at += size
        if rows > 1 and kind == "h":
            numbers = array(kind, (one for column in range(columns) for one in numbers[column::columns]))
        parts.append(array("q", numbers) if kind == "i" else numbers)
    paper, last = zeros(WEIGHTS), outputs * (1 + second // SHORTS)
    weights = ints(array("q", b"".join(part.tobytes() for part in parts)))
    told = (*head["sizes"], *head["shifts"], *head["margins"], head["unit"], WEIGHTS + len(weights) - last)
    for spot, value in enumerate(told):
        paper[spot] = value
    return joined(paper, weights)


def _bytes(kind: str, numbers: Sequence[int]) -> bytes:
    made = array(kind, numbers)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _numbers(kind: str, given: bytes) -> array[int]:
    made = array(kind)
    made.frombytes(given)
    if sys.byteorder == "big":
        made.byteswap()
    return made
