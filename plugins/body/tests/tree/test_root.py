"""The folder that is taken for the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_body.tree.root import find_root, real_root
from aries_kernel.errors import UserError


def test_the_home_folder_what_holds_it_and_the_file_system_are_refused(tmp_path: Path) -> None:
    home = tmp_path / "people" / "me"
    home.mkdir(parents=True)
    for folder in (home, home.parent, Path(home.anchor)):
        with pytest.raises(UserError, match="no project"):
            real_root(folder, home)
    inner = home / "work"
    inner.mkdir()
    assert real_root(inner, home) == inner.resolve()


def test_the_top_of_the_repository_is_found_but_never_above_the_home_folder(tmp_path: Path) -> None:
    home = tmp_path.resolve() / "me"
    work = home / "project" / "src"
    work.mkdir(parents=True)
    (home / ".git").mkdir()
    assert find_root(work, home) == work
    (home / "project" / ".git").mkdir()
    assert find_root(work, home) == home / "project"


def test_a_folder_that_is_not_there_and_a_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        real_root(tmp_path / "nothing", None)
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="no folder"):
        real_root(file, None)
