"""The index as the rest of ori sees it: one object that answers, syncs and mends itself."""

from __future__ import annotations

import datetime
import sqlite3
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from attrs import evolve, field

from aries_kernel.values import define, frozen
from ori_memory.index.keeping import IndexFile
from ori_memory.index.lookup import find_note
from ori_memory.index.opening import BrokenIndex, Unwritable, read_error
from ori_memory.index.records import fetch_records
from ori_memory.index.report import IndexStatus, Progress, Quarantined, SyncReport
from ori_memory.index.schema import VERSION
from ori_memory.index.syncing import sync
from ori_memory.model import NoteRecord
from ori_memory.vault.vault import Vault

if TYPE_CHECKING:
    from ori_memory.index.edges import AmbiguousLink, Dangling, IndexedLink, Suggestion
    from ori_memory.index.searching import WordHit

__all__ = ["Counts", "Index", "open_index"]

T = TypeVar("T")


def open_index(vault: Vault, *, sync: bool = True, wait: bool = False, progress: Progress | None = None) -> Index:
    """Open the index of `vault`, made or mended where needed, and bring it up to date.

    `wait`: for a command that has just written a note; without it a writer elsewhere is not waited for, and the report
    says that the index may be stale. `report` of the result tells what happened.
    """
    index = Index(vault)
    try:
        if sync:
            index.sync(wait=wait, progress=progress)
    except BaseException:
        index.close()
        raise
    return index


@frozen
class Counts:
    """Sizes of the vault."""

    notes: int
    links: int
    """Occurrences, pictures and documents left aside."""
    dangling: int
    """Distinct targets that no note answers to."""
    orphans: int
    suggested: int
    inbox: int
    """Notes that wait there."""
    unlinked: int
    """Notes that nobody links to, where a link is to be expected: not in the inbox, `self` and `ops`."""


