"""Edit against a second implementation that works on bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from aries_kernel.errors import ToolFailed
from aries_tool_files._documents import Document

if TYPE_CHECKING:
    from conftest import Bench

PIECES = [
    b"\n",
    b"\r\n",
    b"\r",
    b"a",
    b"b",
    b" ",
    b"\xe9",
    b"\xff",
    b"\0",
    "é".encode(),
    "→".encode(),
    b"\xc3",
    b"\xa9",
]
FILES = st.one_of(
    st.binary(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join),
    st.lists(st.sampled_from(PIECES), max_size=20).map(lambda parts: b"\xef\xbb\xbf" + b"".join(parts)),
    st.text(max_size=30).map(lambda text: ("\ufeff" + text).encode("utf-16-le", "surrogatepass")),
    st.text(max_size=30).map(lambda text: ("\ufeff" + text).encode("utf-32-be", "surrogatepass")),
)
quick = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@quick
@given(FILES)
def test_a_document_is_its_bytes(data: bytes) -> None:
    assert Document.load(data).to_bytes() == data


@quick
@given(st.binary(max_size=60), st.binary(max_size=60), st.text("xyz<>$\\", max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_a_marker_among_any_bytes_is_replaced_and_nothing_else(
    bench: Bench, before: bytes, after: bytes, new: str, end: str
) -> None:
    marker = b"{#old#}"
    data = before + marker + end.encode() + marker[::-1] + after
    document = Document.load(data)
    assume("{#old#}" in document.view)
    file = bench.file("a.dat", data)
    bench.text("Edit", path="a.dat", old="{#old#}\n}#dlo#{", new=new)
    assert file.read_bytes() == before + new.encode() + after


@quick
@given(FILES, st.data())
def test_any_unique_piece_is_replaced_with_every_other_byte_the_same(
    bench: Bench, data: bytes, draw: st.DataObject
) -> None:
    document = Document.load(data)
    view = document.view
    assume(view and not re.search("[\ud800-\udfff]", view))
    start = draw.draw(st.integers(0, len(view) - 1))
    old = view[start : draw.draw(st.integers(start + 1, len(view)))]
    assume(view.count(old) == 1 and view.find(old, view.find(old) + 1) < 0)
    new = draw.draw(st.text("ab \n$\\é", max_size=12))
    assume(new != old)
    file = bench.file("a.dat", data)
    try:
        bench.text("Edit", path="a.dat", old=old, new=new)
    except ToolFailed as error:
        assert "cannot hold" in str(error)
        assert file.read_bytes() == data
        return
    changed = file.read_bytes()
    first, last = _bytes_before(document, start), _bytes_before(document, start + len(old))
    assert changed.startswith(data[:first])
    assert changed.endswith(data[last:])
    middle = changed[first : len(changed) - len(data) + last]
    assert _as_lf(middle, document) == new


@quick
@given(st.lists(st.sampled_from(["a", "b", "ab", ""]), min_size=1, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_replacing_all_equals_replacing_in_the_text(bench: Bench, lines: list[str], end: str) -> None:
    text = "\n".join(lines)
    assume("a" in text)
    file = bench.file("a.dat", text.replace("\n", end).encode())
    bench.text("Edit", path="a.dat", old="a", new="c", all=True)
    assert file.read_bytes() == text.replace("a", "c").replace("\n", end).encode()


def test_lines_that_stay_within_old_and_new_keep_bytes_and_ends(bench: Bench) -> None:
    file = bench.file("a.txt", b"1\r\nkeep\xe9\n2\r\n")
    bench.text("Edit", path="a.txt", old="1\nkeepé\n2", new="one\nkeepé\nand\ntwo")
    assert file.read_bytes() == b"one\r\nkeep\xe9\nand\ntwo\r\n"


def _bytes_before(document: Document, place: int) -> int:
    """Counted line by line, without the tool's own arithmetic."""
    size = len(document.bom)
    for text, end, codec in zip(document.texts, document.ends, document.codecs, strict=True):
        if place <= len(text):
            return size + len(text[:place].encode(codec, "surrogatepass" if codec.startswith("utf-") else "strict"))
        size += len((text + end).encode(codec, "surrogatepass" if codec.startswith("utf-") else "strict"))
        place -= len(text) + 1
    pytest.fail("the place is in no line")


def _as_lf(data: bytes, document: Document) -> str:
    """Text of new bytes; in a file of several encodings each line is in its own."""
    if document.encoding == "mixed":
        return Document.load(data).view
    return data.decode(document.encoding).replace("\r\n", "\n").replace("\r", "\n")
