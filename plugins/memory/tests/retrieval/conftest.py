"""A vault of a few files, asked on a fixed day; further signals and stages are given by the test."""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from ori_memory.app import plugins
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Answer, Asked
from ori_memory.retrieval.corpus import IndexCorpus
from ori_memory.retrieval.parts import Parts
from ori_memory.retrieval.sources import sources_of
from ori_memory.vault.config import Config
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import adopt_vault

sys.path.insert(0, str(Path(__file__).parents[1] / "vectors"))
from hashed_words import HashedWords

TODAY = datetime.date(2024, 6, 12)


@define
class Extended:
    """What is installed, and more."""

    more: Mapping[str, object] = field(factory=dict)

    @property
    def drivers(self) -> Extended:
        return self

    def names(self, group: str) -> tuple[str, ...]:
        return (*plugins().drivers.names(group), *self.more)

    def load(self, group: str, name: str) -> object:
        return self.more[name] if name in self.more else plugins().drivers.load(group, name)


class Shelf:
    """A vault in the making."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.more: dict[str, object] = {}
        """Signals and stages beside those that are installed."""
        self.embedder: Any = "no embedder here"
        self.opened: list[Memory] = []

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def fill(self, notes: Mapping[str, str]) -> Shelf:
        """Notes by their titles."""
        for title, text in notes.items():
            self.write(f"{title}.md", text)
        return self

    def settings(self, text: str) -> None:
        self.write("ori.config.yaml", text)

    def uses(self, *signals: str, stages: str = "[]", more: str = "") -> None:
        """Of the signals these only, of the stages these."""
        weights = {**dict.fromkeys(Config().retrieval.signals, 0), **dict.fromkeys(signals, 1)}
        self.settings(f"retrieval:\n  signals: {json.dumps(weights)}\n  stages: {stages}\n{more}")

    def embed(self) -> None:
        """Make a vector of every passage, by hashed words."""
        from ori_memory.vectors.filling import fill

        self.embedder = HashedWords()
        fill(open_vault(self.root), self.embedder)

    def memory(self) -> Memory:
        vault = open_vault(self.root)
        memory = Memory.open(
            vault,
            now=lambda: datetime.datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=datetime.UTC),
            parts=Parts(lambda: Extended(self.more), vault),  # type: ignore[arg-type,return-value]
            embedder=self.embedder,
        )
        self.opened.append(memory)
        return memory

    def ask(self, text: str, **how: Any) -> Answer:
        return self.memory().ask(Asked(text, **how))

    def titles(self, text: str, **how: Any) -> list[str]:
        return [hit.title for hit in self.ask(text, **how).hits]

    def corpus(self, work: Callable[[IndexCorpus], Any], today: datetime.date = TODAY) -> Any:
        """What `work` gives with the corpus of this vault."""
        memory = self.memory()
        return memory.index.read(
            lambda connection: work(IndexCorpus(connection, today, sources_of(memory, is_fast=False)))
        )


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    root = tmp_path / "vault"
    root.mkdir()
    adopt_vault(root)
    shelf = Shelf(root)
    yield shelf
    for memory in shelf.opened:
        memory.close()


@pytest.fixture
def bread(shelf: Any) -> Any:
    return shelf.fill(
        {
            "Rye": "The dough of rye is sour. Bake it in the [[Oven]].",
            "Wheat": "The dough of wheat is light.",
            "Oven": "It heats for an hour.",
            "Garden": "Tulips in spring.",
        }
    )
