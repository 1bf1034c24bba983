"""Whatever a file holds: it is read without loss, or refused with a reason, in bounded time and memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from commands import Done, ultimo
from fuzz import examples
from fuzz.fuzzing import fuzz
from fuzz.mutating import Mutator
from table import Evening
from ultimo import deal, files, record, rulebook
from ultimo.analysis import position
from ultimo.analysis.position import NoPosition, PositionError
from ultimo.club import archive
from ultimo.club.sheet import Refused
from ultimo.names import LANGUAGES
from ultimo.record import Record, RecordError, jsonl, sheet
from ultimo.record.check import IllegalRecord, check
from ultimo.rulebook import RulebookError, Rules
from ultimo.tutor import board
from ultimo.tutor.board import BoardError

LONGEST = 1200  # characters of what is told

pytestmark = pytest.mark.timeout(7200)


def told(error: Exception) -> str:
    """That something was refused: with a reason, a place, and in every language that it speaks."""
    assert str(error).strip()
    match error:
        case RecordError(line=line, column=column):
            assert min(line, column) >= 1, error
            assert len(str(error)) < LONGEST, error
        case PositionError() | Refused():
            assert all(error.told(language).strip() for language in LANGUAGES)
    return "refused"


def ended(done: Done) -> str:
    """How a command has ended: well, or with one line that says why not."""
    if done.status == 0:
        assert not done.err
        return "accepted"
    assert done.status == 1, done
    assert done.err.startswith("ultimo: "), done
    assert done.err.count("\n") == 1, done
    assert len(done.err) < LONGEST, len(done.err)
    return "refused"


def both(found: Counter[str]) -> None:
    """A fuzzer has made what is accepted and what is refused; else it would show little."""
    assert min(found["accepted"], found["refused"]) > found.total() / 50, found


# --- records ---------------------------------------------------------------------------------------------


def read_record(data: bytes) -> str:
    try:
        kept = record.loads(record.decode(data))
    except RecordError as error:
        return told(error)
    for spelling in (jsonl, sheet):
        assert spelling.loads(spelling.dumps(kept)) == kept
    record.loads(record.decode(data, tolerant=True), tolerant=True)
    return _checked(kept)


def _checked(kept: Record) -> str:
    try:
        rules = record.rules_of(kept.header, same=False)
        reached = check(rules, [entry.event for entry in kept.entries])
    except (RecordError, IllegalRecord) as error:
        return told(error)
    if reached.series is not None:
        assert sum(reached.series.totals) + sum(reached.series.cups.values()) == 0
    return "accepted"


def test_records() -> None:
    both(fuzz("records", 600, lambda dice: Mutator(dice, examples.records()).text(), read_record))


@pytest.mark.parametrize("command", ["replay", "convert"])
def test_records_of_commands(command: str) -> None:
    more = ["-", "--to", "jsonl"] if command == "convert" else ["--json"]
    both(
        fuzz(
            command,
            150,
            lambda dice: Mutator(dice, examples.records()).text(),
            lambda data: ended(ultimo(command, "-", *more, given=data)),
        )
    )


def test_saved_games(tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"

    def resumed(data: bytes) -> str:
        file.write_bytes(data)
        return ended(ultimo("play", "--plain", "--level", "random", "--resume", file, given="\n\n\n"))

    both(fuzz("resume", 120, lambda dice: Mutator(dice, examples.saved()).text(), resumed))


def test_proofs() -> None:
    def verified(data: bytes) -> str:
        done = ultimo("verify", "-", given=data)
        assert not (done.status and not done.err and "NOT FAIR" not in done.out), done
        return "unfair" if done.status and done.out else ended(done)

    both(fuzz("verify", 150, lambda dice: Mutator(dice, examples.proofs()).text(), verified))


# --- outcomes --------------------------------------------------------------------------------------------


def test_outcomes() -> None:
    def settled(data: bytes) -> str:
        done = ultimo("settle", "--json", given=data)
        if done.status == 0:
            found = msgspec.json.decode(done.out)
            given = msgspec.json.decode(files.text(data))["outcome"]
            held = sum(given.get(cup, 0) for cup in found["cups"])
            assert sum(found["nets"]) + sum(found["cups"].values()) == held
            assert ended(ultimo("settle", given=data)) == "accepted"
        return ended(done)

    both(fuzz("settle", 500, lambda dice: Mutator(dice, examples.OUTCOMES).text(), settled))


# --- positions -------------------------------------------------------------------------------------------


def test_positions() -> None:
    def placed(data: bytes) -> str:
        text = data.decode(errors="surrogateescape")
        try:
            rules, state = position.read(text)
        except (PositionError, RulebookError) as error:
            return told(error)
        for seat in deal.waiting_for(rules, state):
            assert deal.legal(rules, state, seat)
        try:
            again = position.write(rules, state)
        except NoPosition:
            return "unwritten"
        assert position.write(*position.read(again)) == again
        return "accepted"

    some = [text.encode() for text in examples.POSITIONS]
    both(fuzz("positions", 1200, lambda dice: Mutator(dice, some).text(), placed))


def board_of(text: str, language: str = "en") -> str:
    """What comes of a text on the analysis board: it is read, kept, and read again."""
    try:
        line, moves, comments = board.recorded(text, language)
        kept = board.record(line, moves, comments, language)
    except BoardError as error:
        return told(error)
    assert board.record(*board.recorded(kept)) == kept
    return "accepted"


def test_records_on_the_board() -> None:
    def make(dice: Random) -> str:
        return Mutator(dice, [*examples.records(), *examples.KEPT]).text().decode(errors="surrogateescape")

    both(fuzz("board", 150, make, board_of))


# --- rulebooks -------------------------------------------------------------------------------------------


def plays(rules: Rules) -> None:
    """A deal under these rules comes to an end, and nothing is lost on the way."""
    size = rules.sizes[0]
    evening = Evening(rules, size)
    evening.play_deal(Random(1))
    assert sum(evening.state.totals) + sum(evening.state.cups.values()) == 0
    if rules.id in rulebook.ids():
        kept = Record(record.header(rules, size), tuple(map(record.Entry, evening.log)))
        assert record.loads(sheet.dumps(kept)) == kept


def test_rulebooks(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"

    def loaded(data: bytes) -> str:
        file.write_bytes(data)
        try:
            rules = rulebook.load_file(file)
        except RulebookError as error:
            return told(error)
        assert rulebook.digest(rules)
        plays(rules)
        return "accepted"

    both(fuzz("rulebooks", 300, lambda dice: Mutator(dice, examples.rulebooks()).text(), loaded))


def test_house_rules() -> None:
    """Parameters of every book with another value: refused, or playable."""

    def ruled(one: tuple[str, dict[str, object]]) -> str:
        book, house = one
        try:
            rules = rulebook.load(book, house)
        except RulebookError as error:
            return told(error)
        assert rulebook.load(book, rulebook.overrides(rules)) == rules
        plays(rules)
        return "accepted"

    def make(dice: Random) -> tuple[str, dict[str, object]]:
        book = dice.choice(rulebook.ids())
        own = rulebook.parameters(rulebook.load(book))
        some = dice.sample(sorted(own), dice.choice((1, 1, 2)))
        mutator = Mutator(dice, [b""])
        return book, {key: mutator.value(own[key], 2) for key in some}

    both(fuzz("house", 400, make, ruled))


# --- the club --------------------------------------------------------------------------------------------


def test_sheets() -> None:
    both(
        fuzz(
            "sheets",
            300,
            lambda dice: Mutator(dice, examples.sheets()).text(),
            lambda data: ended(ultimo("sheet", "-", given=data)),
        )
    )


def test_clubs() -> None:
    _, file = examples.club()

    def listed(data: bytes) -> str:
        done = ultimo("club", "-", given=data)
        if done.status == 0:
            whole = archive.read(files.text(data))
            assert archive.read(archive.export(whole)) == whole
            assert archive.read(archive.export(archive.portable(whole)))
            ultimo("club", "-", "--chronicle", given=data)
        return ended(done)

    both(fuzz("clubs", 200, lambda dice: Mutator(dice, [file]).text(), listed))


def test_results_of_the_past() -> None:
    club, _ = examples.club()

    def imported(data: bytes) -> str:
        found = archive.parse(club, data.decode(errors="replace"))
        for fault in found.faults:
            assert all(fault.told(language) for language in LANGUAGES)
        if found.faults:
            return "refused"
        try:
            archive.facts_of(club, found, "", "k", 1.0)
        except Refused as refused:
            return told(refused)
        return "accepted"

    both(fuzz("results", 1500, lambda dice: Mutator(dice, examples.CSV).text(), imported))


def test_boards() -> None:
    both(
        fuzz(
            "boards",
            150,
            lambda dice: Mutator(dice, examples.boards()).text(),
            lambda data: ended(ultimo("deals", "show", "-", given=data)),
        )
    )


def test_plans() -> None:
    both(
        fuzz(
            "plans",
            150,
            lambda dice: Mutator(dice, examples.plans()).text(),
            lambda data: ended(ultimo("seating", 9, "--plan", "-", "--steps", 50, given=data)),
        )
    )
