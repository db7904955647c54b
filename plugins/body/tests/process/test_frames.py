"""What travels between host and body."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_body.process.frames import LARGEST, BrokenFrame, Frame, encode, read_frame

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
_FRAMES = st.builds(Frame, st.text(), st.integers(), st.dictionaries(st.text(), _JSON, max_size=5))


class _Trickle:
    """Gives a few bytes at a time, as a pipe may."""

    def __init__(self, data: bytes, step: int) -> None:
        self._stream, self._step = io.BytesIO(data), step

    def __call__(self, count: int) -> bytes:
        return self._stream.read(min(count, self._step))


@given(st.lists(_FRAMES, max_size=5), st.integers(1, 7))
def test_frames_come_out_as_they_went_in_however_the_bytes_are_cut(frames: list[Frame], step: int) -> None:
    read = _Trickle(b"".join(map(encode, frames)), step)
    assert [read_frame(read) for _ in frames] == frames
    assert read_frame(read) is None


@given(st.binary(max_size=200))
def test_bytes_that_are_no_frame_are_told_and_nothing_else_happens(data: bytes) -> None:
    stream = io.BytesIO(data)
    try:
        while read_frame(stream.read) is not None:
            continue
    except BrokenFrame:
        return


@given(_FRAMES, st.data())
def test_a_frame_that_ends_early_is_broken(frame: Frame, data: st.DataObject) -> None:
    whole = encode(frame)
    cut = data.draw(st.integers(1, len(whole) - 1))
    with pytest.raises(BrokenFrame, match="ended"):
        read_frame(io.BytesIO(whole[:cut]).read)


def test_a_length_that_no_frame_has_is_not_waited_for() -> None:
    with pytest.raises(BrokenFrame, match="announced"):
        read_frame(io.BytesIO(b"\xff\xff\xff\xff rest").read)


def test_what_is_too_large_for_a_frame_is_not_sent() -> None:
    with pytest.raises(BrokenFrame, match="more than"):
        encode(Frame("say", 1, {"text": "x" * LARGEST}))


def test_half_a_character_travels_too() -> None:
    frame = Frame("say", 1, {"text": "\ud800 \U0001f600"})
    assert read_frame(io.BytesIO(encode(frame)).read) == frame
