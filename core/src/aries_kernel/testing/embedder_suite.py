"""The contract of an embedder as tests: subclass `EmbedderSuite` and name the embedder.

class TestMine(EmbedderSuite):
    @pytest.fixture
    def factory(self) -> EmbedderFactory:
        return Mine

    @pytest.fixture
    def options(self) -> object:
        return Options(model="...")  # Only where the defaults do not do.
"""

from __future__ import annotations

import math
import struct
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aries_kernel.contracts.embedder import Embedder, EmbedderContext, EmbedderFactory

__all__ = ["EmbedderSuite"]

_NEAR = 1e-4
"""How far two vectors of one text may lie apart: the rounding of sums that were added up in another order."""

_TEXTS = (
    "Green tea is brewed at 80 degrees.",
    "The mill by the river was built in 1842 and burned down twice; its wheel is in the museum.",
    "grün, naïve, 茶道, чай, شاي 🍵",
    "tea",
    "Above eighty degrees the leaves turn bitter. " * 200,
    "A wheel.\n\n- one\n- two\n",
)
_ODD = (" \t\r\n ", "\0", "half a pair \ud83c and the other \udf75", "x" * 5_000, "\u202e\u200b\ufeff", "🏴‍☠️" * 300)


class EmbedderSuite:
    """What every embedder must keep; see the module for how to use it."""

    @pytest.fixture
    def factory(self) -> EmbedderFactory:
        """The factory under test."""
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def options(self, factory: EmbedderFactory) -> object:
        """What it is made with; the defaults unless overridden."""
        return factory.options_type()

    @pytest.fixture
    def cache_folder(self, tmp_path: Path) -> Path:
        """The folder of the cache, which is not there yet."""
        return tmp_path / "cache"

    @pytest.fixture
    def embedder(self, factory: EmbedderFactory, options: object, cache_folder: Path) -> Embedder:
        """The embedder under test."""
        return factory(EmbedderContext(options, cache_folder, {}))

    def test_every_option_has_a_default(self, factory: EmbedderFactory) -> None:
        assert hasattr(factory.options_type, "__attrs_attrs__")
        factory.options_type()

    def test_the_fingerprint_is_a_short_line_and_the_same_for_each_instance(
        self, factory: EmbedderFactory, options: object, embedder: Embedder, tmp_path: Path
    ) -> None:
        found = embedder.fingerprint
        assert 0 < len(found) <= 200 and found.isprintable() and found == found.strip()
        assert factory(EmbedderContext(options, tmp_path / "other", {})).fingerprint == found

    def test_dimensions_and_window_are_positive_and_stay(self, embedder: Embedder) -> None:
        before = embedder.dimensions, embedder.window
        embedder.embed_query(_TEXTS[0])
        assert before == (embedder.dimensions, embedder.window) and min(before) > 0

    def test_a_question_is_one_row_of_length_one(self, embedder: Embedder) -> None:
        (row,) = _rows(embedder.embed_query("How hot is the water for tea?"), embedder)
        assert math.isclose(math.hypot(*row), 1, abs_tol=_NEAR)

    def test_passages_are_rows_of_length_one_in_their_order(self, embedder: Embedder) -> None:
        rows = _rows(embedder.embed_passages(_TEXTS), embedder)
        assert [math.isclose(math.hypot(*row), 1, abs_tol=_NEAR) for row in rows] == [True] * len(_TEXTS)
        turned = _rows(embedder.embed_passages(_TEXTS[::-1]), embedder)
        assert _distance(turned[::-1], rows) <= _NEAR

    def test_no_passages_are_no_bytes(self, embedder: Embedder) -> None:
        assert embedder.embed_passages([]) == b""

    def test_the_same_text_gives_the_same_bytes(self, embedder: Embedder) -> None:
        assert embedder.embed_query(_TEXTS[1]) == embedder.embed_query(_TEXTS[1])
        assert embedder.embed_passages(_TEXTS) == embedder.embed_passages(_TEXTS)

    def test_a_passage_does_not_depend_on_the_others(self, embedder: Embedder) -> None:
        rows = _rows(embedder.embed_passages(_TEXTS), embedder)
        alone = [row for text in _TEXTS for row in _rows(embedder.embed_passages([text]), embedder)]
        assert _distance(rows, alone) <= _NEAR

    def test_different_texts_have_different_vectors(self, embedder: Embedder) -> None:
        first, second, *_ = _rows(embedder.embed_passages(_TEXTS), embedder)
        assert _distance([first], [second]) > _NEAR

    def test_a_text_without_a_token_is_all_zeros(self, embedder: Embedder) -> None:
        assert not embedder.token_spans("")
        assert not any(embedder.embed_query(""))
        first, empty, last = _rows(embedder.embed_passages([_TEXTS[0], "", _TEXTS[1]]), embedder)
        assert not any(empty) and any(first) and any(last)

    @pytest.mark.parametrize("text", _ODD, ids=range(len(_ODD)))
    def test_odd_texts_are_texts_too(self, embedder: Embedder, text: str) -> None:
        (row,) = _rows(embedder.embed_passages([text]), embedder)
        expected = 1 if len(embedder.token_spans(text)) else 0
        assert math.isclose(math.hypot(*row), expected, abs_tol=_NEAR)
        assert math.isclose(math.hypot(*_rows(embedder.embed_query(text), embedder)[0]), expected, abs_tol=_NEAR)

    @pytest.mark.parametrize("text", [*_TEXTS, *_ODD], ids=range(len(_TEXTS) + len(_ODD)))
    def test_spans_lie_in_the_text_one_after_another(self, embedder: Embedder, text: str) -> None:
        before, end = 0, 0
        for start, stop in embedder.token_spans(text):
            # Pieces of one character share its place; nothing else overlaps.
            assert end <= start or (start == before and stop == end == start + 1)
            assert start < stop <= len(text)
            before, end = start, stop

    def test_what_lies_behind_the_window_does_not_count(self, embedder: Embedder) -> None:
        text = "word " * (embedder.window + 50)
        assert len(embedder.token_spans(text)) >= embedder.window
        rows = _rows(embedder.embed_passages([text, text + "Nobody reads this. " * 50]), embedder)
        assert _distance(rows[:1], rows[1:]) <= _NEAR

    def test_several_threads_get_what_one_gets(
        self, factory: EmbedderFactory, options: object, embedder: Embedder, cache_folder: Path
    ) -> None:
        shared = factory(EmbedderContext(options, cache_folder, {}))
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(shared.embed_query, _TEXTS[:4] * 2))
        expected = [row for text in _TEXTS[:4] * 2 for row in _rows(embedder.embed_query(text), embedder)]
        assert _distance([row for answer in answers for row in _rows(answer, embedder)], expected) <= _NEAR

    def test_a_cache_that_cannot_be_written_changes_nothing(
        self, factory: EmbedderFactory, options: object, embedder: Embedder, tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        without = factory(EmbedderContext(options, tmp_path / "file" / "cache", {}))
        assert _distance(_rows(without.embed_query("tea"), embedder), _rows(embedder.embed_query("tea"), embedder)) == 0

    def test_importing_it_loads_no_library_and_prints_nothing(self, factory: EmbedderFactory) -> None:
        code = (
            "import importlib, sys; importlib.import_module(sys.argv[1]); heavy = 'numpy', 'onnxruntime', "
            "'tokenizers', 'torch'; sys.exit(' '.join(name for name in heavy if name in sys.modules) or None)"
        )
        module = getattr(factory, "__module__", type(factory).__module__)
        done = subprocess.run([sys.executable, "-c", code, module], capture_output=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def _rows(data: bytes, embedder: Embedder) -> list[tuple[float, ...]]:
    row = struct.Struct(f"<{embedder.dimensions}f")
    assert len(data) % row.size == 0 and data, "vectors are rows of `dimensions` little-endian float32"
    return list(row.iter_unpack(data))


def _distance(first: Sequence[Sequence[float]], second: Sequence[Sequence[float]]) -> float:
    """The largest difference between two numbers of the same place."""
    pairs = [pair for rows in zip(first, second, strict=True) for pair in zip(*rows, strict=True)]
    return max(abs(one - other) for one, other in pairs)
