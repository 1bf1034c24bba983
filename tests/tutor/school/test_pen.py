"""What writes the texts of a lesson."""

from __future__ import annotations

from ultimo.rulebook import load
from ultimo.tutor.school.parts import Pen


def test_a_number_has_the_comma_of_its_language() -> None:
    written = {language: Pen(load("dtf"), language).decimal(1.25) for language in ("en", "da", "fr", "de")}
    assert written == {"en": "1.2", "da": "1,2", "fr": "1,2", "de": "1,2"}
