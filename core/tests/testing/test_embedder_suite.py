"""The suite passes an embedder that keeps the contract and catches embedders that do not."""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from attrs import frozen

from aries_kernel.contracts.embedder import EmbedderContext, EmbedderFactory
from aries_kernel.testing.embedder_suite import EmbedderSuite


@frozen
class Options:
    pass


class Bags:
    """A small honest embedder: how often words of each checksum occur."""

    options_type: ClassVar[type[Options]] = Options
    fingerprint = "bags:1"
    dimensions = 8
    window = 20

    def __init__(self, context: EmbedderContext) -> None:
        pass

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        return [found.span() for found in re.finditer(r"\S+", text)]

    def embed_query(self, text: str) -> bytes:
        counts = [0.0] * self.dimensions
        for start, end in self.token_spans(text)[: self.window]:
            counts[zlib.crc32(text[start:end].encode("utf-8", "replace")) % self.dimensions] += 1
        length = math.hypot(*counts) or 1
        return struct.pack(f"<{self.dimensions}f", *(count / length for count in counts))

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        return b"".join(map(self.embed_query, texts))


class TestAnHonestEmbedder(EmbedderSuite):
    @pytest.fixture
    def factory(self) -> EmbedderFactory:
        return Bags


class _Long(Bags):
    def embed_query(self, text: str) -> bytes:
        return struct.pack("<8f", *(2 * one for one in struct.unpack("<8f", super().embed_query(text))))


class _Sorted(Bags):
    def embed_passages(self, texts: Sequence[str]) -> bytes:
        return super().embed_passages(sorted(texts, key=len))


class _Padded(Bags):
    """What a text is given depends on the longest of its batch."""

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        most = max((len(self.token_spans(text)) for text in texts), default=0)
        return super().embed_passages([text + " pad" * (most - len(self.token_spans(text))) for text in texts])


class _Greedy(Bags):
    window = 10_000

    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        return super().token_spans(text)[:50]


class _Overlapping(Bags):
    def token_spans(self, text: str) -> Sequence[tuple[int, int]]:
        return [(max(0, start - 2), end) for start, end in super().token_spans(text)]


class _Nameless(Bags):
    def __init__(self, context: EmbedderContext) -> None:
        self.fingerprint = f"bags:{id(self)}:{context.cache_folder}"


class _Fragile(Bags):
    def embed_query(self, text: str) -> bytes:
        text.encode()
        return super().embed_query(text)


@pytest.mark.parametrize(
    ("factory", "caught"),
    [
        (_Long, "test_a_question_is_one_row_of_length_one"),
        (_Sorted, "test_passages_are_rows_of_length_one_in_their_order"),
        (_Padded, "test_a_passage_does_not_depend_on_the_others"),
    ],
)
def test_a_wrong_vector_is_caught(factory: EmbedderFactory, caught: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        getattr(EmbedderSuite(), caught)(factory(EmbedderContext(Options(), tmp_path, {})))


def test_a_window_that_is_not_kept_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        EmbedderSuite().test_what_lies_behind_the_window_does_not_count(
            _Greedy(EmbedderContext(Options(), tmp_path, {}))
        )


def test_spans_that_overlap_are_caught(tmp_path: Path) -> None:
    embedder = _Overlapping(EmbedderContext(Options(), tmp_path, {}))
    with pytest.raises(AssertionError):
        EmbedderSuite().test_spans_lie_in_the_text_one_after_another(embedder, "green tea")


def test_a_fingerprint_of_the_instance_is_caught(tmp_path: Path) -> None:
    embedder = _Nameless(EmbedderContext(Options(), tmp_path, {}))
    with pytest.raises(AssertionError):
        EmbedderSuite().test_the_fingerprint_is_a_short_line_and_the_same_for_each_instance(
            _Nameless, Options(), embedder, tmp_path
        )


def test_an_embedder_that_breaks_on_half_characters_is_caught(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        EmbedderSuite().test_odd_texts_are_texts_too(_Fragile(EmbedderContext(Options(), tmp_path, {})), "\ud83c")
