"""What a user is told when something is wrong with what he gave."""

from __future__ import annotations


class Complaint(Exception):
    """What is wrong, in one line; the program ends with status 1."""
