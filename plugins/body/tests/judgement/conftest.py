"""Projects with real code, as files of tests about judgement share them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from body_trees import write

from aries_body.operations.codebase import Codebase


@pytest.fixture
def ask(root: Path, tmp_path: Path) -> Iterator[Callable[..., Codebase]]:
    """Opens the project with files written first; what it keeps is kept for the next one."""
    opened: list[Codebase] = []

    def open_(files: dict[str, str | bytes]) -> Codebase:
        write(root, files)
        opened.append(Codebase.open(root, cache_folder=tmp_path / "cache"))
        return opened[-1]

    yield open_
    for codebase in opened:
        codebase.close()
