"""What Read shows, and what it says about what it does not show."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aries_kernel.errors import ToolFailed

if TYPE_CHECKING:
    from conftest import Bench

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def test_lines_are_numbered_and_nothing_is_added_to_a_short_file(bench: Bench) -> None:
    bench.file("a.txt", b"one\ntwo\n")
    assert bench.text("Read", path="a.txt") == "1\tone\n2\ttwo"


def test_a_window_says_where_it_is_and_how_to_go_on(bench: Bench) -> None:
    bench.file("a.txt", b"".join(b"line %d\n" % number for number in range(1, 11)))
    answer = bench.text("Read", path="a.txt", offset=3, limit=2)
    assert answer == "[lines 3-4 of 10; go on with offset=5]\n3\tline 3\n4\tline 4"


def test_windows_one_after_the_other_show_every_line_once(bench: Bench) -> None:
    lines = [f"{number} " + "x" * (number % 300) for number in range(5_000)]
    bench.file("a.txt", "\n".join(lines).encode())
    seen: list[str] = []
    while len(seen) < len(lines):
        answer = bench.text("Read", path="a.txt", offset=len(seen) + 1)
        seen += [line.split("\t", 1)[1] for line in answer.split("\n") if not line.startswith("[")]
    assert seen == lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_ends_a_line(bench: Bench, end: str) -> None:
    bench.file("a.txt", end.join(["a", "b", "c"]).encode())
    assert bench.text("Read", path="a.txt") == "1\ta\n2\tb\n3\tc"


def test_mixed_line_ends_count_once_each(bench: Bench) -> None:
    bench.file("a.txt", b"a\r\nb\rc\n\nd\r\r\n")
    assert bench.text("Read", path="a.txt") == "1\ta\n2\tb\n3\tc\n4\t\n5\td\n6\t"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.sampled_from(["a", "é", "\n", "\r", "\r\n", "x" * 700]), max_size=60), st.integers(1, 20))
def test_a_window_shows_the_lines_it_names(bench: Bench, pieces: list[str], offset: int) -> None:
    text = "".join(pieces)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    bench.file("a.txt", text.encode())
    if offset > max(len(lines), 1):
        with pytest.raises(ToolFailed, match=rf"{len(lines)} lines|empty") if lines else pytest.raises(AssertionError):
            assert bench.text("Read", path="a.txt", offset=offset) != "[empty file]"
        return
    answer = bench.text("Read", path="a.txt", offset=offset)
    shown = [line.split("\t", 1)[1] for line in answer.split("\n") if not line.startswith("[")]
    assert [one[:600] for one in shown] == [one[:600] for one in lines[offset - 1 :]]


def test_a_line_across_blocks_of_the_stream_stays_one_line(bench: Bench) -> None:
    head = b"x" * ((1 << 20) - 1)
    bench.file("a.txt", head + b"\r\nsecond\n" + b"y" * (1 << 20) + b"\nlast")
    answer = bench.text("Read", path="a.txt", offset=2)
    assert "2\tsecond\n" in answer and answer.endswith("4\tlast")


def test_a_very_long_line_is_cut_with_a_mark(bench: Bench) -> None:
    bench.file("a.txt", b"x" * 2_000_000 + b"\nnext\n")
    answer = bench.text("Read", path="a.txt")
    assert "… [line of 2,000,000 bytes]" in answer and answer.endswith("2\tnext") and len(answer) < 3_000


def test_a_file_of_gigabytes_is_read_in_a_window(bench: Bench) -> None:
    file = bench.file("big.log", b"first\n" * 2_000)
    with file.open("r+b") as opened:
        opened.truncate(6 << 30)
    answer = bench.text("Read", path="big.log", limit=2)
    assert answer.startswith("[lines 1-2 of more than ") and answer.endswith("1\tfirst\n2\tfirst")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-32"])
def test_wide_text_is_shown_and_named(bench: Bench, codec: str) -> None:
    text = "é→😀\nzwei\n"
    bench.file("a.txt", ("\ufeff" + text).encode(codec) if codec.endswith("be") else text.encode(codec))
    answer = bench.text("Read", path="a.txt")
    assert answer == f"[{codec[:6].upper()} file]\n1\té→😀\n2\tzwei"


def test_a_byte_order_mark_is_named_not_shown(bench: Bench) -> None:
    bench.file("a.txt", b"\xef\xbb\xbf\xc3\xa9\n")
    assert bench.text("Read", path="a.txt") == "[starts with a UTF-8 byte order mark]\n1\té"


def test_latin_1_lines_are_shown_and_named(bench: Bench) -> None:
    bench.file("a.c", b"x = 1\n// caf\xe9\n")
    assert bench.text("Read", path="a.c") == "[not UTF-8, shown as Latin-1: line 2]\n1\tx = 1\n2\t// café"


def test_control_characters_are_shown_as_escapes(bench: Bench) -> None:
    bench.file("a.txt", "a\x1b[31mb\u202ec\n".encode())
    assert bench.text("Read", path="a.txt").endswith("1\ta\\x1b[31mb\\u202ec")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG image"),
        (b"\x7fELF\x02\0", "ELF program"),
        (b"%PDF-1.7\n", "PDF"),
        (b"a\0b", "binary"),
    ],
)
def test_binary_files_are_named_not_shown(bench: Bench, data: bytes, kind: str) -> None:
    bench.file("a.bin", data)
    with pytest.raises(ToolFailed, match=f"{kind}.*{len(data)} bytes"):
        bench.text("Read", path="a.bin")


def test_an_empty_file_says_so(bench: Bench) -> None:
    bench.file("a.txt", b"")
    assert bench.text("Read", path="a.txt") == "[empty file]"


def test_an_offset_past_the_end_says_how_many_lines_there_are(bench: Bench) -> None:
    bench.file("a.txt", b"a\nb\n")
    with pytest.raises(ToolFailed, match=r"has 2 lines; offset 9 is past its end"):
        bench.text("Read", path="a.txt", offset=9)


def test_a_missing_file_names_the_nearest_names(bench: Bench) -> None:
    bench.file("src/readme.md", b"")
    with pytest.raises(ToolFailed, match=r"src/README\.md does not exist. Near it: readme\.md"):
        bench.text("Read", path="src/README.md")


def test_a_folder_says_how_to_list_it(bench: Bench) -> None:
    bench.file("src/a", b"")
    with pytest.raises(ToolFailed, match=r"src is a folder; Glob"):
        bench.text("Read", path="src")


@posix_only
def test_a_named_pipe_is_refused_without_waiting(bench: Bench) -> None:
    os.mkfifo(bench.root / "pipe")
    with pytest.raises(ToolFailed, match="named pipe"):
        bench.text("Read", path="pipe")


@posix_only
def test_a_device_is_refused(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="device"):
        bench.text("Read", path="/dev/zero")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_says_so(bench: Bench) -> None:
    bench.file("a.txt", b"x").chmod(0)
    with pytest.raises(ToolFailed, match="Permission denied"):
        bench.text("Read", path="a.txt")


@pytest.mark.parametrize("name", [".env", "sub/.env.production", "id_rsa", "server.pem", ".aws/credentials"])
def test_a_file_with_secrets_is_not_shown(bench: Bench, name: str) -> None:
    bench.file(name, b"SECRET=abcdefgh")
    with pytest.raises(ToolFailed, match="secrets"):
        bench.text("Read", path=name)


@posix_only
def test_a_link_to_a_file_with_secrets_is_not_shown(bench: Bench) -> None:
    bench.file(".env", b"SECRET=abcdefgh")
    (bench.root / "notes.txt").symlink_to(".env")
    with pytest.raises(ToolFailed, match="secrets"):
        bench.text("Read", path="notes.txt")


@posix_only
def test_a_link_that_is_swapped_after_the_policy_looked_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    import asyncio

    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("secret", encoding="utf-8")
    bench.file("inner/a.txt", b"harmless")
    read = bench.tools["Read"]
    arguments = read.arguments(path="inner/a.txt")
    read.effects(arguments)
    (bench.root / "inner" / "a.txt").unlink()
    (bench.root / "inner").rmdir()
    (bench.root / "inner").symlink_to(outside)
    with pytest.raises(ToolFailed, match="Call again"):
        asyncio.run(read.run(arguments))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_the_environment_of_a_process_is_not_shown(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="secrets"):
        bench.text("Read", path="/proc/self/environ")
