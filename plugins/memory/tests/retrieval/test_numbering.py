"""Notes of a numbered series, asked for by kind and number."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def series(shelf: Any) -> Any:
    for number, name in ((1, "record-decisions"), (8, "postgres"), (15, "use-x"), (150, "use-y")):
        shelf.write(
            f"docs/decisions/{number:04}-{name}.md", f"# {number}. {name}\n\nWe use what the ADR of 15 March says.\n"
        )
    shelf.write("docs/top.md", "The top 15 things of an ADR, and 15 more.\n")
    shelf.write("meetings/12 budget.md", "Money.\n")
    return shelf


@pytest.mark.parametrize("text", ["ADR 15", "adr-15", "ADR 0015", "decision 15", "what does ADR #15 say", "#15"])
def test_a_number_with_its_kind_finds_the_file_that_is_padded_with_zeros(series: Any, text: str) -> None:
    assert series.ask(text, is_fast=True).hits[0].path == "docs/decisions/0015-use-x.md"


def test_a_folder_gives_the_kind(series: Any) -> None:
    assert series.ask("meeting 12", is_fast=True).hits[0].path == "meetings/12 budget.md"


def test_a_number_of_anything_else_is_no_call(series: Any) -> None:
    assert series.ask("top 15 things", is_fast=True).hits[0].path == "docs/top.md"


def test_a_day_at_the_front_of_a_name_is_no_number(shelf: Any) -> None:
    shelf.write("adr/2018-05-01-tea.md", "We chose tea.\n")
    shelf.write("adr/2018-roadmap.md", "The way of the ADR.\n")
    assert shelf.ask("ADR 2018", is_fast=True).hits[0].path == "adr/2018-roadmap.md"


def test_a_project_that_no_note_has_is_told(shelf: Any) -> None:
    shelf.write("a.md", "---\nproject: bakery\n---\nRye dough.\n")
    answer = shelf.ask("dough", projects=("bakrey",))
    assert not answer.hits and any("Did you mean 'bakery'" in notice for notice in answer.notices)
    assert not any("no project" in notice for notice in shelf.ask("dough", projects=("bakery",)).notices)
