"""Embedding what is missing: in a useful order, in small steps, each of which is kept."""

from __future__ import annotations

import datetime
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from aries_kernel.errors import UserError
from ori_memory.index.opening import Busy, Unwritable
from ori_memory.vectors.passages import Cut, cut_note
from ori_memory.vectors.planning import Candidate, ask, candidates, in_order, is_there, note_text
from ori_memory.vectors.store import NoteStamp, Placed, VectorStore, digest_of
from ori_memory.vectors.working import is_asked_to_stop, working

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder
    from ori_memory.vault.vault import Vault

__all__ = ["FillProgress", "FillReport", "Limits", "fill"]

_BATCH = 16
"""Passages that are embedded and kept together: seconds of work, which is what a kill may lose."""
_GROUP = 128
"""Passages that are sorted by length together."""
_TOKENS_A_WORD, _TOKENS_A_PASSAGE = 1.4, 160


@frozen
class Limits:
    """How much to do. None: all."""

    seconds: float | None = None
    passages: int | None = None
    should_stop: Callable[[], bool] = lambda: False


@frozen
class FillProgress:
    """How far it is."""

    done: int
    total: int
    """Passages, those of notes that were not cut yet being estimated."""
    tokens_per_second: float


@frozen
class FillReport:
    """What one filling did."""

    notes: int = 0
    """Notes that have all their vectors now."""
    embedded: int = 0
    """Passages that the model was asked for; the others were known."""
    removed: int = 0
    """Notes that are gone, and whose vectors went."""
    cut_short: tuple[str, ...] = ()
    """Titles of notes with more passages than are taken."""
    left: int = 0
    """Notes that still want vectors."""
    stopped: str = ""
    """Why it ended before all was done."""
    notices: tuple[str, ...] = ()


def fill(
    vault: Vault,
    embedder: Embedder,
    *,
    limits: Limits | None = None,
    progress: Callable[[FillProgress], None] | None = None,
    force: bool = False,
    clock: Callable[[], float] = time.monotonic,
    now: datetime.datetime | None = None,
) -> FillReport:
    """Embed what the index holds and the store does not. May be stopped at any point, by a kill too.

    `force`: everything anew.
    Raises: AlreadyWorking; UserError where the vault cannot be written or the model cannot be used.
    """
    from ori_memory.index.index import open_index

    with working(vault.state_folder):
        with open_index(vault) as index:
            if index.status().is_temporary:
                raise UserError(f"{vault.state_folder} cannot be written. Nothing can be embedded.")
            report = index.report
        is_complete = not (report.is_stale or report.scan_errors or report.withheld)
        try:
            with VectorStore.open(vault.state_folder, embedder.fingerprint, embedder.dimensions) as store:
                if force:
                    store.clear()
                filling = _Filling(
                    vault,
                    embedder,
                    store,
                    limits or Limits(),
                    progress,
                    clock,
                    now or datetime.datetime.now(datetime.UTC),
                )
                return filling.run(is_complete)
        except (Unwritable, Busy, OSError) as error:
            if not vault.index_path.exists():
                return FillReport(stopped="the vault is gone")
            raise UserError(f"Vectors cannot be kept in {vault.state_folder}: {error}.") from error


class _Stopped(Exception):
    """Enough for now."""


@frozen
class _Work:
    """A note that was cut."""

    stamp: NoteStamp
    cut: Cut
    placed: tuple[Placed, ...]


