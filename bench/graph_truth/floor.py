"""The floor of reading: parse, captures of the grammar's own tags query, the text and the line of each in Python."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from folder import pack


def floor_seconds(language: str, sources: Iterable[bytes]) -> float:
    """CPU seconds for all sources, on one core."""
    from tree_sitter import Language, Parser, Query, QueryCursor

    module = importlib.import_module(f"tree_sitter_{language}")
    grammar = Language(module.language())
    parser, cursor = Parser(grammar), QueryCursor(Query(grammar, module.TAGS_QUERY))
    began = time.process_time()
    for source in sources:
        rows = []
        for name, nodes in cursor.captures(parser.parse(source).root_node).items():
            rows += [(name, (node.text or b"").decode("utf-8", "replace"), node.start_point[0] + 1) for node in nodes]
    return time.process_time() - began


def ratio(language: str, root: Path, files: Sequence[str], rounds: int = 3) -> dict[str, float]:
    """What a pack needs for these files, and the floor, each the best of some rounds."""
    owner = pack(language)
    sources = [((root / path).read_bytes().replace(b"\r", b""), path) for path in files]
    floors, reads = [], []
    for _ in range(rounds):
        floors.append(floor_seconds(language, [source for source, _ in sources]))
        began = time.process_time()
        for source, path in sources:
            owner.read(source, path, is_final=True)
        reads.append(time.process_time() - began)
    megabytes = sum(len(source) for source, _ in sources) / 1e6
    best, floor = min(reads), min(floors)
    return {
        "mb": round(megabytes, 2),
        "floor_s": round(floor, 3),
        "read_s": round(best, 3),
        "ratio": round(best / floor, 2),
    }
