"""Server-sent events in every cut and with every line end."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import StreamCut
from aries_provider_http.sse import Comment, Event, EventReader


def read(*chunks: bytes, max_bytes: int = 1 << 24) -> list[Event | Comment]:
    reader = EventReader(max_bytes)
    return [event for chunk in chunks for event in reader.feed(chunk)] + reader.end()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_ends_a_line(end: bytes) -> None:
    raw = end.join([b"data: a", b"data:b", b"", b"event: error", b"data: c", b"", b""])
    assert read(raw) == [Event("a\nb"), Event("c", "error")]


def test_line_ends_may_be_mixed() -> None:
    assert read(b"data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\r") == [Event("a\nb\nc"), Event("d")]


def test_an_event_is_given_at_its_lone_carriage_return() -> None:
    assert EventReader().feed(b"data: a\r\r") == [Event("a")]


def test_comments_are_given() -> None:
    assert read(b": OPENROUTER PROCESSING\n\n:\n") == [Comment("OPENROUTER PROCESSING"), Comment("")]


def test_the_last_event_may_lack_its_end() -> None:
    assert read(b"data: a\n\ndata: b") == [Event("a"), Event("b")]


def test_a_byte_order_mark_is_skipped_also_when_it_is_split() -> None:
    assert read(b"\xef", b"\xbb", b"\xbfdata: a\n\n") == [Event("a")]


def test_invalid_utf8_is_replaced() -> None:
    assert read(b"data: a\xffb\n\n") == [Event("a\ufffdb", is_damaged=True)]


def test_only_one_space_after_the_colon_is_taken() -> None:
    assert read(b"data:  a\ndata\nid: 3\nretry: 5\nwhat: x\n\n") == [Event(" a\n")]


def test_an_event_without_data_is_none() -> None:
    assert read(b"event: ping\n\nid: 4\n\n") == []


def test_the_bound_holds_for_one_line_and_for_many() -> None:
    with pytest.raises(StreamCut):
        read(b"data: " + b"x" * 300, max_bytes=200)
    with pytest.raises(StreamCut):
        read(*[b"data: xxxxx\n"] * 100, max_bytes=200)


def test_a_line_of_twenty_megabytes_is_given_up() -> None:
    with pytest.raises(StreamCut):
        read(b"data: ", *[b"x" * 65_536] * 320)


def test_five_megabytes_in_single_bytes_come_out_whole() -> None:
    data = json.dumps("é" * 500_000, ensure_ascii=False).encode()
    reader = EventReader()
    found = [event for byte in b"data: " + data + b"\n\n" for event in reader.feed(bytes((byte,)))]
    assert found == [Event(data.decode())]


LINES = st.sampled_from(
    [b"data: x", b"data:", b"data", b": c", b"event: e", b"", b"\xef\xbb\xbf", "dätä: ü".encode(), b"\xff"]
)


@given(
    parts=st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"])), max_size=30),
    rest=st.binary(max_size=6),
    cuts=st.lists(st.integers(0, 200), max_size=20),
)
def test_the_events_do_not_depend_on_the_cuts(parts: list[tuple[bytes, bytes]], rest: bytes, cuts: list[int]) -> None:
    raw = b"".join(line + end for line, end in parts) + rest
    edges = [0, *sorted(cut for cut in cuts if cut <= len(raw)), len(raw)]
    pieces = [raw[start:stop] for start, stop in pairwise(edges)]
    assert read(*pieces) == read(raw) == read(*(bytes((byte,)) for byte in raw))
