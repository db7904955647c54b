"""Where a model is found, and what its content is called."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.contracts.embedder import EmbedderContext
from aries_kernel.errors import UserError
from ori_embedder_sentence_transformers import Options, SentenceTransformers

HUB = Path(os.environ.get("HF_HUB_CACHE") or Path(os.environ.get("HF_HOME", "~/.cache/huggingface")) / "hub")


def made(cache: Path, **options: Any) -> SentenceTransformers:
    return SentenceTransformers(EmbedderContext(Options(**options), cache, {}))


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "model")


def test_a_model_that_is_not_here_is_not_fetched_unasked(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nobody/such-model is not on this machine.*allow_download: true"):
        _ = made(tmp_path, model="nobody/such-model").fingerprint


def test_a_name_that_the_hub_would_not_take_is_not_here(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not on this machine"):
        _ = made(tmp_path, model="a b/c d").fingerprint


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no model"):
        _ = made(tmp_path, model=str(tmp_path)).fingerprint


def test_a_model_in_the_cache_of_the_hub_is_found_by_its_name(folder: Path, tmp_path: Path) -> None:
    place = HUB.expanduser() / "models--somebody--tea"
    shutil.copytree(folder, place / "snapshots" / "1234")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("1234", encoding="utf-8")
    try:
        found = made(tmp_path, model="somebody/tea")
        assert len(found.embed_query("tea")) == 4 * found.dimensions
        (place / "snapshots" / "1234" / "model.safetensors").unlink()
        with pytest.raises(UserError, match="is not on this machine"):
            made(tmp_path, model="somebody/tea").embed_query("tea")
    finally:
        shutil.rmtree(place)


def test_the_fingerprint_follows_the_content_not_the_place(copy: Path, folder: Path, tmp_path: Path) -> None:
    before = made(tmp_path, model=str(copy)).fingerprint
    assert before == made(tmp_path, model=str(folder)).fingerprint
    (copy / "README.md").write_text("Nothing of the model.", encoding="utf-8")
    assert made(tmp_path, model=str(copy)).fingerprint == before
    config = copy / "sentence_bert_config.json"
    config.write_text(json.dumps({"max_seq_length": 128}), encoding="utf-8")
    changed = made(tmp_path, model=str(copy))
    assert changed.fingerprint != before and changed.window == 128


def test_weights_are_hashed_once_for_each_time_of_change(copy: Path, tmp_path: Path) -> None:
    before = made(tmp_path, model=str(copy)).fingerprint
    weights = copy / "model.safetensors"
    stat, data = weights.stat(), weights.read_bytes()
    weights.write_bytes(data[:-1] + b"\x01")
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert made(tmp_path, model=str(copy)).fingerprint == before
    os.utime(weights, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**9))
    assert made(tmp_path, model=str(copy)).fingerprint != before


@pytest.mark.parametrize("content", ["", "[]", '{"x": 1}', "\x00"])
def test_a_memory_of_digests_that_cannot_be_read_is_written_anew(copy: Path, tmp_path: Path, content: str) -> None:
    before = made(tmp_path, model=str(copy)).fingerprint
    (memory,) = tmp_path.glob("*.json")
    memory.write_text(content, encoding="utf-8")
    assert made(tmp_path, model=str(copy)).fingerprint == before
    assert len(json.loads(memory.read_text(encoding="utf-8"))) > 3
