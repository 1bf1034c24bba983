"""Positions written as a line of text, read and written."""

from ultimo.analysis.position.errors import PositionError
from ultimo.analysis.position.text import NoPosition, letter, read, recorded, seats, write

__all__ = ["NoPosition", "PositionError", "letter", "read", "recorded", "seats", "write"]
