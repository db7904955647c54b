"""The steps of one filling: what is wanting, cut, embedded and kept, until nothing is left or enough is done."""

from __future__ import annotations

import datetime
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from aries_kernel.errors import AriesError, UserError
from ori_memory.vectors.passages import Cut, cut_note
from ori_memory.vectors.planning import (
    Candidate,
    ask,
    candidates,
    in_order,
    note_text,
    passages_ahead,
    state_of,
    still_there,
)
from ori_memory.vectors.store import Finished, Ready, VectorStore, digest_of
from ori_memory.vectors.tables import NoteStamp, Placed

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder
    from ori_memory.vault.vault import Vault

__all__ = ["FillProgress", "FillReport", "Filling"]

_BATCH = 16
"""Passages that are embedded and kept together: a second of work, which is what a kill may lose."""
_GROUP = 128
"""Passages that are sorted by length together."""


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
    """Notes that have all their vectors now and had not before."""
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


class _Stopped(Exception):
    """Enough for now."""


@frozen
class _Work:
    """A note that was cut."""

    finished: Finished
    texts: Mapping[bytes, str]
    tokens: Mapping[bytes, int]

    @classmethod
    def of(cls, note: NoteStamp, cut: Cut) -> _Work:
        digests = [digest_of(part.text) for part in cut.passages]
        placed = [Placed(digest, part.start, part.end) for digest, part in zip(digests, cut.passages, strict=True)]
        texts = {digest: part.text for digest, part in zip(digests, cut.passages, strict=True)}
        tokens = {digest: part.tokens for digest, part in zip(digests, cut.passages, strict=True)}
        return cls(Finished(note, placed, cut.is_cut_short), texts, tokens)


