"""The project as it was last seen: its files, their facts, and everything bound between them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, field

from aries_body.binding.linker import Linker
from aries_body.binding.resolving import Resolving
from aries_body.index.facts import Facts, names_in
from aries_body.index.garbage import without_collection
from aries_body.index.keeping import keep, restore
from aries_body.index.packs import Packs
from aries_body.index.reading import read_file, suffix_of
from aries_body.index.relisting import relisted
from aries_body.index.rows import FileRow
from aries_body.index.store import Store, place_of
from aries_body.index.taking import Progress, Refreshed, take
from aries_body.tree.limits import Limits
from aries_body.tree.listing import Listing, Signature, list_tree, signature_of
from aries_body.tree.source import Unreadable, decoded, read_bytes
from aries_kernel.contracts import Import
from aries_kernel.discovery.report import described_error

__all__ = ["Project"]

_FACTS_AT_HAND = 400
_SAVED_AFTER = 200
"""Changes that are worth writing down before the end."""


@define(eq=False)
class Project:
    """Use `Project.open`. One thread at a time."""

    root: Path
    packs: Packs
    limits: Limits
    store: Store
    processes: int | None = None
    with_nested: bool = False
    now: Callable[[], int] = time.time_ns
    """Nanoseconds, by the clock that file systems use."""
    rows: dict[str, FileRow] = field(factory=dict, init=False)
    """All files, by path; sorted."""
    sources: Sequence[str] = field(default=(), init=False)
    """Paths of source files, sorted; the same object for as long as they are the same."""
    generation: int = field(default=0, init=False)
    """Grows when sources change; what was computed from facts and edges holds for one generation."""
    linker: Linker = field(init=False)
    _listing: Listing = field(factory=lambda: Listing({}, {}, ()), init=False)
    _facts: dict[str, Facts] = field(factory=dict, init=False)
    _most_facts: int = field(default=_FACTS_AT_HAND, init=False)
    _tests: dict[str, bool] = field(factory=dict, init=False)
    _by_name: dict[str, list[str]] | None = field(default=None, init=False)
    _unsaved: int = field(default=0, init=False)
    _lost: set[str] = field(factory=set, init=False)
    """Files whose facts neither the cache nor the disk has any more as they were."""

    def __attrs_post_init__(self) -> None:
        self.linker = Linker(self, Resolving(self, self.packs), self.store)

    @classmethod
    def open(
        cls,
        root: Path,
        *,
        cache_folder: Path | None,
        packs: Packs | None = None,
        limits: Limits | None = None,
        processes: int | None = None,
        with_nested: bool = False,
        progress: Progress | None = None,
        now: Callable[[], int] = time.time_ns,
    ) -> Project:
        """The project at `root` as it is now. `cache_folder` None: nothing is kept. `processes` None: one a core."""
        store = Store(None if cache_folder is None else place_of(cache_folder, root))
        project = cls(
            root, packs or Packs.installed(cache_folder), limits or Limits(), store, processes, with_nested, now
        )
        restore(project)
        project.refresh(progress=progress)
        project.save()
        return project

    def close(self) -> None:
        """Keep what is known for the next time."""
        self.save()
        self.store.close()

    def save(self) -> None:
        """Keep the state of now, where it differs from the one that is kept."""
        if self._unsaved and self.store.place is not None:
            with without_collection():
                keep(self)
        self._unsaved = 0

    def refresh(self, paths: Iterable[str] | None = None, progress: Progress | None = None) -> Refreshed:
        """Take over what changed on the disk. `paths`: all that may have changed; None: look at everything."""
        listing, named = None, None
        if paths is not None:
            named = {*paths, *self._lost}
            listing = relisted(self.root, self._listing, sorted(named), self.limits)
        self._lost.clear()
        if listing is None:
            listing, named = list_tree(self.root, self.limits, with_nested=self.with_nested), None
        with without_collection():
            found = take(self, listing, progress, named)
        self._most_facts = _FACTS_AT_HAND
        self._forget_facts(_FACTS_AT_HAND)
        if found.bound or found.added or found.changed or found.removed:
            self._unsaved += len(found.texts) + len(found.bound)
            self.generation += 1
        elif any(path in self.rows and not self.rows[path].is_young for path in found.texts):
            self._unsaved += 1  # They were too young to be trusted: who looks the next time need not read them again.
        if self._unsaved >= _SAVED_AFTER:
            self.save()
        return found

    def remember(self, recent: Mapping[str, Facts]) -> None:
        """What was just read is asked for twice while it is bound."""
        self._facts |= recent
        self._most_facts = _FACTS_AT_HAND + len(recent)

    def take_over(self, rows: dict[str, FileRow], listing: Listing) -> None:
        """`rows` are what `listing` says; what was remembered of other ones is forgotten."""
        before, self.rows, self._listing = self.rows, rows, listing
        for path in [path for path in self._facts if path not in rows or rows[path].key != before[path].key]:
            del self._facts[path]
        sources = [path for path, row in rows.items() if row.key]
        if sources != self.sources:
            self.sources = sources
        if rows.keys() != before.keys():
            self._by_name = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of any answer should know."""
        packs = tuple(f".{suffix}: {reason}" for suffix, reason in sorted(self.packs.problems.items()))
        resolvers = tuple(f"{name}: {reason}" for name, reason in sorted(self.linker.resolving.problems.items()))
        kept = (self.store.note,) if self.store.note else ()
        return (*self._listing.notes, *packs, *resolvers, *kept)

    @property
    def skipped(self) -> dict[str, str]:
        """Everything that is left out and why, folders with a slash at their end; sorted."""
        own = {path: row.skipped for path, row in self.rows.items() if row.skipped}
        return dict(sorted({**self._listing.skipped, **own}.items()))

    @property
    def links(self) -> Mapping[str, str]:
        """Links to files and folders of the tree, and where each leads."""
        return self._listing.links

    def facts(self, path: str) -> Facts:
        """What a source file says."""
        found = self._facts.pop(path, None)
        if found is None:
            parts = self.store.parts(self.rows[path].key)
            found = Facts(parts) if parts is not None else self._read_again(path)
        self._forget_facts(self._most_facts - 1)
        self._facts[path] = found
        return found

    def symbol_names(self, paths: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The names of all symbols of files, plain and qualified, by their places; for many files at once."""
        known = [path for path in paths if self.is_source(path)]
        for start in range(0, len(known), _FACTS_AT_HAND):
            part = known[start : start + _FACTS_AT_HAND]
            kept = self.store.definitions([self.rows[path].key for path in part])
            for path in part:
                data = kept.get(self.rows[path].key)
                yield path, names_in(data) if data is not None else [one[:2] for one in self.facts(path).symbols]

    def facts_before(self, path: str, key: bytes) -> Facts | None:
        """What a file said when its facts had this key; None where nobody knows any more."""
        parts = self.store.parts(key)
        return None if parts is None else Facts(parts)

    def is_source(self, path: str) -> bool:
        row = self.rows.get(path)
        return row is not None and row.is_source

    def namespace(self, path: str) -> str:
        return self.rows[path].summary.namespace

    def language(self, path: str) -> str:
        return self.rows[path].summary.language

    def imports(self, path: str) -> Sequence[Import]:
        """What a source file imports."""
        return self.facts(path).imports

    def is_test(self, path: str) -> bool:
        """Whether a source file is a test, by the customs of its language."""
        found = self._tests.get(path)
        if found is None:
            pack = self.packs.named(self.language(path)) or self.packs.get(suffix_of(path))
            try:
                found = pack is not None and pack.is_test(path)
            except Exception as error:  # A stranger's code: the file counts as no test.
                self.packs.problems.setdefault(suffix_of(path), f"is_test fails: {described_error(error)}")
                found = False
            self._tests[path] = found
        return found

    def settings_text(self, path: str) -> str | None:
        """The text of any file below the root; None where there is none that can be read."""
        if not _is_plain(path):
            return None
        try:
            return decoded(read_bytes(f"{self.root}/{path}", self.limits.max_file_bytes)).data.decode("utf-8")
        except Unreadable:
            return None

    def settings_signature(self, path: str) -> Signature | None:
        """Of any file below the root."""
        return signature_of(os.fspath(self.root), path) if _is_plain(path) else None

    def named(self, name: str) -> Sequence[str]:
        """All files of the project with this name."""
        if self._by_name is None:
            self._by_name = {}
            for path in self.rows:
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        return self._by_name.get(name, ())

    def text(self, path: str) -> str:
        """The text of a file as it is on the disk now, decoded as when it was indexed.

        Raises: Unreadable.
        """
        raw = read_bytes(f"{self.root}/{path}", self.limits.max_file_bytes)
        return decoded(raw, self.packs.encoding(suffix_of(path))).data.decode("utf-8", "replace")

    def _forget_facts(self, most: int) -> None:
        """Of the files that nobody asked for the longest."""
        while len(self._facts) > most:
            del self._facts[next(iter(self._facts))]

    def _read_again(self, path: str) -> Facts:
        """Facts that the cache lost. Where the file is another one by now, it is looked at with the next refresh."""
        reading = read_file(os.fspath(self.root), path, self.limits.max_file_bytes, self.packs)
        if reading.key != self.rows[path].key:
            self._lost.add(path)
        if not reading.key:
            return Facts.empty()
        self.store.keep([(reading.key, reading.summary, reading.parts)])
        return Facts(reading.parts)


def _is_plain(path: str) -> bool:
    """Whether a path stays below the root."""
    parts = path.split("/")
    return bool(path) and "\0" not in path and not Path(path).is_absolute() and not {"..", ""} & set(parts)
