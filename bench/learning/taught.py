"""A memory whose learned store lies elsewhere, so that the vault itself stays as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import attrs

from ori_memory.evaluation.haystack import Opened
from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.vault.config import Config

__all__ = ["empty_store", "taught"]


class _Taught(Memory):
    @property
    def has_learned(self) -> bool:
        return True


@contextlib.contextmanager
def taught(opened: Opened, store: LearnedStore, config: Config | None = None) -> Iterator[Memory]:
    """The opened vault with what is in the store. `config`: other settings."""
    vault = opened.memory.vault if config is None else attrs.evolve(opened.memory.vault, config=config)
    embedder = opened.memory.embedder
    with _Taught.open(vault, now=opened.memory.now, embedder=embedder, learned=store) as memory:
        yield memory


@contextlib.contextmanager
def empty_store(opened: Opened) -> Iterator[LearnedStore]:
    """One beside the vault, for this run."""
    folder = opened.memory.vault.root.parent / ".learning"
    folder.mkdir(exist_ok=True)
    for file in folder.glob("*"):
        file.unlink()
    with LearnedStore(folder / "learned.db", clock=opened.memory.now) as store:
        yield store
