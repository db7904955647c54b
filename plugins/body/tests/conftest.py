"""A tree to write into, and the toy language as its pack."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aries_body.index.packs import Packs
from aries_body.index.project import Project

# Workers import the toy language by its name, as they do a real pack.
sys.path.insert(0, str(Path(__file__).parent))

from body_trees import TOYS, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def toys(root: Path, tmp_path: Path) -> Iterator[Callable[..., Project]]:
    """Opens the project at `root`, with files written first; keyword arguments go to `Project.open`."""
    opened: list[Project] = []

    def open_(files: dict[str, str | bytes] | None = None, **more: object) -> Project:
        write(root, files or {})
        options = {"cache_folder": tmp_path / "cache", "packs": Packs(TOYS), **more}
        project = Project.open(root, **options)  # type: ignore[arg-type]
        opened.append(project)
        return project

    yield open_
    for project in opened:
        project.store.close()
