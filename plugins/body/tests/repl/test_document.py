"""The page about the REPL is made from the table of operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_body.repl.api import BUILT_IN
from aries_body.repl.document import with_table

PAGE = Path(__file__).parents[2] / "docs" / "repl.md"


def test_the_page_has_the_table_of_this_version() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page, BUILT_IN)
    assert all(f"`{group.full_name(one)}(" in page for group in BUILT_IN for one in group.operations)


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="<!-- operations -->"):
        with_table("no marks", BUILT_IN)
