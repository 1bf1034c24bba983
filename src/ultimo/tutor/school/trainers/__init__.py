"""The trainers: questions of one kind without an end. A module beside this one makes each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ultimo.tutor.school.trainers import bidding, counting, declarations, ecart, inference, score, skat
from ultimo.tutor.school.trainers.trainer import Trainer

__all__ = ["TRAINERS", "Trainer", "UnknownTrainer", "trainer"]

# In the order in which they are shown; who serves both games is shown in both.
_ALL = (declarations, inference, counting, skat, score, bidding, ecart)
TRAINERS: Mapping[str, Trainer] = MappingProxyType({one.TRAINER.id: one.TRAINER for one in _ALL})


class UnknownTrainer(LookupError):
    """An id under which there is no trainer."""


def trainer(name: str) -> Trainer:
    """A trainer by its id, or `UnknownTrainer`."""
    try:
        return TRAINERS[name]
    except KeyError:
        raise UnknownTrainer(name) from None
