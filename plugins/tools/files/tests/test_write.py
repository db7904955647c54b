"""What Write keeps of the file it replaces."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from aries_kernel.broker.effects import WritePath
from aries_kernel.errors import ToolFailed

if TYPE_CHECKING:
    from conftest import Bench

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def test_a_new_file_gets_its_folders_and_says_what_was_made(bench: Bench) -> None:
    output = bench.output("Write", path="a/b/c.txt", content="x\ny")
    assert output.text == "Created a/b/c.txt: 2 lines, 3 bytes."
    assert output.changed == (bench.root / "a/b/c.txt",)
    assert (bench.root / "a/b/c.txt").read_bytes() == b"x\ny"


def test_a_new_file_keeps_the_line_ends_of_its_text(bench: Bench) -> None:
    bench.text("Write", path="a.bat", content="x\r\ny\r\n")
    assert (bench.root / "a.bat").read_bytes() == b"x\r\ny\r\n"


def test_a_crlf_file_stays_crlf_and_the_answer_says_so(bench: Bench) -> None:
    bench.file("a.txt", b"a\r\nb\r\n")
    assert bench.text("Write", path="a.txt", content="x\ny\n").endswith("Kept its CRLF line ends.")
    assert (bench.root / "a.txt").read_bytes() == b"x\r\ny\r\n"


def test_a_file_with_mixed_line_ends_takes_the_text_as_it_is(bench: Bench) -> None:
    bench.file("a.txt", b"a\r\nb\n")
    bench.text("Write", path="a.txt", content="x\ny\n")
    assert (bench.root / "a.txt").read_bytes() == b"x\ny\n"


def test_a_byte_order_mark_stays_and_is_not_doubled(bench: Bench) -> None:
    file = bench.file("a.txt", b"\xef\xbb\xbfold")
    bench.text("Write", path="a.txt", content="é")
    assert file.read_bytes() == b"\xef\xbb\xbf\xc3\xa9"
    bench.text("Write", path="a.txt", content="\ufeffnew")
    assert file.read_bytes() == b"\xef\xbb\xbfnew"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_wide_file_stays_wide(bench: Bench, codec: str) -> None:
    file = bench.file("a.txt", "\ufeffold\r\n".encode(codec))
    bench.text("Write", path="a.txt", content="né😀w\n")
    assert file.read_bytes() == "\ufeffné😀w\r\n".encode(codec)


def test_a_latin_1_file_stays_latin_1(bench: Bench) -> None:
    file = bench.file("a.txt", b"caf\xe9\n")
    assert "latin-1" in bench.text("Write", path="a.txt", content="thé\n")
    assert file.read_bytes() == b"th\xe9\n"


def test_text_that_a_latin_1_file_cannot_hold_is_refused(bench: Bench) -> None:
    file = bench.file("a.txt", b"caf\xe9\n")
    with pytest.raises(ToolFailed, match=r"U\+2192"):
        bench.text("Write", path="a.txt", content="→")
    assert file.read_bytes() == b"caf\xe9\n"


def test_a_lone_surrogate_is_refused(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="surrogate"):
        bench.text("Write", path="a.txt", content="\udce9")
    assert not (bench.root / "a.txt").exists()


def test_the_same_content_again_writes_nothing(bench: Bench) -> None:
    bench.text("Write", path="a.txt", content="x\n")
    before = (bench.root / "a.txt").stat().st_ino
    output = bench.output("Write", path="a.txt", content="x\n")
    assert "nothing was written" in output.text and output.changed == ()
    assert (bench.root / "a.txt").stat().st_ino == before


@posix_only
def test_mode_bits_stay(bench: Bench) -> None:
    bench.file("run.sh", b"#!/bin/sh\n").chmod(0o750)
    bench.text("Write", path="run.sh", content="#!/bin/sh\necho\n")
    assert stat.S_IMODE((bench.root / "run.sh").stat().st_mode) == 0o750


@posix_only
def test_a_read_only_file_is_left_alone(bench: Bench) -> None:
    file = bench.file("a.txt", b"x")
    file.chmod(0o444)
    with pytest.raises(ToolFailed, match="read-only"):
        bench.text("Write", path="a.txt", content="y")
    assert file.read_bytes() == b"x"


@posix_only
def test_a_link_inside_stays_a_link_and_its_target_is_written(bench: Bench) -> None:
    target = bench.file("real/a.txt", b"old")
    (bench.root / "link").symlink_to("real/a.txt")
    bench.text("Write", path="link", content="new")
    assert (bench.root / "link").is_symlink() and target.read_bytes() == b"new"


@posix_only
def test_a_dangling_link_inside_makes_its_target(bench: Bench) -> None:
    (bench.root / "link").symlink_to("later/a.txt")
    bench.text("Write", path="link", content="new")
    assert (bench.root / "link").is_symlink() and (bench.root / "later/a.txt").read_bytes() == b"new"


@posix_only
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_to_the_outside_is_named_as_an_outside_write(bench: Bench, tmp_path: Path, exists: bool) -> None:
    target = tmp_path / "outside.txt"
    if exists:
        target.touch()
    (bench.root / "link").symlink_to(target)
    write = bench.tools["Write"]
    assert write.effects(write.arguments(path="link", content="x")) == [WritePath(target)]


@posix_only
def test_a_new_file_below_a_linked_folder_is_named_where_it_would_be(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (bench.root / "folder").symlink_to(tmp_path / "outside")
    write = bench.tools["Write"]
    assert write.effects(write.arguments(path="folder/new/a", content="")) == [WritePath(tmp_path / "outside/new/a")]


def test_a_file_in_place_of_a_folder_is_an_error(bench: Bench) -> None:
    bench.file("a.txt", b"x")
    with pytest.raises(ToolFailed, match=r"file, not a folder|Not a directory"):
        bench.text("Write", path="a.txt/b.txt", content="x")


@posix_only
def test_a_named_pipe_is_not_replaced(bench: Bench) -> None:
    os.mkfifo(bench.root / "pipe")
    with pytest.raises(ToolFailed, match="named pipe"):
        bench.text("Write", path="pipe", content="x")


def test_a_name_of_the_greatest_length_can_be_written(bench: Bench) -> None:
    name = "字" * 85
    bench.text("Write", path=name, content="x")
    assert (bench.root / name).read_bytes() == b"x"
