"""What user code printed, within bounds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aries_body.process.output import OutputTail

_MARKER = b"\x00mark\x00\x00mark!"


def _cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({min(place, len(data)) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


@given(st.text(max_size=400), st.text(max_size=50), st.lists(st.integers(0, 500), max_size=8))
def test_the_marker_ends_the_output_wherever_the_bytes_are_cut(before: str, after: str, places: list[int]) -> None:
    tail = OutputTail()
    tail.expect(_MARKER)
    for piece in _cut(before.encode() + _MARKER, places):
        tail.add(piece)
    assert tail.take(5).text == before
    tail.add(after.encode()) if after else None
    tail.add(b"")
    assert tail.take(5).text == after


@given(st.lists(st.integers(0, 700), max_size=6))
def test_what_looks_like_the_beginning_of_a_marker_is_output(places: list[int]) -> None:
    text = _MARKER[:7] * 3 + b"x" + _MARKER[:-1]
    tail = OutputTail()
    tail.expect(_MARKER)
    for piece in _cut(text + _MARKER, places):
        tail.add(piece)
    assert tail.take(5).text.encode() == text


def test_of_much_output_the_beginning_and_the_end_are_kept_and_the_rest_is_counted() -> None:
    tail = OutputTail()
    tail.expect(_MARKER)
    tail.add(b"first\n")
    for _ in range(1000):
        tail.add(b"x" * 10_000)
    tail.add(b"\nlast" + _MARKER)
    printed = tail.take(5)
    assert printed.is_cut and printed.size == 10_000_011
    assert printed.text.startswith("first\n") and printed.text.endswith("\nlast")
    assert len(printed.text) < 200_000
    left_out = printed.size - 2 * 64 * 1024
    assert f"[{left_out:,} bytes left out here]" in printed.text


def test_output_of_a_process_that_died_ends_with_its_stream() -> None:
    tail = OutputTail()
    tail.expect(_MARKER)
    tail.add(b"so far" + _MARKER[:4])
    tail.add(b"")
    assert tail.take(5).text.encode() == b"so far" + _MARKER[:4]
