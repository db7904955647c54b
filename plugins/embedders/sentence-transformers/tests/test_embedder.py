"""The embedder `sentence-transformers`: the contract, prefixes, and the same meaning as `minilm` gives."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy
import pytest

from aries_kernel.contracts.embedder import Embedder, EmbedderContext, EmbedderFactory
from aries_kernel.errors import UserError
from aries_kernel.testing.embedder_suite import EmbedderSuite
from ori_embedder_sentence_transformers import Options, SentenceTransformers

Make = Callable[..., SentenceTransformers]
TEXTS = (
    "tea",
    "Green tea is brewed at 80 degrees; above that it turns bitter.",
    "def main() -> None:\n    print('{}'.format(1_000))",
    "Grün ist der Tee, 緑茶 ist er auch; شاي",
    "The mill by the river was built in 1842. " * 60,
)


class TestSentenceTransformers(EmbedderSuite):
    @pytest.fixture
    def factory(self) -> EmbedderFactory:
        return SentenceTransformers

    @pytest.fixture
    def options(self, factory: EmbedderFactory, folder: Path) -> Options:
        return Options(model=str(folder), device="cpu")

    @pytest.fixture
    def embedder(self, loaded: SentenceTransformers) -> Embedder:
        return loaded


@pytest.fixture(scope="module")
def loaded(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> SentenceTransformers:
    """One for many tests, since loading takes its time."""
    options = Options(model=str(folder), device="cpu")
    return SentenceTransformers(EmbedderContext(options, tmp_path_factory.mktemp("cache"), {}))


@pytest.fixture
def make(folder: Path, tmp_path: Path) -> Make:
    def make(**options: Any) -> SentenceTransformers:
        return SentenceTransformers(EmbedderContext(Options(**{"model": str(folder)} | options), tmp_path / "c", {}))

    return make


def vectors(data: bytes) -> Any:
    return numpy.frombuffer(data, "<f4").reshape(-1, 384)


def test_the_entry_point_names_it() -> None:
    (found,) = entry_points(group="ori.embedders", name="sentence-transformers")
    assert found.load() is SentenceTransformers


def test_its_vectors_are_those_of_the_model_with_eight_bits(make: Make, tmp_path: Path) -> None:
    minilm = pytest.importorskip("ori_embedder_minilm")
    other: Embedder = minilm.MiniLm(EmbedderContext(minilm.Options(), tmp_path, {}))
    ours = make()
    assert (ours.dimensions, ours.window) == (other.dimensions, other.window)
    cosines = (vectors(ours.embed_passages(TEXTS)) * vectors(other.embed_passages(TEXTS))).sum(axis=1)
    assert cosines.min() >= 0.99
    assert [list(ours.token_spans(text)) for text in TEXTS] == [list(other.token_spans(text)) for text in TEXTS]


def test_prefixes_stand_before_the_texts(make: Make) -> None:
    plain, prefixed = make(), make(query_prefix="query: ", passage_prefix="passage: ")
    expected = vectors(plain.embed_passages(["query: tea", "passage: tea"]))
    found = vectors(prefixed.embed_query("tea") + prefixed.embed_passages(["tea"]))
    assert abs(found - expected).max() < 1e-5
    assert not any(prefixed.embed_query(" "))


def test_prefixes_that_the_model_names_are_used_unless_the_settings_say_otherwise(
    make: Make, folder: Path, tmp_path: Path
) -> None:
    named = shutil.copytree(folder, tmp_path / "named")
    (named / "config_sentence_transformers.json").write_text(
        '{"prompts": {"query": "query: ", "document": "passage: "}}', encoding="utf-8"
    )
    expected = vectors(make().embed_passages(["query: tea", "passage: tea", "tea"]))
    given, silent = make(model=str(named)), make(model=str(named), query_prefix="")
    found = given.embed_query("tea") + given.embed_passages(["tea"]) + silent.embed_query("tea")
    assert abs(vectors(found) - expected).max() < 1e-5


def test_a_prefix_is_part_of_the_fingerprint(make: Make) -> None:
    found = {make().fingerprint, make(query_prefix="query: ").fingerprint, make(passage_prefix="").fingerprint}
    assert len(found) == 3


def test_a_device_that_is_not_there_is_an_error_with_a_cure(make: Make) -> None:
    import torch

    missing = "mps" if torch.cuda.is_available() else "cuda"
    with pytest.raises(UserError, match=r"set embedders\.sentence-transformers.device to auto or cpu"):
        make(device=missing).embed_query("tea")


def test_weights_that_are_broken_are_an_error_with_a_cure(make: Make, folder: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(folder, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(UserError, match=r"broken cannot be loaded.*Check embedders"):
        make(model=str(broken)).embed_query("tea")


def test_loading_prints_nothing(make: Make, capfd: pytest.CaptureFixture[str]) -> None:
    make().embed_query("tea")
    assert capfd.readouterr() == ("", "")
