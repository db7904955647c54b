"""What was learned from use: counts, warmth, credit, who goes with whom, what stages are worth.

It cannot be derived again, so it lives beside the index and not in it, and is never emptied in silence.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import astuple, fields

from aries_kernel.contracts.corpus import Experience
from ori_memory.graph.activation import Written, combined_boost
from ori_memory.learned import crediting, statements
from ori_memory.learned.crediting import Arm, Credit, Credited, NoteCredit, Pair, Shown, SourceCount
from ori_memory.learned.file_keeper import FileKeeper
from ori_memory.learned.rows import merge_rows, not_ahead
from ori_memory.learned.schema import REVISION, moment, stamp
from ori_memory.learned.statements import Access
from ori_memory.learned.tables import EXPORTED, READ_OFTEN

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ori_memory.learned.connecting import Connection
    from ori_memory.learned.events import Event
    from ori_memory.learned.exchange import ImportReport, Parsed
    from ori_memory.learned.journal import Earned, Lesson
    from ori_memory.learned.reports import ForgetReport, LearnedStatus, Reset
    from ori_memory.learned.rows import Row
    from ori_memory.learned.server_keeper import ServerKeeper

__all__ = ["Access", "LearnedStore"]

T = TypeVar("T")

_EXPERIENCE = "experience"
_ZERO, _MINUTE = datetime.timedelta(), datetime.timedelta(minutes=1)
"""In so long a note loses less than a ten-thousandth of its warmth."""


class LearnedStore:
    """The learned store at one path. Reading never writes or creates a file; the first write makes it.

    Any number of processes and threads may use it at once. `warnings` collects what the user has to hear: a store that
    was damaged and put back, a daily copy that could not be made. What questions need again and again (`boosts`,
    `credits`, `pairs`, `shown`, `arms`) is read anew only after somebody changed it; take it as it is given, and change
    nothing.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], datetime.datetime] | None = None, url: str = "", space: str = ""
    ) -> None:
        """`url`: a PostgreSQL server that keeps it instead of the file, in a `space` of its own."""
        self.path = path
        self._clock = clock or (lambda: datetime.datetime.now(datetime.UTC))
        self._keeper = _keeper(path, self._clock, url, space)
        self._kept: dict[str, tuple[str, object]] = {}
        self._warm: tuple[object, datetime.datetime, dict[str, float]] | None = None
        """Warmth at some moment, and what it was made from."""

    def __enter__(self) -> LearnedStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_kept(self) -> bool:
        """Whether anything was learned, or may have been."""
        return self._keeper.is_kept

    @property
    def warnings(self) -> list[str]:
        """What the user has to hear; whoever tells it clears it."""
        return self._keeper.warnings

    def close(self) -> None:
        """Give the files back; the store may be used again afterwards."""
        self._keeper.close()

    def held(self) -> AbstractContextManager[None]:
        """For several questions of one thread that belong together: a file is opened once. Not to be written within."""
        return self._keeper.held()

    def accesses(self) -> dict[str, Access]:
        """Uses by note id."""
        return self._ask("access", statements.accesses, {})

    def record_access(self, note_ids: Iterable[str], at: datetime.datetime | None = None) -> None:
        """Count one use of each note (twice for an id given twice); once this returns, it is on disk."""
        ids = list(note_ids)
        now = stamp(at or self._clock())
        if ids:
            self._keeper.write(lambda connection, origin: statements.count_uses(connection, origin, ids, now))

    def boosts(self, now: datetime.datetime | None = None) -> dict[str, float]:
        """Warmth by note id, decayed to `now` or the minute before; notes that have gone cold are left out."""
        at = now or self._clock()
        kept: dict[str, list[Written]] = self._ask_kept("boost", statements.boosts, {})
        if self._warm is None or self._warm[0] is not kept or not _ZERO <= at - self._warm[1] < _MINUTE:
            warm = {note_id: combined_boost(rows, at) for note_id, rows in kept.items()}
            self._warm = kept, at, {note_id: boost for note_id, boost in warm.items() if boost > 0}
        return self._warm[2]

    def add_boosts(self, boosts: Mapping[str, float], session: str, now: datetime.datetime | None = None) -> None:
        """Merge what one query's results spread (`graph.activation.spread`), each at most 0.05."""
        at = now or self._clock()
        given = {note_id: boost for note_id, boost in sorted(boosts.items()) if boost > 0}
        if given:
            self._changing(("boost",), lambda c, origin: statements.add_boosts(c, origin, given, session, at))

    def connections(self) -> dict[str, datetime.datetime]:
        """When each note last got a new link from another note, where that was seen."""
        return self._ask(
            "connection", lambda c: {row[0]: moment(row[1]) for row in c.execute("SELECT * FROM connection")}, {}
        )

    def record_connections(self, note_ids: Iterable[str], at: datetime.datetime | None = None) -> None:
        """These notes were linked to anew. Not for a first build, where every link is new to us and none is new."""
        rows = [{"note_id": note_id, "last": stamp(at or self._clock())} for note_id in sorted(set(note_ids))]
        if rows:
            self._keeper.write(lambda connection, _: merge_rows(connection, {"connection": rows}))

    def record_credits(self, credits: Iterable[Credit], at: datetime.datetime | None = None) -> None:
        """Notes proved useful. Nothing else than use may come here: what was only shown earns nothing."""
        given = list(credits)
        now = stamp(at or self._clock())
        if given:
            self._changing(("credit",), lambda c, origin: crediting.add_credits(c, origin, given, now))

    def credits(self) -> tuple[Credited, ...]:
        """What each note earned, by the questions it earned it with."""
        return self._ask_kept("credit", crediting.credits_of, ())

    def credits_about(self, roots: Sequence[str], most: int) -> tuple[Credited, ...]:
        """As `credits`, of the questions that share one of these words (`root_of`), of so many at most."""

        def step(connection: Connection) -> tuple[Credited, ...]:
            if self._keeper.revision(connection) >= REVISION:
                return crediting.credits_for(connection, roots, most)
            # A store of an earlier version, which the next write brings up to date.
            return crediting.credits_of(connection, roots)

        return self._ask("credit", step, ()) if roots else ()

    def credits_among(self, note_ids: Collection[str]) -> tuple[Credited, ...]:
        """As `credits`, of these notes alone."""
        return self._ask("credit", lambda c: crediting.credits_among(c, note_ids), ()) if note_ids else ()

    def latest_credits(self, questions: int) -> tuple[Credited, ...]:
        """As `credits`, of so many questions, those that something was of use for last; for such a process as well."""
        return self._ask("credit", lambda c: crediting.latest_credits(c, questions), ())

    def experience(self) -> Experience | None:
        """What `keep_experience` was told, as long as nothing was learned since; else None."""

        def step(connection: Connection) -> Experience | None:
            told = statements.kept_note(connection, _EXPERIENCE, "credit").split()
            # An earlier version kept less, which is found out anew.
            return Experience(*map(float, told)) if len(told) == len(fields(Experience)) else None

        return self._keeper.read(step, None)

    def keep_experience(self, told: Experience) -> None:
        """Keep what the earlier questions tell, so that no question has to compare them."""
        text = " ".join(repr(value) for value in astuple(told))
        self._keeper.write(lambda connection, _: statements.keep_note(connection, _EXPERIENCE, "credit", text))

    def credits_of(self, note_id: str) -> tuple[NoteCredit, ...]:
        """What one note earned, the most first, with the kinds of evidence."""
        return self._ask("credit", lambda c: crediting.note_credits(c, note_id), ())

    def record_shown(self, counts: Mapping[str, int], at: datetime.datetime | None = None) -> None:
        """Answers brought these notes so many times; several answers at once, to spare the disk."""
        now = stamp(at or self._clock())
        if any(count > 0 for count in counts.values()):
            self._changing(("shown",), lambda c, origin: crediting.add_shown(c, origin, counts, now))

    def shown(self) -> Mapping[str, Shown]:
        """How often each note was shown."""
        return self._ask_kept("shown", crediting.shown, {})

    def record_pairs(self, pairs: Iterable[tuple[str, str]], at: datetime.datetime | None = None) -> None:
        """These were used together in one session; the order of the two does not matter."""
        found = list(pairs)
        now = stamp(at or self._clock())
        if found:
            self._changing(("pair",), lambda c, origin: crediting.add_pairs(c, origin, found, now))

    def pairs(self) -> tuple[Pair, ...]:
        """Which notes were used together."""
        return self._ask_kept("pair", crediting.pairs, ())

    def record_arm(
        self, stage: str, sums: Mapping[str, Sequence[float]], count: int = 1, at: datetime.datetime | None = None
    ) -> None:
        """Add what `count` samples of a stage add to its sums. Raises: ValueError for what is no finite number."""
        now = stamp(at or self._clock())
        self._changing(("stage_arm",), lambda c, origin: crediting.add_to_arm(c, origin, stage, sums, count, now))

    def arms(self) -> Mapping[str, Arm]:
        """What is known of each stage."""
        return self._ask_kept("stage_arm", crediting.arms, {})

    def evidence(self) -> Mapping[str, SourceCount]:
        """What each kind of evidence has given."""
        return self._ask("evidence", crediting.evidence_counts, {})

    def record_events(self, events: Sequence[Event]) -> None:
        """Write down what happened in sessions that are not over, each thing once, and count what answers showed."""
        from ori_memory.learned import journal

        now = self._clock()
        if events:
            self._changing(("shown",), lambda connection, origin: journal.add_events(connection, origin, events, now))

    def open_events(self, *, is_latest: bool = False) -> list[Event]:
        """What happened in sessions that were not counted for good: the earliest, or the latest, `MOST_EVENTS`."""
        from ori_memory.learned import journal

        def step(connection: Connection, origin: str) -> list[Event]:
            return journal.open_events(connection, origin, is_latest=is_latest)

        return self._keeper.write(step) if self._keeper.is_kept else []

    def learn(self, lesson: Lesson, before: datetime.datetime) -> tuple[Earned, ...]:
        """Count what a look at the journal teaches, each thing once, and end sessions idle since `before`."""
        from ori_memory.learned import journal

        now = self._clock()
        return self._changing(
            ("credit", "pair"), lambda connection, origin: journal.learn(connection, origin, lesson, before, now)
        )

    def inherit(self, old_id: str, new_id: str) -> None:
        """What the old note earned, and which notes it goes with, holds for the new one too; a second time, nothing."""
        from ori_memory.learned import journal

        now = self._clock()
        self._changing(("credit", "pair"), lambda c, origin: journal.inherit(c, origin, old_id, new_id, now))

    def orphans(self, known_ids: Iterable[str]) -> tuple[str, ...]:
        """Ids with something learned but no note. They are not dropped: the note may be in another branch."""
        known = set(known_ids)
        found = self._keeper.read(lambda c: statements.ids(c, self._keeper.tables(c)), set[str]())
        return tuple(sorted(found - known))

    def forget(self, note_id: str) -> ForgetReport:
        """Remove every trace of a note's id from the store, its journal and its automatic copy.

        An old export cannot bring it back: a hash stays, and rows from before this moment are refused.
        """
        from ori_memory.learned.reports import ForgetReport

        if not self._keeper.is_kept:
            return ForgetReport(0, self._keeper.mentions(note_id))
        # Also without rows: another machine's export may bring some.
        now = stamp(self._clock())
        rows = self._changing(READ_OFTEN, lambda connection, _: statements.forget(connection, note_id, now))
        if self._keeper.mentions(note_id):
            self._keeper.scrub()
        return ForgetReport(rows, self._keeper.mentions(note_id))

    def reset(self, note_id: str = "") -> Reset:
        """Forget what use taught, of one note or of all, here and wherever this is merged; an export is kept.

        Raises: UserError where there is nothing, or the export cannot be written; then nothing was changed.
        """
        from ori_memory.learned.resetting import reset

        return reset(self._keeper, self.path, note_id, self._clock())

    def undo_reset(self, note_id: str = "") -> Reset:
        """Take back the last reset, of one note or of all; what was learned since stays. Raises: UserError."""
        from ori_memory.learned.resetting import undo_reset

        return undo_reset(self._keeper, self.path, note_id)

    def origin(self) -> str:
        """The id under which this copy of the store counts."""
        return self._keeper.write(lambda _, origin: origin)

    def identities(self) -> dict[str, str]:
        """Ids by path, of notes that do not tell them: renamed ones, and those whose id another note states."""
        return self._keeper.read(lambda c: statements.identities(c, self._keeper.tables(c)), {})

    def rows(self, tables: Sequence[str]) -> dict[str, list[Row]]:
        """All that some of the exported tables hold, as `merge` takes it."""
        absent: dict[str, list[Row]] = {name: [] for name in tables}
        return self._keeper.read(lambda c: absent | statements.rows_of(c, self._keeper.tables(c), tables), absent)

    def drop_ids(self, paths: Sequence[str]) -> None:
        """Keep no id for these paths."""
        self._keeper.write(lambda connection, _: statements.drop_ids(connection, paths))

    def export(self) -> str:
        """Everything as NDJSON; two exports of the same data are equal.

        Raises: UserError where nothing can tell what was learned, which is not the same as nothing.
        """
        from ori_memory.learned.exchange import export_lines

        def step(connection: Connection) -> str:
            return "".join(export_lines(connection, self._keeper.tables(connection).values()))

        return self._keeper.read(step, "".join(statements.empty_export()), is_needed=True)

    def require(self) -> None:
        """Before something that an empty store must not be taken for. Raises: UserError where it cannot be read."""
        self._keeper.read(lambda _: True, False, is_needed=True)

    def import_(self, text: str) -> ImportReport:
        """Merge an export, of this or another machine; again and in any order with the same result.

        Raises: UserError that names the line; then nothing was imported.
        """
        from ori_memory.learned.exchange import parse_lines

        return self.merge(parse_lines(text.split("\n")))

    def merge(self, parsed: Parsed) -> ImportReport:
        """Merge an export that was read already; as `import_`."""
        from ori_memory.learned.exchange import ImportReport

        changed = {table.name: 0 for table in EXPORTED}
        if any(parsed.rows.values()):
            rows = not_ahead(parsed.rows, stamp(self._clock()))
            changed = self._changing(READ_OFTEN, lambda connection, _: merge_rows(connection, rows))
        return ImportReport({table: len(rows) for table, rows in parsed.rows.items()}, changed, parsed.skipped)

    def backup(self, to: Path) -> None:
        """A whole copy at `to`, also while others write. Raises: UserError where there is none, or no room."""
        self._keeper.backup(to)

    def status(self) -> LearnedStatus:
        """Never raises for a damaged file: it says so."""
        from ori_memory.learned.reports import LearnedStatus

        revision, rows, size, sound, told = self._keeper.census()
        return LearnedStatus(sound != "absent", revision, rows, size, sound, told)

    def _ask(self, table: str, question: Callable[[Connection], T], absent: T) -> T:
        def step(connection: Connection) -> T:
            return question(connection) if table in self._keeper.tables(connection) else absent

        return self._keeper.read(step, absent)

    def _ask_kept(self, table: str, question: Callable[[Connection], T], absent: T) -> T:
        def step(connection: Connection) -> tuple[str, T]:
            version = statements.version_of(connection, table)
            known = self._kept.get(table)
            if known is not None and known[0] == version:
                return version, cast("T", known[1])
            return version, question(connection) if table in self._keeper.tables(connection) else absent

        self._kept[table] = found = self._keeper.read(step, ("", absent))
        return found[1]

    def _changing(self, tables: Sequence[str], change: Callable[[Connection, str], T]) -> T:
        def step(connection: Connection, origin: str) -> T:
            statements.mark_changed(connection, tables)
            return change(connection, origin)

        return self._keeper.write(step)


def _keeper(path: Path, clock: Callable[[], datetime.datetime], url: str, space: str) -> FileKeeper | ServerKeeper:
    if not url:
        return FileKeeper(path, clock)
    from ori_memory.learned.server_keeper import ServerKeeper

    return ServerKeeper(url, space)
