"""Compressed answers: whole ones, lies, bombs."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import ToolFailed
from aries_tool_web.unpacking import unpacked


def _bare(data: bytes) -> bytes:
    machine = zlib.compressobj(wbits=-15)
    return machine.compress(data) + machine.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": _bare,
    "identity": bytes,
}


@given(st.binary(max_size=5000), st.lists(st.sampled_from(sorted(PACKERS)), max_size=3), st.integers(1, 6000))
def test_what_was_packed_comes_out_as_it_was_up_to_the_limit(data: bytes, layers: list[str], most: int) -> None:
    packed = data
    for layer in layers:
        packed = PACKERS[layer](packed)
    whole, is_cut = unpacked(packed, ", ".join(layers), 100_000)
    assert (whole, is_cut) == (data, False)
    part, was_cut = unpacked(packed, ", ".join(layers), most)
    assert len(part) <= most and (was_cut or part == data)


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "gzip, deflate"]))
def test_no_bytes_raise_anything(data: bytes, layers: str) -> None:
    assert len(unpacked(data, layers, 1000)[0]) <= 1000


def test_a_bomb_gives_no_more_than_the_limit() -> None:
    bomb = gzip.compress(gzip.compress(bytes(50_000_000)))
    assert len(bomb) < 1_000
    assert unpacked(bomb, "gzip, gzip", 1_000_000) == (bytes(1_000_000), True)


def test_several_packed_parts_in_a_row_are_one_text() -> None:
    assert unpacked(gzip.compress(b"one ") + gzip.compress(b"two"), "gzip", 100) == (b"one two", False)


def test_an_answer_that_only_claims_to_be_packed_is_taken_as_it_is() -> None:
    for claim in ("gzip", "deflate", "br", "zstd", "compress"):
        assert unpacked(b"<p>plain text", claim, 100) == (b"<p>plain text", False)


def test_one_that_breaks_off_is_taken_as_far_as_it_goes() -> None:
    data = bytes(range(256)) * 100
    assert data.startswith(unpacked(gzip.compress(data)[:-30], "gzip", 100_000)[0])


def test_a_compression_that_nobody_asked_for_is_named() -> None:
    with pytest.raises(ToolFailed, match="'br', which was not asked for"):
        unpacked(b"\x8b\x02\x80hello\x03", "br", 100)
    with pytest.raises(ToolFailed, match="packed 4 times over"):
        unpacked(b"", "gzip,gzip,gzip,gzip", 100)
