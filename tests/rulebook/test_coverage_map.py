"""The map from the specification to tests and code is complete and up to date."""

from __future__ import annotations

import coverage_map


def test_the_specification_has_its_274_cases_and_all_interpretations() -> None:
    """So that a case that the reader of the specification overlooks does not go unnoticed."""
    assert len(coverage_map.cases()) == 274
    assert len(coverage_map.interpretations()) == 138


def test_every_case_and_interpretation_has_a_test_and_code_and_the_map_is_up_to_date(
    cites: dict[str, list[str]] | None,
) -> None:
    of_cases, of_interpretations = coverage_map.whole_map(cites)
    assert coverage_map.gaps(of_cases) == []
    assert coverage_map.gaps(of_interpretations) == []
    assert coverage_map.MAP.read_text(encoding="utf-8") == coverage_map.markdown(of_cases, of_interpretations)


def test_an_interpretation_is_decided_in_one_function() -> None:
    """Engine, kernel, searches and sampler ask the same function; exceptions stand in docs/coverage.toml."""
    several = coverage_map.decided_several_times()
    allowed = coverage_map.allowed_several_times()
    assert {number: several[number] for number in several if number not in allowed} == {}
    assert set(allowed) <= set(several), "an exception that is none any more"
    assert len(allowed) <= 8