@define(eq=False)
class Index:
    """Notes and links of a vault. May be used from several threads; each call sees one state of the index."""

    vault: Vault
    report: SyncReport = field(factory=SyncReport, init=False)
    """Of the last sync."""
    _file: IndexFile = field(init=False)
    _lock: threading.RLock = field(factory=threading.RLock, init=False)

    def __attrs_post_init__(self) -> None:
        self._file = IndexFile(self.vault.index_path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Using the index afterwards opens it again."""
        with self._lock:
            self._file.close()

    def sync(
        self,
        *,
        wait: bool = False,
        force: bool = False,
        allow_mass_removal: bool = False,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Bring the index to what the files say. Nothing is written where nothing changed.

        `wait`: for other writers, as is done in any case for who builds an index that holds nothing yet. `force`: look
        into every file. `allow_mass_removal`: many notes were deleted on purpose.
        """
        vault = self.vault

        def work(connection: sqlite3.Connection) -> SyncReport:
            return sync(
                connection,
                vault,
                wait=wait or self._file.is_temporary or _knows_nothing(connection),
                force=force,
                allow_mass_removal=allow_mass_removal,
                progress=progress,
            )

        with self._lock:
            report = self._ask_anywhere(work)
            self.report = evolve(report, notices=(*self._file.notices, *report.notices))
            return self.report

    def notes(self) -> tuple[NoteRecord, ...]:
        """All notes in the order of their paths."""
        return tuple(self._ask(fetch_records).values())

    def note(self, name: str) -> NoteRecord:
        """A note by id, path, title or alias. Raises: AmbiguousNote, UnknownName."""
        return self._ask(lambda connection: find_note(connection, name))

    def links(self) -> tuple[IndexedLink, ...]:
        """Every link of the vault, attachments and dangling ones included."""
        from ori_memory.index.edges import fetch_links

        return self._ask(fetch_links)

    def outgoing(self, path: str) -> tuple[IndexedLink, ...]:
        """Links that stand in the note at `path`."""
        from ori_memory.index.edges import fetch_links

        return self._ask(lambda connection: fetch_links(connection, "WHERE s.path = ?", (path,)))

    def backlinks(self, path: str) -> tuple[IndexedLink, ...]:
        """Links of other notes that lead to the note at `path`."""
        from ori_memory.index.edges import fetch_links

        return self._ask(lambda connection: fetch_links(connection, "WHERE d.path = ? AND l.src != l.dst", (path,)))

    def dangling(self) -> tuple[Dangling, ...]:
        """Distinct targets that no note answers to, each with the notes that name it."""
        from ori_memory.index.edges import fetch_dangling

        return self._ask(fetch_dangling)

    def orphans(self) -> tuple[NoteRecord, ...]:
        """Notes that no other note links."""
        query = f"SELECT num FROM note WHERE {_IS_ORPHAN} ORDER BY path"
        return self._ask(lambda asked: tuple(fetch_records(asked, [row[0] for row in asked.execute(query)]).values()))

    def ambiguous(self) -> tuple[AmbiguousLink, ...]:
        """Links that several notes answer to, with the notes."""

        from ori_memory.index.edges import AmbiguousLink, fetch_links
        from ori_memory.index.linking import candidates_of  # The resolver of links, which few commands need.

        def work(connection: sqlite3.Connection) -> tuple[AmbiguousLink, ...]:
            links = fetch_links(connection, "WHERE l.is_ambiguous")
            found = candidates_of(connection, [(one.link, one.source) for one in links])
            return tuple(map(AmbiguousLink, links, found))

        return self._ask(work)

    def suggested(self, path: str | None = None) -> tuple[Suggestion, ...]:
        """Mentions without a link, of the note at `path` or of all."""
        from ori_memory.index.edges import fetch_suggestions

        where, given = ("", ()) if path is None else ("AND s.path = ?", (path,))
        return self._ask(lambda connection: fetch_suggestions(connection, where, given))

    def search_words(self, query: str, limit: int = 10) -> tuple[WordHit, ...]:
        """Notes by words, best first. Any text is a query."""
        from ori_memory.index.searching import find_words  # Patterns of many scripts are compiled for it.

        return self._ask(lambda connection: find_words(connection, query, max(0, limit)))

    def counts(self) -> Counts:
        """How much there is."""
        from ori_memory.index.edges import IS_SUGGESTED

        suggested = f"SELECT count(*) FROM suggestion m WHERE {IS_SUGGESTED}"
        queries = (*_COUNTS, suggested, *_COUNTS_OF_SPACES)
        return self._ask(lambda connection: Counts(*(connection.execute(query).fetchone()[0] for query in queries)))

    def status(self) -> IndexStatus:
        """What there is now, without a look at the files."""
        return self._ask(self._status)

    @property
    def is_temporary(self) -> bool:
        """Whether it is kept elsewhere for this process only, since nothing can be written beside the vault."""
        return self._file.is_temporary

    def text_of(self, path: str) -> str:
        """The text of a note, from its file. Raises: OutsideVault, OSError."""
        from ori_memory.notes.text import read_note

        return read_note(self.vault.locate(path)).text

    def read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Ask something of your own, in one state of the index; `question` must not write."""

        def work(connection: sqlite3.Connection) -> T:
            if connection.in_transaction:
                return question(connection)
            connection.execute("BEGIN")
            try:
                return question(connection)
            finally:
                # What broke the index may have ended it already.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

        return self._ask(work)

    def purge(self) -> None:
        """Leave no trace of removed notes in the index's file: what was deleted stays in its segments until then.

        Raises: Unwritable where another process keeps the index in use.
        """

        def work(connection: sqlite3.Connection) -> None:
            for table in ("words", "windows", "pieces"):
                connection.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        self._ask(work)

    def _ask(self, question: Callable[[sqlite3.Connection], T], *, mends: bool = True) -> T:
        """Ask, and once more after mending where the file turns out broken."""
        with self._lock:
            for attempt in range(3):
                try:
                    with read_error():
                        return question(self._file.opened().connection)
                except BrokenIndex as error:
                    if attempt == 2:
                        raise
                    self._file.replace(str(error))
                    if mends:
                        self.sync(wait=True)
            raise Unwritable("unreachable")

    def _ask_anywhere(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Where a disk is full the folder for temporary files may be as well."""
        for _ in range(2):
            try:
                return self._ask(work, mends=False)
            except Unwritable as error:
                self._file.move_elsewhere(error)
        return self._ask(work, mends=False)

    def _status(self, connection: sqlite3.Connection) -> IndexStatus:
        place = self._file.opened().path
        sizes = [
            file.stat().st_size for suffix in ("", "-wal") if (file := place.with_name(place.name + suffix)).exists()
        ]
        row = connection.execute("SELECT value FROM meta WHERE key = 'last_sync'").fetchone()
        rows = connection.execute("SELECT path, reason FROM quarantine ORDER BY path")
        return IndexStatus(
            exists=self._file.existed,
            notes=connection.execute("SELECT count(*) FROM note").fetchone()[0],
            size=sum(sizes),
            version=VERSION,
            last_sync=None if row is None else datetime.datetime.fromisoformat(row[0]),
            pending=connection.execute("SELECT count(*) FROM note WHERE is_pending").fetchone()[0],
            quarantine=tuple(Quarantined(*one) for one in rows),
            is_temporary=self._file.is_temporary,
        )


_IS_ORPHAN = "NOT EXISTS (SELECT 1 FROM link WHERE link.dst = note.num AND link.src != note.num)"
_COUNTS = (
    "SELECT count(*) FROM note",
    "SELECT count(*) FROM link WHERE NOT is_attachment",
    "SELECT count(DISTINCT target) FROM link WHERE dst IS NULL AND NOT is_attachment",
    f"SELECT count(*) FROM note WHERE {_IS_ORPHAN}",
)
_COUNTS_OF_SPACES = (
    "SELECT count(*) FROM note WHERE space = 'inbox'",
    f"SELECT count(*) FROM note WHERE space = 'notes' AND {_IS_ORPHAN}",
)


def _knows_nothing(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM note LIMIT 1").fetchone() is None
