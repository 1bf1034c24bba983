"""Positions written as a line of text, read and written."""

from ultimo.analysis.position.scanning import PositionError
from ultimo.analysis.position.text import letter, read, recorded, seats

__all__ = ["PositionError", "letter", "read", "recorded", "seats"]
