"""The floor of reading: parse, captures of one query, the text and the line of each node in Python."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from folder import pack


def floor_seconds(language: str, sources: Sequence[bytes], query: str) -> float:
    """CPU seconds for all sources, on one core."""
    from tree_sitter import Language, Parser, Query, QueryCursor

    grammar = Language(importlib.import_module(f"tree_sitter_{language}").language())
    parser, cursor = Parser(grammar), QueryCursor(Query(grammar, query))
    began = time.process_time()
    for source in sources:
        rows = []
        for name, nodes in cursor.captures(parser.parse(source).root_node).items():
            rows += [(name, (node.text or b"").decode("utf-8", "replace"), node.start_point[0] + 1) for node in nodes]
    return time.process_time() - began


def ratio(language: str, root: Path, paths: Sequence[str], rounds: int = 3) -> dict[str, float]:
    """What a pack needs for these files against two floors, each the best of some rounds.

    `floor_s` takes the query of the pack, so that both see the same nodes; `tags_floor_s` the query for tags that comes
    with the grammar: definitions and calls, no scopes, no other names.
    """
    owner = pack(language)
    own = files(f"aries_language_{language}").joinpath("facts.scm").read_text(encoding="utf-8")
    tags = importlib.import_module(f"tree_sitter_{language}").TAGS_QUERY
    sources = [((root / path).read_bytes().replace(b"\r", b""), path) for path in paths]
    texts = [source for source, _ in sources]
    floors, tag_floors, reads = [], [], []
    for _ in range(rounds):
        floors.append(floor_seconds(language, texts, own))
        tag_floors.append(floor_seconds(language, texts, tags))
        began = time.process_time()
        for source, path in sources:
            owner.read(source, path, is_final=True)
        reads.append(time.process_time() - began)
    best, floor, tag_floor = min(reads), min(floors), min(tag_floors)
    return {
        "mb": round(sum(map(len, texts)) / 1e6, 2),
        "read_s": round(best, 3),
        "floor_s": round(floor, 3),
        "ratio": round(best / floor, 2),
        "tags_floor_s": round(tag_floor, 3),
        "ratio_to_tags": round(best / tag_floor, 2),
    }
