"""What is searched, and what is asked of it: the vaults of a data set, or the vault of a person."""

from __future__ import annotations

import contextlib
import datetime
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import attrs
from attrs import define, field, frozen

from aries_kernel.errors import UserError
from ori_memory.evaluation.dataset import DataSet, Document, Query
from ori_memory.evaluation.vaults import cache_folder, forget_broken, keep_vault
from ori_memory.memory import Memory
from ori_memory.vault.config import Config

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder

__all__ = ["POOLS", "Haystack", "Opened", "Pool", "Trial", "trial_of"]

Pool = Literal["pooled", "group", "candidates"]
"""All documents at once, a vault for each group, or for each question the documents of its own."""
POOLS: tuple[str, ...] = get_args(Pool)


@frozen
class Opened:
    """A vault in use, with its notes as documents."""

    memory: Memory
    ids: Mapping[str, str]
    """Path of the note: id of the document; other notes do not count."""
    documents: Callable[[], Sequence[Document]]
    """For rankers that keep no index of their own."""


@frozen
class Haystack:
    """One vault and its questions."""

    label: str
    queries: tuple[Query, ...]
    size: int
    opening: Callable[[], contextlib.AbstractContextManager[Opened]]


@frozen
class Trial:
    """All that is asked in one evaluation."""

    name: str
    unit: str
    pool: str
    haystacks: tuple[Haystack, ...]
    left_out: Mapping[str, int] = field(factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def question_count(self) -> int:
        return sum(len(one.queries) for one in self.haystacks)


def trial_of(
    dataset: DataSet, pool: Pool | None = None, *, folder: Path | None = None, config: Config | None = None
) -> Trial:
    """The vaults of a data set. `pool`: None means `group` where the documents have groups, else `pooled`.

    `folder`: where vaults are kept. `config`: other settings than the defaults.
    Raises: UserError where the set does not fit the pool.
    """
    chosen = pool or ("group" if dataset.has_groups else "pooled")
    parts, left_out = _PARTS[chosen](dataset)
    if not parts:
        raise UserError(f"{dataset.name} has nothing for --pool {chosen}; try one of the others: {', '.join(POOLS)}.")
    place, shared = folder or cache_folder(), _Shared()
    haystacks = tuple(
        Haystack(label, tuple(queries), len(documents), _opener(label, documents, place, config, shared))
        for label, documents, queries in parts
    )
    counted = Counter(dataset.left_out) + left_out
    return Trial(dataset.name, dataset.unit, chosen, haystacks, dict(counted), dataset.warnings)


_Part = tuple[str, Sequence[Document], Sequence[Query]]


def _pooled(dataset: DataSet) -> tuple[list[_Part], Counter[str]]:
    return [(dataset.name, dataset.documents, dataset.queries)], Counter()


def _by_group(dataset: DataSet) -> tuple[list[_Part], Counter[str]]:
    documents: dict[str, list[Document]] = {}
    for document in dataset.documents:
        documents.setdefault(document.group, []).append(document)
    queries: dict[str, list[Query]] = {}
    left_out: Counter[str] = Counter()
    for query in dataset.queries:
        of = {document.id for document in documents.get(query.group, ())}
        if query.group and of.issuperset(query.gold):
            queries.setdefault(query.group, []).append(query)
        else:
            left_out["without a group" if not query.group else "with gold outside their group"] += 1
    return [(f"{dataset.name}-{group}", documents[group], asked) for group, asked in queries.items()], left_out


def _own(dataset: DataSet) -> tuple[list[_Part], Counter[str]]:
    known = {document.id: document for document in dataset.documents}
    asked = [query for query in dataset.queries if query.candidates]
    left_out = Counter({"without candidates": len(dataset.queries) - len(asked)})
    parts: list[_Part] = [
        (f"{dataset.name}-{query.id}", [known[id] for id in query.candidates], [query]) for query in asked
    ]
    return parts, +left_out


_PARTS: dict[str, Callable[[DataSet], tuple[list[_Part], Counter[str]]]] = {
    "pooled": _pooled,
    "group": _by_group,
    "candidates": _own,
}


@define
class _Shared:
    """What all vaults of a trial use: loading a model for each of two hundred would take longer than the questions."""

    embedder: Embedder | str | None = None


def _opener(
    label: str, documents: Sequence[Document], folder: Path, config: Config | None, shared: _Shared
) -> Callable[[], contextlib.AbstractContextManager[Opened]]:
    @contextlib.contextmanager
    def opened() -> Iterator[Opened]:
        kept = keep_vault(label, documents, folder)
        vault = kept.vault if config is None else attrs.evolve(kept.vault, config=config)
        noon = datetime.datetime.combine(kept.today, datetime.time(12), datetime.UTC)
        with Memory.open(vault, now=lambda: noon, embedder=shared.embedder) as memory:
            shared.embedder = memory.embedder
            memory.index.sync()  # So that no question pays for it.
            forget_broken(vault)
            yield Opened(memory, kept.documents, lambda: documents)

    return opened
