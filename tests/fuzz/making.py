"""Values of any type that the server reads, made at random: they have the right form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import inspect as types

from fuzz.mutating import NUMBERS, WORDS

DEEPEST: Final = 6
SMALL: Final = (0, 1, 2, 3, 4, 5, 10, 78)
PATTERNS: Final = {"^[A-Za-z0-9_-]+$": "command-1", "^[0-9a-f]{64}$": "ab" * 32}


class Maker:
    """Makes values; `known` are strings that mean something, by the names of fields."""

    def __init__(self, dice: Random, known: Mapping[str, Sequence[Any]] | None = None) -> None:
        self.dice, self.known = dice, known or {}

    def value(self, kind: Any) -> Any:
        """A value of a type, as JSON has it."""
        return self._of(types.type_info(kind), 0)

    def _of(self, kind: types.Type, depth: int) -> Any:
        dice = self.dice
        match kind:
            case types.StructType():
                return self._struct(kind, depth)
            case types.UnionType(types=kinds):
                return self._of(dice.choice(kinds), depth)
            case types.IntType(ge=least, le=most):
                low, high = least if least is not None else -1, most if most is not None else 10**6
                return dice.choice([low, high, *(one for one in (*SMALL, *NUMBERS) if low <= one <= high)])
            case types.FloatType():
                return dice.choice((0, 0.5, 1e9, -1.0, 1e300))
            case types.StrType():
                text = str(dice.choice([*WORDS[:-1], "Karen", "hermansen", "2026-01-10", "dtf"]))
                text = PATTERNS.get(kind.pattern or "", text) if dice.random() < 0.95 else text
                return text[: kind.max_length or 100].ljust(kind.min_length or 0, "x")
            case types.LiteralType(values=values):
                return dice.choice(values)
            case types.EnumType(cls=cls):
                return dice.choice([one.value for one in cls])
            case types.BoolType():
                return dice.random() < 0.5
            case types.NoneType():
                return None
            case types.TupleType(item_types=kinds):
                return [self._of(one, depth + 1) for one in kinds]
            case (
                types.ListType(item_type=one)
                | types.VarTupleType(item_type=one)
                | types.FrozenSetType(item_type=one)
            ):
                many = 0 if depth > DEEPEST else dice.choice((0, 1, 2, 3, 4, 25))
                return [self._of(one, depth + 1) for _ in range(many)]
            case types.DictType(key_type=key, value_type=one):
                many = 0 if depth > DEEPEST else dice.choice((0, 1, 3))
                return {str(self._of(key, depth + 1)): self._of(one, depth + 1) for _ in range(many)}
        return dice.choice((None, 1, "x", [], {}, True, 0.5))

    def _struct(self, kind: types.StructType, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {kind.tag_field: kind.tag} if kind.tag_field else {}
        for field in kind.fields:
            if field.required or (depth < DEEPEST and self.dice.random() < 0.5):
                name = field.encode_name
                if (some := self.known.get(name)) and self.dice.random() < 0.8:
                    found[name] = self.dice.choice(some)
                else:
                    found[name] = self._of(field.type, depth + 1)
        return found
