"""Edit changes what it was asked to change and nothing else."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from aries_kernel.broker.effects import ReadPath, WritePath
from aries_kernel.errors import ToolFailed

if TYPE_CHECKING:
    from conftest import Bench

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def test_crlf_with_lf_in_old_and_new_stays_crlf(bench: Bench) -> None:
    file = bench.file("a.txt", b"one\r\ntwo\r\nthree\r\n")
    bench.text("Edit", path="a.txt", old="one\ntwo\n", new="1\n1b\n2\n")
    assert file.read_bytes() == b"1\r\n1b\r\n2\r\nthree\r\n"


def test_crlf_in_old_matches_an_lf_file_and_the_file_stays_lf(bench: Bench) -> None:
    file = bench.file("a.txt", b"one\ntwo\n")
    bench.text("Edit", path="a.txt", old="one\r\ntwo", new="1\r\n2")
    assert file.read_bytes() == b"1\n2\n"


def test_all_in_a_crlf_file_keeps_every_line_end(bench: Bench) -> None:
    file = bench.file("a.txt", b"a\r\nb\r\na\r\nb\r\n")
    assert "2 places" in bench.text("Edit", path="a.txt", old="a\nb\n", new="x\ny\nz\n", all=True)
    assert file.read_bytes() == b"x\r\ny\r\nz\r\n" * 2


def test_each_line_of_a_mixed_file_keeps_its_own_end(bench: Bench) -> None:
    file = bench.file("a.txt", b"a\r\nb\nc\rd\r\ne")
    bench.text("Edit", path="a.txt", old="a\nb\nc\nd", new="a\nB\nc\nD")
    assert file.read_bytes() == b"a\r\nB\nc\rD\r\ne"


def test_an_added_line_takes_the_end_of_its_neighbourhood(bench: Bench) -> None:
    file = bench.file("a.txt", b"lf\ncrlf\r\nlast")
    bench.text("Edit", path="a.txt", old="crlf", new="before\ncrlf")
    bench.text("Edit", path="a.txt", old="last", new="last\nmore")
    assert file.read_bytes() == b"lf\nbefore\r\ncrlf\r\nlast\r\nmore"


def test_joining_lines_removes_their_end(bench: Bench) -> None:
    file = bench.file("a.txt", b"a\r\nb\r\nc\r\n")
    bench.text("Edit", path="a.txt", old="a\nb", new="a b")
    assert file.read_bytes() == b"a b\r\nc\r\n"


def test_a_byte_order_mark_stays(bench: Bench) -> None:
    file = bench.file("a.txt", b"\xef\xbb\xbfx = 1\n\xc3\xa9\n")
    bench.text("Edit", path="a.txt", old="x = 1", new="x = 2")
    assert file.read_bytes() == b"\xef\xbb\xbfx = 2\n\xc3\xa9\n"


def test_a_latin_1_byte_elsewhere_stays(bench: Bench) -> None:
    file = bench.file("a.c", b"x = 1\n// caf\xe9\n")
    bench.text("Edit", path="a.c", old="x = 1", new="x = 2")
    assert file.read_bytes() == b"x = 2\n// caf\xe9\n"


def test_a_missing_final_newline_stays_missing(bench: Bench) -> None:
    file = bench.file("a.txt", b"x = 1\ny = 2")
    bench.text("Edit", path="a.txt", old="y = 2", new="y = 3")
    assert file.read_bytes() == b"x = 1\ny = 3"


def test_a_final_newline_can_be_removed(bench: Bench) -> None:
    file = bench.file("a.txt", b"x\n")
    assert "only the line end" in bench.text("Edit", path="a.txt", old="x\n", new="x")
    assert file.read_bytes() == b"x"


def test_latin_1_text_is_matched_and_written_as_it_is_read(bench: Bench) -> None:
    file = bench.file("a.c", b"// caf\xe9\nx\n")
    bench.text("Edit", path="a.c", old="café\nx", new="thé\nà")
    assert file.read_bytes() == b"// th\xe9\n\xe0\n"


def test_lines_of_utf_8_and_latin_1_in_one_file_keep_their_own_bytes(bench: Bench) -> None:
    file = bench.file("a.txt", "é\n".encode() + b"\xe9\nx\xff\xfe\n")
    bench.text("Edit", path="a.txt", old="é\né\nx", new="é1\né2\ny")
    assert file.read_bytes() == "é1\n".encode() + b"\xe92\ny\xff\xfe\n"


def test_lines_of_different_encodings_can_be_joined(bench: Bench) -> None:
    file = bench.file("a.txt", "é\n".encode() + b"\xe9\n")
    bench.text("Edit", path="a.txt", old="\n", new=" ", all=True)
    assert file.read_bytes() == "é ".encode() + b"\xe9 "


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_wide_file_is_edited_in_its_encoding(bench: Bench, codec: str) -> None:
    file = bench.file("a.txt", "\ufeffone\r\n😀two\r\n".encode(codec))
    bench.text("Edit", path="a.txt", old="one\n😀", new="1\n→\n")
    assert file.read_bytes() == "\ufeff1\r\n→\r\ntwo\r\n".encode(codec)


def test_a_broken_wide_file_is_still_edited_byte_for_byte(bench: Bench) -> None:
    file = bench.file("a.txt", b"\xff\xfea\0b\0c")
    bench.text("Edit", path="a.txt", old="b", new="x")
    assert file.read_bytes() == b"\xff\xfea\0x\0c"


def test_bytes_with_nul_around_the_edit_stay(bench: Bench) -> None:
    file = bench.file("a.bin", b"\0\xffname=old\0\x85")
    bench.text("Edit", path="a.bin", old="name=old", new="name=new")
    assert file.read_bytes() == b"\0\xffname=new\0\x85"


@pytest.mark.parametrize("new", ["$&", "$1", "$$", "\\1", "\\g<0>", "\\n", "\\\\", "$`", "{0}", "%s", "\u2028", "😀"])
def test_new_text_is_literal(bench: Bench, new: str) -> None:
    file = bench.file("a.txt", b"a(b)c")
    bench.text("Edit", path="a.txt", old="(b)", new=new)
    assert file.read_bytes() == b"a" + new.encode() + b"c"


@pytest.mark.parametrize("old", ["a.c", "(", "[x", "a*", "^b", "\\d"])
def test_old_text_is_literal(bench: Bench, old: str) -> None:
    file = bench.file("a.txt", b"abc 1 aaa\nb\n")
    with pytest.raises(ToolFailed, match="not in"):
        bench.text("Edit", path="a.txt", old=old, new="x")
    assert file.read_bytes() == b"abc 1 aaa\nb\n"


def test_text_the_encoding_cannot_hold_is_refused(bench: Bench) -> None:
    file = bench.file("a.c", b"x\n// caf\xe9\n")
    with pytest.raises(ToolFailed, match=r"latin-1, which cannot hold '→'"):
        bench.text("Edit", path="a.c", old="x", new="→")
    assert file.read_bytes() == b"x\n// caf\xe9\n"


def test_several_matches_are_listed_by_line(bench: Bench) -> None:
    file = bench.file("a.txt", b"x\r\ny\r\nx\r\nx x\r\n")
    with pytest.raises(ToolFailed, match=r"occurs 4 times in a\.txt, at lines 1, 3, 4, 4"):
        bench.text("Edit", path="a.txt", old="x", new="z")
    assert file.read_bytes() == b"x\r\ny\r\nx\r\nx x\r\n"


def test_matches_that_overlap_are_not_one_match(bench: Bench) -> None:
    bench.file("a.txt", b"aaa")
    with pytest.raises(ToolFailed, match="occurs 2 times"):
        bench.text("Edit", path="a.txt", old="aa", new="b")


@pytest.mark.parametrize(
    ("data", "old", "difference"),
    [
        (b"\tif x:\n\t\ty()\n", "    if x:\n        y()", "indentation or tabs"),
        (b"a  \nb\n", "a\nb", "trailing spaces"),
        ("say “hi”\n".encode(), 'say "hi"', "quotes or dashes"),
        (b"a = f(x,y)\n", "a = f(x, y)", "spaces"),
        (b"Hello\n", "hello", "upper and lower case"),
    ],
)
def test_a_near_miss_names_line_and_difference_and_changes_nothing(
    bench: Bench, data: bytes, old: str, difference: str
) -> None:
    file = bench.file("a.txt", data)
    with pytest.raises(ToolFailed, match=f"only in {difference}[^\n]*\n  line 1"):
        bench.text("Edit", path="a.txt", old=old, new="z")
    assert file.read_bytes() == data


def test_line_numbers_in_old_are_recognised(bench: Bench) -> None:
    bench.file("a.txt", b"one\ntwo\n")
    with pytest.raises(ToolFailed, match="leave number and tab out"):
        bench.text("Edit", path="a.txt", old="1\tone\n2\ttwo", new="x")


def test_escapes_in_place_of_control_characters_are_recognised(bench: Bench) -> None:
    bench.file("a.txt", b"a\x1b[0m\n")
    with pytest.raises(ToolFailed, match="control characters"):
        bench.text("Edit", path="a.txt", old="a\\x1b[0m", new="x")


def test_a_far_miss_shows_the_nearest_line(bench: Bench) -> None:
    bench.file("a.py", b"import os\n\ndef total(items):\n    return sum(items)\n")
    with pytest.raises(ToolFailed, match=r"line 3: file has \|def total\(items\):\|, not \|def totals\(item\):\|"):
        bench.text("Edit", path="a.py", old="def totals(item):", new="x")


def test_an_empty_old_fills_a_missing_or_empty_file_and_no_other(bench: Bench) -> None:
    bench.file("empty.txt", b"")
    assert "Created" in bench.text("Edit", path="new/a.txt", old="", new="a\n")
    assert "Filled" in bench.text("Edit", path="empty.txt", old="", new="b\n")
    with pytest.raises(ToolFailed, match="old is empty"):
        bench.text("Edit", path="empty.txt", old="", new="c")
    assert (bench.root / "new/a.txt").read_bytes() == b"a\n" and (bench.root / "empty.txt").read_bytes() == b"b\n"


def test_the_same_text_is_refused(bench: Bench) -> None:
    bench.file("a.txt", b"x\r\n")
    with pytest.raises(ToolFailed, match="same text"):
        bench.text("Edit", path="a.txt", old="x\r\n", new="x\n")


def test_a_missing_file_makes_no_folder(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="does not exist"):
        bench.text("Edit", path="no/such/a.txt", old="a", new="b")
    assert list(bench.root.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "data", "old", "new", "problem"),
    [
        ("a.py", b"x = 1\ny = (2)\n", "(2)", "(2", "line 2"),
        ("a.json", b'{"a": 1}\n', "1}", "1,}", "line 1"),
        ("a.toml", b"a = 1\nb = 2\n", "b = 2", "b = ", "line 2"),
    ],
)
def test_a_file_that_stops_parsing_stands_and_is_named(
    bench: Bench, name: str, data: bytes, old: str, new: str, problem: str
) -> None:
    file = bench.file(name, data)
    answer = bench.text("Edit", path=name, old=old, new=new)
    assert "It parsed before this edit and does not now" in answer and problem in answer
    assert file.read_bytes() == data.replace(old.encode(), new.encode())


def test_a_file_that_did_not_parse_before_is_not_blamed_on_the_edit(bench: Bench) -> None:
    bench.file("a.py", b"x = (\ny = 1\n")
    assert "parsed" not in bench.text("Edit", path="a.py", old="y = 1", new="y = 2")


def test_the_answer_is_a_short_diff_however_large_the_change(bench: Bench) -> None:
    bench.file("a.txt", b"x\n" * 50_000)
    answer = bench.text("Edit", path="a.txt", old="x", new="y", all=True)
    assert "50000 places" in answer and len(answer) < 1_000


def test_many_places_in_one_long_line_are_replaced(bench: Bench) -> None:
    file = bench.file("a.txt", b"ab" * 500_000)
    bench.text("Edit", path="a.txt", old="a", new="", all=True)
    assert file.read_bytes() == b"b" * 500_000


def test_a_file_with_secrets_is_not_edited_since_answers_would_show_it(bench: Bench) -> None:
    bench.file(".env", b"KEY=abcdefgh\n")
    with pytest.raises(ToolFailed, match="secrets"):
        bench.text("Edit", path=".env", old="KEY", new="X")


@posix_only
def test_mode_and_link_stay_and_effects_name_the_real_file(bench: Bench) -> None:
    file = bench.file("real.sh", b"echo 1\n")
    file.chmod(0o755)
    (bench.root / "link").symlink_to("real.sh")
    edit = bench.tools["Edit"]
    assert edit.effects(edit.arguments(path="link", old="1", new="2")) == [ReadPath(file), WritePath(file)]
    bench.text("Edit", path="link", old="1", new="2")
    assert (bench.root / "link").is_symlink() and file.read_bytes() == b"echo 2\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o755
