"""Small graphs in a line of text, and the real vaults where they are there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ori_memory.graph.edges import Edge
from ori_memory.graph.graph import LinkWeights, NoteGraph
from ori_memory.model import NoteRecord

Make = Callable[..., NoteGraph]


def note(name: str, **more: object) -> NoteRecord:
    return NoteRecord(id=f"id-{name}", path=name, title=name, **more)  # type: ignore[arg-type]


def edges_of(text: str) -> list[Edge]:
    """`a>b a~c`: a links to b, the text of a mentions c."""
    kinds = {">": "wiki", "~": "suggested", "!": "embed"}
    words = [(word, next(sign for sign in kinds if sign in word)) for word in text.split()]
    return [Edge(*word.split(sign), kinds[sign]) for word, sign in words]


@pytest.fixture
def make() -> Make:
    def build(text: str, extra: str = "", weights: LinkWeights | None = None) -> NoteGraph:
        edges = edges_of(text)
        names = {name for edge in edges for name in edge[:2]} | set(extra.split())
        return NoteGraph.build([note(name) for name in names], edges, weights)

    return build


def vaults() -> Path | None:
    given = os.environ.get("ORI_TEST_DATA")
    folders = [Path(given)] if given else [up / "shared" / "data" for up in Path(__file__).resolve().parents]
    return next((folder / "vaults" for folder in folders if (folder / "vaults").is_dir()), None)
