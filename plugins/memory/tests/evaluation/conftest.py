"""Small data sets, written where a test needs them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write_set(tmp_path: Path) -> Write:
    """Writes a data set and gives its folder; `packed` as gzip, `sessions` where there are any."""

    def write(
        corpus: Sequence[Any],
        queries: Sequence[Any],
        sessions: Sequence[Any] = (),
        *,
        packed: bool = False,
        name: str = "tiny",
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for file, rows in (("corpus", corpus), ("queries", queries), ("sessions", sessions)):
            if rows or file != "sessions":
                lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
                data = ("\n".join(lines) + "\n").encode()
                place = folder / f"{file}.jsonl{'.gz' if packed else ''}"
                place.write_bytes(gzip.compress(data) if packed else data)
        return folder

    return write


@pytest.fixture
def tea() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Five documents in two scripts and four questions, one of them without an answer."""
    corpus = [
        {"id": "d1", "title": "Green tea", "text": "Green tea is brewed at eighty degrees."},
        {"id": "d2", "title": "Black tea", "text": "Black tea wants boiling water and four minutes."},
        {"id": "d3", "title": "", "text": "--- a text that begins with dashes\n\nKettles of copper get warm quickly."},
        {"id": "d4", "title": 'A "quoted": title #1', "text": "Cups made of porcelain keep their colour."},
        {"id": 5, "title": "抹茶", "text": "抹茶用八十度的水冲泡。"},
    ]
    queries = [
        {"id": "q1", "text": "degrees for green tea", "gold": ["d1"], "category": "heat", "candidates": ["d1", "d2"]},
        {"id": "q2", "text": "copper kettles", "gold": ["d3"], "category": "ware", "candidates": ["d3", "d4"]},
        {"id": "q3", "text": "抹茶冲泡", "gold": [5], "category": "heat"},
        {"id": "q4", "text": "coffee", "gold": ["d2"], "category": "adversarial"},
    ]
    return corpus, queries
