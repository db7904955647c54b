"""Summaries of the project that are kept with its index, so that the next session has one without opening it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from aries_body.index.store import Store, place_of
from aries_body.operations.results import Signature
from aries_body.operations.signature import BUDGETS, signature_of

if TYPE_CHECKING:
    from aries_body.index.project import Project
    from aries_body.operations.symbols import Symbols
    from aries_body.operations.view import View

__all__ = ["keep_overviews", "kept_overview", "kept_signature"]

_NAME = "overviews"
_OUTDATED = 0.01
"""The share of files that may be others before a summary is made again."""
_MARK = 4


def kept_overview(root: Path, cache_folder: Path, level: str) -> str | None:
    """The summary of the project at `root` when it was last indexed; None where none is kept. Reads one row."""
    place = place_of(cache_folder, root)
    if not place.is_file():
        return None
    store = Store(place)
    try:
        value: Any = store.state(_NAME)
        text = value["texts"][level] if value is not None else None
    except (TypeError, KeyError):
        return None  # Somebody else's.
    finally:
        store.close()
    return text if isinstance(text, str) else None


def kept_signature(project: Project, level: str) -> Signature | None:
    """The summary at its usual length, where nothing changed since it was kept."""
    value: Any = project.store.state(_NAME)
    try:
        if value["files"] != _files(project):
            return None
        text = value["texts"][level]
    except (TypeError, KeyError):
        return None
    return Signature.of(level, text)


def keep_overviews(project: Project, view: View, symbols: Symbols) -> None:
    """Make the summaries of all levels anew, where there are none or too many files are others by now."""
    if project.store.place is None or not project.sources:
        return
    files, value = _files(project), project.store.state(_NAME)
    if isinstance(value, dict) and _share_of_others(files, value.get("files")) < _OUTDATED:
        return
    texts = {level: signature_of(project, view, symbols, level, BUDGETS[level]).markdown for level in BUDGETS}
    project.store.keep_value(_NAME, {"files": files, "texts": texts})


def _files(project: Project) -> bytes:
    """A mark of each source file with its content."""
    rows = project.rows
    marks = (crc32(rows[path].key, crc32(path.encode("utf-8", "surrogatepass"))) for path in project.sources)
    return b"".join(mark.to_bytes(_MARK, "big") for mark in marks)


def _share_of_others(now: bytes, before: object) -> float:
    if not isinstance(before, bytes):
        return 1.0
    mine, theirs = _marks(now), _marks(before)
    return len(mine ^ theirs) / (2 * max(1, len(mine)))


def _marks(data: bytes) -> set[bytes]:
    return {data[place : place + _MARK] for place in range(0, len(data), _MARK)}
