"""A new file is whole, and never replaces one that is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.atomic import create_file


def test_it_writes_all_chunks_and_leaves_nothing_else(tmp_path: Path) -> None:
    create_file(tmp_path / "a", iter([b"one", b"two"]))
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a", b"onetwo")]


def test_a_name_that_is_taken_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("a", "link"):
        with pytest.raises(FileExistsError):
            create_file(tmp_path / name, [b"new"])
    assert (tmp_path / "a").read_bytes() == b"old"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "link"]


def test_content_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        create_file(tmp_path / "a", broken())
    assert list(tmp_path.iterdir()) == []
