"""What is wrong with a position or a goal can be told in every language."""

from __future__ import annotations

import ast
import pickle
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from ultimo import analysis
from ultimo.analysis.goals import GoalError
from ultimo.analysis.position import PositionError, read
from ultimo.analysis.position.errors import TextError
from ultimo.names import LANGUAGES, UnknownName, tables

SOURCES = Path(analysis.__file__).parent
# where a call has the key of an error among its arguments, and the values that it adds to its own
KEYED: dict[str, tuple[int, set[str]]] = {
    "PositionError": (1, set()),
    "GoalError": (0, set()),
    "error": (0, set()),
    "rest": (1, set()),
    "number": (0, {"text"}),
}
HANDED_ON = ("key", "error.key")  # an argument of the function, or that of another error

each_language = pytest.mark.parametrize("tongue", LANGUAGES)


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def errors() -> Iterator[tuple[ast.expr, set[str]]]:
    """The keys of all errors as they stand in the sources, and the values that go with each."""
    for file in (SOURCES / "goals.py", *sorted((SOURCES / "position").glob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in KEYED:
                    place, more = KEYED[name]
                    if ast.unparse(node.args[place]) not in HANDED_ON:
                        yield node.args[place], more | {str(one.arg) for one in node.keywords}


def test_an_error_has_its_key_as_it_is_and_a_value_for_every_place() -> None:
    """A key that is put together could not be looked up in the sources."""
    found = list(errors())
    assert len(found) > 45
    for key, values in found:
        assert isinstance(key, ast.Constant), ast.unparse(key)
        assert places(tables("en", "positions")[str(key.value)]) == values, key.value


@each_language
def test_every_key_of_the_sources_has_a_sentence_and_every_sentence_is_used(tongue: str) -> None:
    assert set(tables(tongue, "positions")) == {ast.literal_eval(key) for key, _ in errors()}


@each_language
def test_a_translation_has_the_places_of_the_english_sentence(tongue: str) -> None:
    english = tables("en", "positions")
    assert list(tables(tongue, "positions")) == list(english)
    for key, sentence in tables(tongue, "positions").items():
        assert places(sentence) == places(english[key]), key
        assert sentence == sentence.strip() != "", key
        assert not sentence.endswith("."), key


@each_language
def test_a_key_without_a_sentence_is_a_fault_that_is_told(tongue: str) -> None:
    with pytest.raises(UnknownName, match="no name for 'theCatIsOnTheTable'"):
        TextError("theCatIsOnTheTable").told(tongue)


def test_an_error_by_itself_speaks_english() -> None:
    error = PositionError(4, "notASeat", text="X", seats="F M B")
    assert (error.reason, str(error)) == ("“X” is not a seat: F M B", "column 5: “X” is not a seat: F M B")
    assert str(GoalError("oneOrTwoSeats")) == "name one or two seats that play for the goal"


def test_what_was_written_is_told_as_it_was_written() -> None:
    """Braces in it are no places."""
    assert TextError("notHere", text="{seats}").told("de") == "„{seats}“ gehört nicht hierher"


def test_why_the_rules_refuse_a_card_is_told_with_the_letters_of_the_seats() -> None:
    with pytest.raises(PositionError) as error:
        read("french4: S1 / S3 S4 / T5 / H5 H6; A takes garde; trick A S5, C T6")
    assert error.value.told("da") == "C kan ikke have spillet T6: det er B, der har turen: spil et kort"


def test_an_error_survives_the_way_to_another_process() -> None:
    with pytest.raises(PositionError) as caught:
        read("dtf: F S1 / M S3 / B S9 T1; trick F S2, M H4")
    error = caught.value
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.at, back.told("fr")) == (str(error), error.at, error.told("fr"))
