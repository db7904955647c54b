"""Writing into the index what a look at the files found: notes read and understood, links, mentions, threads."""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, evolve, field

from ori_memory.index.applying import Applying
from ori_memory.index.collecting import without_collection
from ori_memory.index.connecting import Connecting
from ori_memory.index.identity import IdentityStore
from ori_memory.index.linking import Linker, waiting
from ori_memory.index.listing import is_listed, relist
from ori_memory.index.mentioning import Mentioner, mark_mentioners
from ori_memory.index.moves import find_moves
from ori_memory.index.opening import Overtaken, read_error, transaction
from ori_memory.index.planning import Known, Look, Plan, Snapshot, allowed_removals, has_settled
from ori_memory.index.reading import NotReadable, ReadFile, read_file
from ori_memory.index.report import Progress, Quarantined, SyncReport
from ori_memory.index.schema import LATE_INDICES, LINKS, MENTIONS, NAME_INDICES
from ori_memory.index.threads import has_dirty_threads, refresh_threads
from ori_memory.index.understanding import UnderstoodNote, understand
from ori_memory.scanning.walk import FileStamp, Scan
from ori_memory.vault.vault import Vault

__all__ = ["Updating"]

BATCH = 512
"""Notes of one transaction: a fraction of a second in which other writers wait."""


