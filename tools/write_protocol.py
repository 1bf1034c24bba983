"""Write the types of the protocol for the page: `python tools/write_protocol.py`.

The page is told by the same definitions that the server speaks: every struct becomes a type of its own, with
the field that tags it, and its docstring.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as types

from ultimo import cards, events
from ultimo.answers import payloads, sheet_payloads
from ultimo.server import club_payloads, tournament_payloads
from ultimo.table import boarding, guiding, messages, settings
from ultimo.table.scene import AnyOffer, Help, Level, Moment, Tag, Tempo
from ultimo.telling.writer import Block
from ultimo.tutor import shown
from ultimo.tutor.grades import Grade
from ultimo.tutor.school import exercises

FILE = Path(__file__).parents[1] / "web" / "src" / "protocol.ts"
HEAD = "// The protocol between page and server, written by tools/write_protocol.py: `make protocol`.\n"
# Unions and literals have no name of their own; these keep the one they have in Python.
NAMED: dict[str, Any] = {
    "PageMessage": messages.PageMessage,
    "ServerMessage": messages.ServerMessage,
    "Wish": messages.Wish,
    "Action": events.Action,
    "AnyOffer": AnyOffer,
    "Moment": Moment,
    "Tag": Tag,
    "Level": Level,
    "Tempo": Tempo,
    "Help": Help,
    "Grade": Grade,
    "Suit": cards.Suit,
    "Cup": events.Cup,
    "Account": events.Account,
    "Language": payloads.Language,
    "Block": Block,
    "Widget": exercises.Widget,
    "AnyClubWish": club_payloads.AnyClubWish,
    "AnyTournamentWish": tournament_payloads.AnyTournamentWish,
}
# Structs whose own name the page has for something else.
CALLED: dict[type, str] = {
    exercises.Choice: "ChoiceWidget",
    exercises.Number: "NumberWidget",
    exercises.Pick: "PickWidget",
}


def protocol() -> str:
    """The whole file: the named unions, then every struct they or the payloads reach."""
    roots: list[Any] = [*NAMED.values(), settings.Settings]
    told = payloads, shown, boarding, guiding, sheet_payloads, club_payloads, tournament_payloads
    roots += chain.from_iterable(map(_structs_of, told))
    infos = types.multi_type_info(roots)
    named: dict[str, str] = {}
    for name, info in zip(NAMED, infos, strict=False):
        named[_spelled(info, named)] = name
    structs: dict[str, types.StructType] = {}
    for info in _reached(infos):
        if structs.setdefault(_called(info), info) is not info:
            raise TypeError(f"two structs are called {_called(info)}: give one of them a name in CALLED")
    unions = [f"export type {name} = {spelled};\n" for spelled, name in named.items()]
    return "\n".join([HEAD, "".join(unions), *(_declared(info, named) for info in structs.values())])


def _structs_of(module: Any) -> list[type[msgspec.Struct]]:
    own = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    return [value for value in own if isinstance(value, type) and issubclass(value, msgspec.Struct)]


def _reached(infos: Iterable[types.Type]) -> Iterator[types.StructType]:
    """Every struct below these types, in the order in which a reader meets them."""
    seen: set[type] = set()
    waiting = list(infos)
    while waiting:
        info = waiting.pop(0)
        if isinstance(info, types.StructType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            if info.fields or info.tag_field:
                yield info
        waiting = [*_parts(info), *waiting]


def _parts(info: types.Type) -> tuple[types.Type, ...]:
    match info:
        case types.Metadata():
            return (info.type,)
        case types.UnionType():
            return info.types
        case types.VarTupleType() | types.ListType():
            return (info.item_type,)
        case types.TupleType():
            return info.item_types
        case types.DictType():
            return (info.value_type,)
        case types.StructType():
            return tuple(field.type for field in info.fields)
        case _:
            return ()


def _called(info: types.StructType) -> str:
    return CALLED.get(info.cls, info.cls.__name__)


def _declared(info: types.StructType, named: dict[str, str]) -> str:
    """A struct as a type. A default is left out where the struct says so, or in what the page alone sends."""
    config = info.cls.__struct_config__
    sparse = config.omit_defaults or config.forbid_unknown_fields
    tag = [f"  {info.tag_field}: {json.dumps(info.tag)};"] if info.tag_field else []
    fields = [
        f"  {field.encode_name}{'' if field.required or not sparse else '?'}: {_spelled(field.type, named)};"
        for field in info.fields
    ]
    doc = (info.cls.__doc__ or "").split("\n")[0]
    return "\n".join([f"/** {doc} */", f"export type {_called(info)} = {{", *chain(tag, fields), "};\n"])


def _spelled(info: types.Type, named: dict[str, str]) -> str:
    """A type as TypeScript spells it."""
    match info:
        case types.Metadata():
            text = _spelled(info.type, named)
        case types.StructType():
            return _called(info)
        case types.UnionType():
            some = [one for one in info.types if not isinstance(one, types.NoneType)]
            inner = _named(" | ".join(_spelled(one, named) for one in some), named)
            text = inner if len(some) == len(info.types) else f"{inner} | null"
        case types.LiteralType():
            text = " | ".join(json.dumps(value) for value in info.values)
        case types.EnumType():
            text = "string"  # a card, in notation
        case types.VarTupleType() | types.ListType():
            item = _spelled(info.item_type, named)
            text = f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case types.TupleType():
            text = f"readonly [{', '.join(_spelled(one, named) for one in info.item_types)}]"
        case types.DictType():
            text = f"Record<string, {_spelled(info.value_type, named)}>"
        case types.IntType() | types.FloatType():
            text = "number"
        case types.StrType():
            text = "string"
        case types.BoolType():
            text = "boolean"
        case types.NoneType():
            text = "null"
        case types.AnyType():
            text = "unknown"
        case _:
            raise TypeError(f"the page has no type for {info}: teach tools/write_protocol.py to spell it")
    return _named(text, named)


def _named(text: str, named: dict[str, str]) -> str:
    return named.get(text, text)


def main() -> None:
    """Write the file."""
    FILE.write_text(protocol(), encoding="utf-8")


if __name__ == "__main__":
    main()
