"""Compiled code takes an index as it is (`kernel.linking`): none may count from the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import ultimo

COMPILED = {"tight", "inlined", "always_inlined", "compiled", "concurrent", "shared"}
ROOT = Path(ultimo.__file__).parent


def compiled_functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(one, ast.Name) and one.id in COMPILED for one in node.decorator_list
            ):
                yield path, node


def counts_from_the_end(index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub) for one in parts)


def test_no_index_of_compiled_code_counts_from_the_end() -> None:
    functions = list(compiled_functions())
    assert len(functions) > 500
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript) and counts_from_the_end(node.slice)
    ]
    assert found == []


def test_the_test_sees_such_an_index() -> None:
    assert counts_from_the_end(ast.parse("s[-1]", mode="eval").body.slice)  # type: ignore[attr-defined]
    assert counts_from_the_end(ast.parse("s[row, -1]", mode="eval").body.slice)  # type: ignore[attr-defined]
    assert not counts_from_the_end(ast.parse("s[len(s) - 1]", mode="eval").body.slice)  # type: ignore[attr-defined]
