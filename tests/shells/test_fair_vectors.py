"""The page shuffles as the server does: both are held against one file of shuffles."""

from __future__ import annotations

import write_fair_vectors


def test_the_shuffles_that_the_page_is_tested_with_are_those_of_the_server() -> None:
    """If this fails: python tools/write_fair_vectors.py"""
    assert write_fair_vectors.FILE.read_text(encoding="utf-8") == write_fair_vectors.written()