@define
class Updating:
    """One round: from what a look at the files found to the last transaction, or until somebody else writes."""

    connection: sqlite3.Connection
    vault: Vault
    look: Look
    wait: bool
    allow_mass_removal: bool
    progress: Progress | None
    report: SyncReport
    """Grows with each transaction that ended."""
    has_written: bool = False
    _scan: Scan = field(init=False)
    _snapshot: Snapshot = field(init=False)
    _quarantine: dict[str, tuple[str, int, int]] = field(init=False)
    _present: set[str] = field(factory=set)
    _done: int = 0
    _finder: Mentioner | None = None
    _linker: Linker | None = None
    _connecting: Connecting | None = None
    """None where all is new, or where links of an earlier sync that was killed still wait: what they were is lost."""

    def __attrs_post_init__(self) -> None:
        self._scan, self._snapshot = self.look.scan, self.look.snapshot
        self._quarantine = self.look.lasting_quarantine()
        if self._snapshot.count and not self._snapshot.pending:
            self._connecting = Connecting(self.connection)

    def run(self) -> None:
        """Write it. Raises: Busy, Overtaken, Unwritable, BrokenIndex; `report` tells what was done until then."""
        plan = self.look.plan
        moves, gone = self._moves(plan)
        withheld: tuple[str, ...] = ()
        if len(gone) > allowed_removals(self._snapshot.count) and not self.allow_mass_removal:
            withheld, gone = tuple(known.path for known in gone), []
        self.report = evolve(self.report, withheld=withheld, scan_errors=self._scan.errors)
        self._present = {row[0] for row in self._scan.rows} if plan.to_read else set()
        with _trusting(self.connection) if not self._snapshot.count else contextlib.nullcontext():
            self._apply(plan, moves, gone)
            if self._snapshot.pending or self.has_written:
                self._finish_waiting()
        quarantined = tuple(Quarantined(path, row[0]) for path, row in sorted(self._quarantine.items()))
        self.report = evolve(self.report, notes=self._count(), quarantined=quarantined, connected=self._connected())

    def _moves(self, plan: Plan) -> tuple[dict[str, Known], list[Known]]:
        """Notes that went from one path to another, and those that are really gone."""
        fresh = [stamp for stamp in plan.to_read if stamp.path not in self._snapshot.notes] if plan.gone else []
        files = [file for stamp in fresh if (file := self._read(stamp)) is not None]
        with read_error():
            moves = find_moves(self.connection, plan.gone, files) if files else {}
        moved = {known.num for known in moves.values()}
        return moves, [known for known in plan.gone if known.num not in moved]

    def _apply(self, plan: Plan, moves: Mapping[str, Known], gone: Sequence[Known]) -> None:
        batches = [plan.to_read[place : place + BATCH] for place in range(0, len(plan.to_read), BATCH)] or [()]
        for batch in batches:
            with without_collection():
                self._write_batch(self._prepare(batch), moves, gone, is_last=batch is batches[-1])
            moves, gone = {}, ()

    def _prepare(self, batch: Sequence[FileStamp]) -> _Batch:
        """Read what changed, outside any transaction."""
        ready = _Batch()
        for stamp in batch:
            known = self._snapshot.notes.get(stamp.path)
            file = self._read(stamp, ready, known)
            if file is not None and known is not None and known.hash == file.hash:
                # Once it is old enough that is kept, or every note that ori wrote would be read at each command.
                if stamp[1:] != known[2:5] or has_settled(known, file.checked_ns):
                    ready.touched.append(file)
            elif file is not None:
                self._understand(file, ready, known)
        self._done += len(batch)
        if self.progress is not None and batch:
            self.progress(self._done, max(self._done, len(self._scan.rows)))
        return ready

    def _read(self, stamp: FileStamp, ready: _Batch | None = None, known: Known | None = None) -> ReadFile | None:
        try:
            return read_file(self.vault.root, stamp, self.vault.config.index.max_bytes)
        except FileNotFoundError:
            return None  # Removed since the scan; the next one sees that.
        except NotReadable as error:
            self._set_apart(stamp, error, ready, known)
            return None

    def _understand(self, file: ReadFile, ready: _Batch, known: Known | None) -> None:
        try:
            ready.notes.append(understand(file))
        except NotReadable as error:
            self._set_apart(file.stamp, error, ready, known)

    def _set_apart(self, stamp: FileStamp, error: NotReadable, ready: _Batch | None, known: Known | None) -> None:
        self._quarantine[stamp.path] = (str(error), stamp.mtime_ns, stamp.size)
        if ready is not None and known is not None and error.is_certain:
            ready.dropped.append(known)

    def _write_batch(self, ready: _Batch, moves: Mapping[str, Known], gone: Sequence[Known], *, is_last: bool) -> None:
        is_new_quarantine = is_last and self._quarantine != dict(self._snapshot.quarantine)
        if not (ready.touched or ready.notes or ready.dropped or moves or gone or is_new_quarantine):
            return
        identities = IdentityStore(self.vault.learned_path)
        work = Applying(self.connection, identities, self._present)
        with self._transaction():
            work.move(moves)
            work.remove([*gone, *ready.dropped])
            work.touch(ready.touched)
            if self._connecting is not None:
                self._connecting.remember(note.record.path for note in ready.notes)
            work.write(ready.notes)
            work.finish()
            mark_mentioners(self.connection, work.changed_names)
            if is_new_quarantine:
                self._write_quarantine()
            if is_last or is_listed(self.connection):
                relist(self.connection, work.paths)
            if is_last:
                # A small change is whole at once: no reader meets its note without links.
                self._work_off(BATCH)
                refresh_threads(self.connection)
        self._tell(work, ready, moves, gone)

    def _write_quarantine(self) -> None:
        self.connection.execute("DELETE FROM quarantine")
        rows = [(path, *row) for path, row in self._quarantine.items()]
        self.connection.executemany("INSERT INTO quarantine VALUES(?, ?, ?, ?)", rows)

    def _finish_waiting(self) -> None:
        """Links and mentions of notes that still wait, also those of a sync that was killed."""
        while waiting(self.connection, LINKS | MENTIONS, 1):
            with without_collection(), self._transaction():
                self._work_off(2 * BATCH)
        if has_dirty_threads(self.connection):
            with self._transaction():
                refresh_threads(self.connection)

    def _work_off(self, most: int) -> None:
        if self._linker is None:
            self._make(NAME_INDICES)
            self._linker = Linker(self.connection)
        if sources := waiting(self.connection, LINKS, most):
            with self._connecting.comparing(sources) if self._connecting is not None else contextlib.nullcontext():
                self._linker.work_off(sources)
        if sources := waiting(self.connection, MENTIONS, most):
            self._mentioner.work_off(sources)
        if not waiting(self.connection, LINKS | MENTIONS, 1):
            self._make(LATE_INDICES)

    def _make(self, indices: Sequence[str]) -> None:
        for statement in indices:
            self.connection.execute(statement)

    @property
    def _mentioner(self) -> Mentioner:
        if self._finder is None:
            self._finder = Mentioner(self.connection, self.vault.config.index.suggest)
        return self._finder

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with transaction(self.connection, wait=self.wait):
            version = int(self.connection.execute("PRAGMA data_version").fetchone()[0])
            if version != self._snapshot.version:
                raise Overtaken
            yield
            now = datetime.datetime.now(datetime.UTC).isoformat()
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES('last_sync', ?)", (now,))
        self.has_written = True

    def _connected(self) -> tuple[str, ...]:
        report = self.report
        written = len(report.added) + len(report.changed) + len(report.renamed)
        # Much at once is another branch or a restored vault, not somebody who links notes.
        if self._connecting is None or not 0 < written <= allowed_removals(self._snapshot.count):
            return ()
        with read_error():
            return self._connecting.ids(set(report.added))

    def _count(self) -> int:
        with read_error():
            return int(self.connection.execute("SELECT count(*) FROM note").fetchone()[0])

    def _tell(self, work: Applying, ready: _Batch, moves: Mapping[str, Known], gone: Sequence[Known]) -> None:
        old, known, new = self.report, self._snapshot.notes, set(moves)
        paths = [note.record.path for note in ready.notes if note.record.path not in new]
        problem = work.identities.problem
        notices = (*old.notices, *([problem] if problem and problem not in old.notices else ()))
        self.report = evolve(
            old,
            added=(*old.added, *(path for path in paths if path not in known)),
            changed=(*old.changed, *(path for path in paths if path in known)),
            renamed=(*old.renamed, *((note.path, path) for path, note in moves.items())),
            removed=(*old.removed, *(note.path for note in (*gone, *ready.dropped))),
            problems=(*old.problems, *work.problems),
            notices=notices,
        )


@define
class _Batch:
    """Files that were read: with new times only, with new texts, and notes whose files are none any more."""

    touched: list[ReadFile] = field(factory=list)
    notes: list[UnderstoodNote] = field(factory=list)
    dropped: list[Known] = field(factory=list)


@contextlib.contextmanager
def _trusting(connection: sqlite3.Connection) -> Iterator[None]:
    """For a first build: no row is removed there, and every row names a note that was written before it."""
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