@define
class Filling:
    """One filling on its way."""

    vault: Vault
    embedder: Embedder
    store: VectorStore
    stop_reason: Callable[[int], str]
    """Asked before each step with the number of passages done; empty: go on."""
    clock: Callable[[], float]
    now: datetime.datetime
    progress: Callable[[FillProgress], None] | None
    report: FillReport = field(factory=FillReport, init=False)
    _boosts: Mapping[str, float] = field(factory=dict, init=False)
    _plan: deque[Candidate] = field(factory=deque, init=False)
    """What is wanting, most useful first."""
    _planned: int = field(default=0, init=False)
    """Passages of the plan, about."""
    _looked_at: int = field(default=0, init=False)
    """How many of the plan's first notes the last group was made of."""
    _seen: object = field(default=None, init=False)
    """How the index's file looked when the plan was made."""
    _finished: set[NoteStamp] = field(factory=set, init=False)
    """Notes of the plan that have become complete."""
    _seconds: float = field(default=0.0, init=False)
    """Spent in the model."""
    _tokens: int = field(default=0, init=False)
    _ahead: int = field(default=0, init=False)
    """Passages that are still to be embedded, about."""

    def run(self, *, is_sure: bool) -> FillReport:
        """`is_sure`: what the index does not have is gone."""
        try:
            self._work(is_sure)
        except _Stopped as stopped:
            self.report = evolve(self.report, stopped=str(stopped))
        return evolve(self.report, notices=tuple(self.store.notices))

    def _work(self, is_sure: bool) -> None:
        self._boosts = _boosts(self.vault, self.now)
        if is_sure:
            present = ask(self.vault.index_path, lambda index: {one.stamp.id for one in candidates(index)})
            if gone := self.store.owner_ids() - present:
                self.report = evolve(self.report, removed=self.store.drop(gone))
        while wanting := self._wanting():
            self.report = evolve(self.report, left=len(wanting))
            self._check()
            if not self._fill_group(self._cut_group(wanting)):
                return  # The index changes under our hands: next time.
        self.store.tidy()

    def _wanting(self) -> Sequence[Candidate]:
        """What is to be embedded, most useful first; looked up anew only where the index has changed."""
        state = state_of(self.vault.index_path)
        if state != self._seen:
            found = ask(self.vault.index_path, candidates)
            stamps = set(self.store.wanting([one.stamp for one in found]))
            wanting = [one for one in found if one.stamp in stamps]
            self._seen, self._plan = state, deque(in_order(wanting, self._boosts, self.now))
            self._planned = passages_ahead(self._plan)
        else:
            # The plan of a large vault is gone through once, not for each of its thousand groups.
            head = [self._plan.popleft() for _ in range(self._looked_at)]
            self._planned -= passages_ahead(one for one in head if one.stamp in self._finished)
            self._plan.extendleft(one for one in reversed(head) if one.stamp not in self._finished)
        self._finished.clear()
        self._looked_at, self._ahead = 0, self._planned
        return self._plan

    def _cut_group(self, wanting: Sequence[Candidate]) -> Sequence[_Work]:
        def cut(index: sqlite3.Connection) -> Iterator[_Work]:
            count = 0
            for number, one in enumerate(wanting, 1):
                self._looked_at = number
                text = note_text(index, one.stamp)
                if text is not None:
                    work = _Work.of(one.stamp, cut_note(text, self.embedder))
                    yield work
                    count += len(work.texts)
                if count >= _GROUP:
                    break

        return ask(self.vault.index_path, lambda index: list(cut(index)))

    def _fill_group(self, group: Sequence[_Work]) -> bool:
        """Whether a note has become complete."""
        texts = {digest: text for work in group for digest, text in work.texts.items()}
        tokens = {digest: count for work in group for digest, count in work.tokens.items()}
        missing = texts.keys() - self.store.known(texts)
        wanted = {id(work): missing & work.texts.keys() for work in group}
        open_ = list(group)

        def finish(vectors: Mapping[bytes, bytes]) -> None:
            for digests in wanted.values():
                digests.difference_update(vectors)
            done = [work for work in open_ if not wanted[id(work)]]
            open_[:] = [work for work in open_ if wanted[id(work)]]
            self._keep(vectors, done, open_)

        finish({})
        in_length = sorted(missing, key=lambda digest: (-len(texts[digest]), digest))
        for place in range(0, len(in_length), _BATCH):
            self._check()
            batch = in_length[place : place + _BATCH]
            finish(dict(zip(batch, self._embed([texts[digest] for digest in batch]), strict=True)))
            self._tell(len(batch), sum(tokens[digest] for digest in batch))
        return bool(self._finished)

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        start, width = self.clock(), 4 * self.store.dimensions
        try:
            data = self.embedder.embed_passages(texts)
        except AriesError:
            raise
        except Exception as error:  # Foreign code.
            raise UserError(f"The embedder failed: {type(error).__name__}: {error}.") from error
        self._seconds += self.clock() - start
        if len(data) != width * len(texts):
            raise UserError(f"The embedder gave {len(data)} bytes for {len(texts)} passages of {width}.")
        return [data[place : place + width] for place in range(0, len(data), width)]

    def _keep(self, vectors: Mapping[bytes, bytes], done: Sequence[_Work], others: Sequence[_Work]) -> None:
        if not vectors and not done:
            return
        made = self.report.embedded + len(vectors)
        rate = made / self._seconds if self._seconds else 0.0

        def make_ready() -> Ready:
            stamps = [work.finished.note for work in (*done, *others)]
            there = ask(self.vault.index_path, lambda index: still_there(index, stamps))
            wanted = {digest for work in (*done, *others) if work.finished.note in there for digest in work.texts}
            kept = {digest: vector for digest, vector in vectors.items() if digest in wanted}
            complete = [work for work in done if work.finished.note in there]
            # A note that the index had not for a while, being built anew, has lost what came then.
            lost = {digest for work in complete for digest in work.texts} - kept.keys()
            lost -= self.store.known(lost)
            return Ready(kept, [work.finished for work in complete if not lost & work.texts.keys()], rate)

        ready = self.store.keep(make_ready)
        self._finished.update(one.note for one in ready.finished)
        count, short = len(ready.finished), [one.note.title for one in ready.finished if one.is_cut_short]
        old = self.report
        self.report = evolve(
            old,
            notes=old.notes + count,
            left=max(0, old.left - count),
            embedded=made,
            cut_short=(*old.cut_short, *short),
        )

    def _check(self) -> None:
        if reason := self.stop_reason(self.report.embedded):
            raise _Stopped(reason)

    def _tell(self, done: int, tokens: int) -> None:
        self._tokens += tokens
        self._ahead = max(0, self._ahead - done)
        if self.progress is not None:
            made = self.report.embedded
            self.progress(FillProgress(made, made + self._ahead, self._tokens / max(1e-6, self._seconds)))


def _boosts(vault: Vault, now: datetime.datetime) -> Mapping[str, float]:
    """How warm notes are; nothing where that cannot be read: it is about the order only."""
    if not vault.learned_path.exists():
        return {}
    from ori_memory.learned.database import Damaged
    from ori_memory.learned.store import LearnedStore

    try:
        with LearnedStore(vault.learned_path) as store:
            return store.boosts(now)
    except (Damaged, sqlite3.Error, AriesError, OSError):
        return {}
