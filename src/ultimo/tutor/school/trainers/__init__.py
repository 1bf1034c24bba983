"""The trainers: questions of one kind without an end. A module beside this one makes each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ultimo.tutor.school.trainers import declarations
from ultimo.tutor.school.trainers.trainer import Trainer

__all__ = ["TRAINERS", "Trainer", "UnknownTrainer", "trainer"]

# In the order in which they are shown, those of one game after those of the other.
TRAINERS: Mapping[str, Trainer] = MappingProxyType({one.id: one for one in (declarations.TRAINER,)})


class UnknownTrainer(LookupError):
    """An id under which there is no trainer."""


def trainer(name: str) -> Trainer:
    """A trainer by its id, or `UnknownTrainer`."""
    try:
        return TRAINERS[name]
    except KeyError:
        raise UnknownTrainer(name) from None
