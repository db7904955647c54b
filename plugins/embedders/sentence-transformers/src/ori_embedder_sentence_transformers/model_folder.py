"""Where a model lies on this machine, and what its content is called."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from aries_kernel.local_models import model_folder
from ori_embedder_sentence_transformers.options import Options

__all__ = ["digest", "find_folder"]

_SMALL = ("*.json", "*.txt", "*.model", "*.py")
"""Configuration, vocabulary and program text: all that shapes a vector beside the weights."""
_ELSEWHERE = ("onnx/*", "openvino/*", "coreml/*")
"""The same weights for other programs."""
_MEMORY = "sentence-transformers-digests.json"


def find_folder(options: Options) -> Path:
    """The folder of the model, fetched first where that is allowed.

    Raises: UserError where it is not on this machine, or cannot be fetched.
    """
    folder = model_folder(options.model)
    if folder is not None:
        return folder
    # As sentence-transformers does: a plain name is one of its own.
    name = options.model if "/" in options.model else f"sentence-transformers/{options.model}"
    cached = _cached(name)
    if options.allow_download:
        return _fetched(name, cached)
    if cached is None:
        raise UserError(
            f"The model {options.model} is not on this machine: it is no folder, and not in the cache of the hub. "
            "Set embedders.sentence-transformers.allow_download: true to fetch it, or `model` to a folder."
        )
    return cached


def digest(folder: Path, cache_folder: Path) -> str:
    """The SHA-256 of all files that shape a vector, by their places and contents.

    A file is hashed once for each path, size and time of change, which `cache_folder` remembers.
    """
    known = _remembered(cache_folder)
    found = {path: _file_digest(path, known.get(str(path))) for path in sorted(_files(folder))}
    if any(known.get(str(path)) != list(one) for path, one in found.items()):
        _remember(cache_folder, known | {str(path): one for path, one in found.items()})
    lines = [f"{path.relative_to(folder).as_posix()} {one[2]}\n" for path, one in found.items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _file_digest(path: Path, known: object) -> tuple[int, int, str]:
    stat = path.stat()
    match known:
        case [stat.st_size, stat.st_mtime_ns, str(one)]:
            return stat.st_size, stat.st_mtime_ns, one
    with path.open("rb") as file:
        return stat.st_size, stat.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    weights = {path.parent for path in folder.rglob("*.safetensors")}
    for path in folder.rglob("*"):
        place = path.relative_to(folder)
        if any(place.match(pattern) for pattern in _ELSEWHERE) or place.parts[0].startswith(".") or not path.is_file():
            continue
        is_weight = path.suffix == ".safetensors" or (path.suffix == ".bin" and path.parent not in weights)
        if is_weight or any(path.match(pattern) for pattern in _SMALL):
            yield path


def _cached(name: str) -> Path | None:
    """The folder in the cache of the hub, whoever put it there; None where weights are missing."""
    from huggingface_hub import try_to_load_from_cache

    for file in ("modules.json", "config.json"):
        with contextlib.suppress(ValueError):  # A name that the hub would not take.
            found = try_to_load_from_cache(name, file)
            if isinstance(found, str) and _has_weights(Path(found).parent):
                return Path(found).parent
    return None


def _fetched(name: str, cached: Path | None) -> Path:
    """What is cached and whole, else what the hub has; the hub is asked only then, and goes on where it was cut."""
    with contextlib.suppress(OSError, ValueError):
        return _snapshot(name, is_local=True)
    try:
        return _snapshot(name, is_local=False)
    except (OSError, ValueError) as error:
        if cached is not None:
            return cached
        told = str(error).splitlines() or [type(error).__name__]
        raise UserError(
            f"The model {name} could not be fetched from the hub: {told[0]} "
            "Check the name and the network, or set `model` to a folder."
        ) from error


def _snapshot(name: str, *, is_local: bool) -> Path:
    from huggingface_hub import snapshot_download

    for weights in ("*.safetensors", "*.bin"):
        wanted = [*_SMALL, "*/*.bin", weights]
        folder = Path(
            snapshot_download(name, allow_patterns=wanted, ignore_patterns=[*_ELSEWHERE], local_files_only=is_local)
        )
        if _has_weights(folder):
            return folder
    raise FileNotFoundError("There are no weights in it that torch reads.")


def _has_weights(folder: Path) -> bool:
    return any(path.suffix in (".safetensors", ".bin") for path in _files(folder))


def _remembered(folder: Path) -> dict[str, object]:
    try:
        known = json.loads((folder / _MEMORY).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def _remember(folder: Path, known: dict[str, object]) -> None:
    # Without a cache that can be written the next start hashes again.
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        replace_bytes(folder / _MEMORY, json.dumps(known).encode())
