"""Tables: aligned by what a terminal shows, cut only where it is narrow and only where text is free."""

from __future__ import annotations

import pytest

from aries_kernel.console.table import table
from aries_kernel.console.width import cut, display_width, terminal_width

ROWS = [("notes/a.md", 1, "a long text about the first note"), ("notes/longer.md", 12, "short")]
HEADER = ("NOTE", "LINE", "TEXT")


def test_columns_are_aligned_and_nothing_is_cut_without_a_width() -> None:
    assert table(HEADER, ROWS, free=("TEXT",)).splitlines() == [
        "NOTE             LINE  TEXT",
        "notes/a.md       1     a long text about the first note",
        "notes/longer.md  12    short",
    ]


def test_the_free_column_is_cut_to_what_fits() -> None:
    assert table(HEADER, ROWS, free=("TEXT",), width=40).splitlines() == [
        "NOTE             LINE  TEXT",
        "notes/a.md       1     a long text abou…",
        "notes/longer.md  12    short",
    ]


def test_paths_stay_whole_however_narrow_it_is() -> None:
    lines = table(HEADER, ROWS, free=("TEXT",), width=10).splitlines()
    assert lines[2] == "notes/longer.md  12    short" and lines[1].endswith("a long…")


def test_the_widest_free_column_gives_first_then_all_alike() -> None:
    rows = [("x" * 30, "y" * 20, "id")]
    assert table(("A", "B", "ID"), rows, free=("A", "B"), width=50).splitlines()[1] == f"{'x' * 23}…  {'y' * 20}  id"
    assert table(("A", "B", "ID"), rows, free=("A", "B"), width=30).splitlines()[1] == f"{'x' * 11}…  {'y' * 11}…  id"


def test_wide_characters_count_two_and_marks_none() -> None:
    assert [display_width(text) for text in ("abc", "会议", "e\u0301", "\uff21")] == [3, 4, 1, 2]
    assert table(("A", "B"), [("会议", 1), ("ab", 2)]).splitlines() == ["A     B", "会议  1", "ab    2"]
    assert (cut("会议记录", 5), cut("会议记录", 6), cut("会议记录", 8)) == ("会议…", "会议…", "会议记录")


def test_a_pipe_has_no_width(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal_width() is None