@define
class _Filling:
    vault: Vault
    embedder: Embedder
    store: VectorStore
    limits: Limits
    progress: Callable[[FillProgress], None] | None
    clock: Callable[[], float]
    now: datetime.datetime
    report: FillReport = field(factory=FillReport)
    _start: float = 0.0
    _tokens: int = 0
    _ahead: int = 0
    """Passages that are still to be embedded, about."""

    def run(self, is_complete: bool) -> FillReport:
        self._start = self.clock()
        try:
            self._work(is_complete)
        except _Stopped as stopped:
            self.report = evolve(self.report, stopped=str(stopped))
        return evolve(self.report, notices=tuple(self.store.notices))

    def _work(self, is_complete: bool) -> None:
        index = self.vault.index_path
        if is_complete:
            present = ask(index, lambda asked: {id for (id,) in asked.execute("SELECT id FROM note")})
            gone = self.store.owner_ids() - present
            if gone and index.exists():
                self.report = evolve(self.report, removed=self.store.drop(gone))
        while wanting := self._wanting():
            self._check(len(wanting))
            before = self.report.notes
            self._fill_group(self._group(wanting))
            if self.report.notes == before:
                return  # The index changes under our hands, or cannot be read: next time.
        self.store.drop_waiting()

    def _wanting(self) -> Sequence[Candidate]:
        found = ask(self.vault.index_path, candidates)
        stamps = set(self.store.wanting([one.stamp for one in found]))
        wanting = [one for one in found if one.stamp in stamps]
        self._ahead = sum(max(1, round(one.words * _TOKENS_A_WORD / _TOKENS_A_PASSAGE)) for one in wanting)
        return in_order(wanting, self._boosts(), self.now)

    def _boosts(self) -> Mapping[str, float]:
        return {}

    def _group(self, wanting: Sequence[Candidate]) -> list[_Work]:
        return ask(self.vault.index_path, lambda index: list(self._cut_group(index, wanting)))

    def _cut_group(self, index: sqlite3.Connection, wanting: Sequence[Candidate]) -> Iterator[_Work]:
        count = 0
        for one in wanting:
            if count >= _GROUP:
                break
            text = note_text(index, one.stamp)
            if text is not None:
                cut = cut_note(text, self.embedder)
                placed = tuple(Placed(digest_of(part.text), part.start, part.end) for part in cut.passages)
                yield _Work(one.stamp, cut, placed)
                count += len(placed)

    def _fill_group(self, group: Sequence[_Work]) -> None:
        texts = {
            placed.digest: part.text
            for work in group
            for placed, part in zip(work.placed, work.cut.passages, strict=True)
        }
        known = self.store.known(texts)
        missing = sorted((digest for digest in texts if digest not in known), key=lambda one: -len(texts[one]))
        waiting = {work.stamp: {one.digest for one in work.placed}.intersection(missing) for work in group}
        works = {work.stamp: work for work in group}
        self._keep({}, [works.pop(stamp) for stamp, digests in waiting.items() if not digests])
        for batch in _batches(missing):
            self._check(len(works))
            vectors = self._embed([texts[digest] for digest in batch])
            for digests in waiting.values():
                digests.difference_update(batch)
            done = [works.pop(stamp) for stamp in list(works) if not waiting[stamp]]
            self._keep(dict(zip(batch, vectors, strict=True)), done)
            self._tell(len(batch))

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        data = self.embedder.embed_passages(texts)
        self._tokens += sum(len(self.embedder.token_spans(text)) for text in texts) if self.progress else 0
        width = 4 * self.store.dimensions
        return [data[place : place + width] for place in range(0, width * len(texts), width)]

    def _keep(self, vectors: Mapping[bytes, bytes], done: Sequence[_Work]) -> None:
        if not vectors and not done:
            return
        complete = {work.stamp: (work.placed, work.cut.is_cut_short) for work in done}
        index = self.vault.index_path
        self.store.keep(vectors, complete, lambda stamp: ask(index, lambda asked: is_there(asked, stamp)))
        short = tuple(work.stamp.title for work in done if work.cut.is_cut_short)
        report = self.report
        self.report = evolve(
            report,
            notes=report.notes + len(done),
            embedded=report.embedded + len(vectors),
            cut_short=(*report.cut_short, *short),
        )

    def _check(self, left: int) -> None:
        limits, report = self.limits, self.report
        reason = ""
        if limits.should_stop() or is_asked_to_stop(self.vault.state_folder):
            reason = "it was asked to stop"
        elif limits.seconds is not None and self.clock() - self._start >= limits.seconds:
            reason = f"{limits.seconds:g} s are over"
        elif limits.passages is not None and report.embedded >= limits.passages:
            reason = f"{report.embedded} passages are done"
        if reason:
            self.report = evolve(report, left=left)
            raise _Stopped(reason)

    def _tell(self, done: int) -> None:
        self._ahead = max(0, self._ahead - done)
        if self.progress is not None:
            seconds = max(1e-6, self.clock() - self._start)
            made = self.report.embedded
            self.progress(FillProgress(made, made + self._ahead, self._tokens / seconds))


def _batches(digests: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for place in range(0, len(digests), _BATCH):
        yield digests[place : place + _BATCH]
