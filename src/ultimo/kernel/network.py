"""A small network in whole numbers: inputs that are on or off, two hidden layers, a value for each action.

Sums of integers are the same on every machine, compiled or not, in whatever order they are made. Several
numbers share a word: eight weights of the first layer, four of the others (`kernel.lanes`).

Between two decisions of a player little changes: for each player the network keeps what was on the last time
and the sums that came of it, and adds only what differs.

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
from ultimo.kernel.lanes import (
    BYTES,
    LONGS,
    SHORTS,
    add_products,
    change_rows,
    cut_down,
    cut_down_long,
    list_some,
    products,
)
from ultimo.kernel.layout import Places
from ultimo.play.following import FIRST_TRUMP, SUIT_BITS

MAGIC = b"ultimo network 1\n"
ON_BITS, ON_WORDS = 32, 48  # inputs in a word, so that none has a sign; and the most words there can be
PLAYERS, HIDDEN_WORDS = 5, 64  # at most; numbers of 16 bits of a hidden layer
KEPT_WORDS = ON_WORDS + HIDDEN_WORDS

# --- where everything lies -----------------------------------------------------------------------------

_place = Places()
INPUTS, FIRST, SECOND, OUTPUTS = _place(), _place(), _place(), _place()  # how many there are of each
FIRST_SHIFT, SECOND_SHIFT = _place(), _place()  # by so many bits a sum is made smaller for the next layer
MARGIN = _place()  # by so much another card must be better than the club's, in units of the values,
WORD_MARGIN = _place()  # and by so much anything but a card that is played
UNIT = _place()  # so many of them are a point
LAST_LAYER = _place()  # where it begins
ON = _place(ON_WORDS)  # paper: which inputs are on, a bit each,
ADDED, REMOVED = _place(ON_WORDS * ON_BITS), _place(ON_WORDS * ON_BITS)  # and which of them are new, or gone
KEPT = _place(PLAYERS * KEPT_WORDS)  # for each player what was on, and the sums of the first layer
PASSED = _place(HIDDEN_WORDS)  # what the first hidden layer passes on, 0 … MOST,
PASSED_AGAIN = _place(HIDDEN_WORDS)  # and the second,
SECOND_SUMS = _place(2 * HIDDEN_WORDS)  # of these sums
WEIGHTS = _place.end  # of each layer what its sums begin with, then its weights, as `packed` puts them

MOST = 255

# --- thinking ------------------------------------------------------------------------------------------


@tight
def think(net: Ints, player: int) -> None:
    """Find what the hidden layers pass on, if `ON` says what is on for a player."""
    width, start = net[FIRST] // SHORTS, WEIGHTS + net[FIRST] // SHORTS
    kept = net[KEPT + KEPT_WORDS * player : KEPT + KEPT_WORDS * (player + 1)]
    changes = _note_changes(net, kept)
    sums, passed = kept[ON_WORDS : ON_WORDS + width], net[PASSED : PASSED + width]
    size = (net[INPUTS] + 1) * net[FIRST] // BYTES
    rows = net[start : start + size]
    change_rows(sums, rows, net[ADDED : ADDED + changes], net[REMOVED : REMOVED + changes])
    cut_down(sums, net[FIRST_SHIFT], MOST, passed)
    start += size
    some = list_some(passed, net[ADDED : ADDED + net[FIRST]])  # more than half of them are zero
    width = net[SECOND] // LONGS
    sums = net[SECOND_SUMS : SECOND_SUMS + width]
    for spot in range(width):
        sums[spot] = net[start + spot]
    start += width
    rows = net[start : start + net[FIRST] * net[SECOND] // SHORTS]
    add_products(sums, rows, passed, net[ADDED : ADDED + some])
    cut_down_long(sums, net[SECOND_SHIFT], MOST, net[PASSED_AGAIN : PASSED_AGAIN + net[SECOND] // SHORTS])


@inlined
def _note_changes(net: Ints, kept: Ints) -> int:
    """Note which inputs are new, and which are gone, and keep what is on; how many there are of each.

    That number is even: an input that is never on, behind the others, fills up.
    """
    added, removed = 0, 0
    for word in range((net[INPUTS] + ON_BITS - 1) // ON_BITS):
        on, was = net[ON + word], kept[word]
        new, gone = on & ~was, was & ~on
        while new:
            net[ADDED + added] = ON_BITS * word + lowest(new)
            new &= new - 1
            added += 1
        while gone:
            net[REMOVED + removed] = ON_BITS * word + lowest(gone)
            gone &= gone - 1
            removed += 1
        kept[word] = on
    most = (max(added, removed) + 1) // 2 * 2
    for spot in range(added, most):
        net[ADDED + spot] = net[INPUTS]
    for spot in range(removed, most):
        net[REMOVED + spot] = net[INPUTS]
    return most


@inlined
def value_of(net: Ints, output: int) -> int:
    """The value of an action, after `think`."""
    width, start = net[SECOND] // SHORTS, net[LAST_LAYER]
    row = start + net[OUTPUTS] + width * output
    passed = net[PASSED_AGAIN : PASSED_AGAIN + width]
    return int(net[start + output] + products(passed, net[row : row + width]))


# --- inputs --------------------------------------------------------------------------------------------


@inlined
def inputs_in(net: Ints, word: int) -> int:
    """Of which inputs 64 are on, a bit each; the last is the sign."""
    return int(net[ON + 2 * word] | net[ON + 2 * word + 1] << ON_BITS)


@inlined
def put_none(net: Ints) -> None:
    """Switch everything off."""
    for word in range(ON_WORDS):
        net[ON + word] = 0


@inlined
def put_bits(net: Ints, start: int, bits: int) -> None:
    """Switch as many as 32 inputs on, a bit each."""
    word, bits = ON + start // ON_BITS, bits << start % ON_BITS
    net[word] |= bits & (1 << ON_BITS) - 1
    net[word + 1] |= bits >> ON_BITS


@inlined
def put_one(net: Ints, spot: int) -> None:
    """Switch one input on."""
    net[ON + spot // ON_BITS] |= 1 << spot % ON_BITS


@inlined
def put_card(net: Ints, start: int, order: int, card: int) -> None:
    """Switch a card on, the cards of a suit by height and the suits in an order of their own."""
    put_one(net, start + card_input(order, card))


@inlined
def put_cards(net: Ints, start: int, order: int, suits: int, trumps: int) -> None:
    """Switch a set of cards on."""
    if suits:
        for suit in range(4):
            put_bits(net, start + 14 * suit_input(order, suit), suits >> 14 * suit & SUIT_BITS)
    put_bits(net, start + FIRST_TRUMP, trumps)


@inlined
def put_suits(net: Ints, start: int, order: int, held: int) -> None:
    """Switch some suits on, a bit each and the trumps last."""
    bits = held & 16
    for suit in range(4):
        bits |= (held >> suit & 1) << suit_input(order, suit)
    put_bits(net, start, bits)


@inlined
def put_steps(net: Ints, start: int, value: int, most: int) -> None:
    """Switch as many inputs on as a number is large, and not more than `most`."""
    put_bits(net, start, (1 << max(0, min(value, most))) - 1)


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
KINDS = ("h", "b"), ("i", "h"), ("i", "h")  # in how many bytes a file has them


def written(head: Mapping[str, Any], layers: Layers) -> bytes:
    """The file of a network; `head` has its sizes and shifts."""
    parts = []
    for (begun, weight), size, numbers in zip(KINDS, head["sizes"][1:], layers, strict=True):
        parts += [_bytes(begun, numbers[:size]), _bytes(weight, numbers[size:])]
    body = b"".join(parts)
    told = {**head, "sha256": sha256(body).hexdigest()}
    return MAGIC + json.dumps(told, sort_keys=True).encode() + b"\n" + body


@cache
def read(path: Path, family: str, inputs: int, outputs: int) -> Ints:
    """The network of a file as a part of `n`; raises `ValueError` if it is not the one that is looked for."""
    head, layers = layers_of(path)
    if head["family"] != family or (head["sizes"][0], head["sizes"][-1]) != (inputs, outputs):
        raise ValueError(f"the network {path.name} was trained for other inputs; train it again")
    return packed(head, layers)


def layers_of(path: Path) -> tuple[dict[str, Any], list[array[int]]]:
    """What a file tells of its network, and of each layer the first sums and the weights row by row."""
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
    at, layers = 0, []
    for (begun, weight), rows, columns in zip(KINDS, head["sizes"], head["sizes"][1:], strict=False):
        for kind, number in ((begun, columns), (weight, rows * columns)):
            size = number * array(kind).itemsize
            layers.append(_numbers(kind, body[at : at + size]))
            at += size
    return head, layers


def packed(head: Mapping[str, Any], layers: Sequence[array[int]]) -> Ints:
    """A network as it lies in `n`.

    Of the first two layers there is a row for each input, to be added up; of the last one for each sum, with
    the weights side by side that are multiplied with what the layer before has passed on.
    """
    inputs, first, second, outputs = head["sizes"]
    if inputs >= ON_BITS * ON_WORDS or max(first, second) > SHORTS * HIDDEN_WORDS:
        raise ValueError(f"a network of {inputs} inputs, {first} and {second} does not fit on its paper")
    first_begun, rows, *parts, begun, last = layers
    parts = [first_begun, rows + array("b", bytes(first)), *parts]  # one more input, which is never on
    last = array("h", (one for column in range(outputs) for one in last[column::outputs]))
    parts += [array("q", begun), last]
    paper, size = zeros(WEIGHTS), outputs * (1 + second // SHORTS)
    weights = ints(array("q", b"".join(part.tobytes() for part in parts)))
    told = (*head["sizes"], *head["shifts"], *head["margins"], head["unit"], WEIGHTS + len(weights) - size)
    for spot, value in enumerate(told):
        paper[spot] = value
    for player in range(PLAYERS):  # nothing is on
        for spot in range(first // SHORTS):
            paper[KEPT + KEPT_WORDS * player + ON_WORDS + spot] = weights[spot]
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
