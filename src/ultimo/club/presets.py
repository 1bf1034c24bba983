"""Tournaments as the federations hold them, to begin from; docs/tournaments.md has the sources."""

from __future__ import annotations

from typing import Final

from ultimo.club.tournament import Terms

PRESETS: Final[dict[str, Terms]] = {
    "danish-championship": Terms(rules="dtf", rounds=2, deals=12),
    "french-individual": Terms(rules="fft4", rounds=6, deals=4),
    "french-triplette": Terms(rules="fft4", rounds=4, deals=4, kind="triplette", sizes=(4,)),
    "french-quadrette": Terms(rules="fft4", rounds=4, deals=4, kind="quadrette", sizes=(4,)),
    "french-duplicate": Terms(rules="fft4", rounds=6, deals=4, kind="duplicate", sizes=(4,)),
}
