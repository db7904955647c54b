"""The tables of the learned store: the one definition that its SQL, its checks, its export and its merge come from.

Every table is keyed by stable ids of notes. What grows by counting carries the id of its origin (`origin.py`): each
origin writes its own rows only, so two copies of the store merge row by row, by the later state of each origin, without
loss and without counting twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from attrs import field

from aries_kernel.values import frozen

__all__ = ["EXPORTED", "LOCAL", "NOTE_COLUMNS", "READ_OFTEN", "TABLES", "Column", "Kind", "Merge", "Table"]


class Kind(StrEnum):
    """What a column may hold."""

    TEXT = "text"
    FREE = "free"
    """Text that may be empty."""
    TIME = "time"
    COUNT = "count"
    SHARE = "share"
    """From 0 to 1."""
    SUM = "sum"
    """Not negative."""
    NAMES = "names"
    """A JSON list of texts."""
    COUNTS = "counts"
    """A JSON object of whole numbers."""
    SUMS = "sums"
    """A JSON object of lists of numbers."""
    DATA = "data"
    """A JSON object."""


class Merge(StrEnum):
    """Which of two values of one key stays."""

    KEY = "key"
    GREATER = "greater"
    SMALLER = "smaller"
    TOGETHER = "together"
    """The values of the row that is later by the table's `order` stay together."""


@frozen
class Column:
    name: str
    kind: Kind
    merge: Merge = Merge.TOGETHER


@frozen
class Table:
    """One table; its columns stand in the order of its rows."""

    name: str
    columns: tuple[Column, ...]
    order: tuple[str, ...] = ()
    """Columns that tell which of two rows of one key is later; for rows whose values belong together."""
    is_least: bool = False
    """Not the greater by `order` stays, but the smaller: where two sides disagree and neither is later."""
    ages_by: str = ""
    """The moment that decides whether a row is from before its note was forgotten."""
    is_exported: bool = True
    names: tuple[str, ...] = field(init=False)
    keys: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(column.name for column in self.columns))
        keys = tuple(column.name for column in self.columns if column.merge is Merge.KEY)
        object.__setattr__(self, "keys", keys)


def _keys(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.TEXT, Merge.KEY) for name in names)


_FIRST = Column("first", Kind.TIME, Merge.SMALLER)
_LAST = Column("last", Kind.TIME, Merge.GREATER)
_COUNTED = (Column("count", Kind.COUNT, Merge.GREATER), _LAST)

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table(
            "access",
            (*_keys("note_id", "origin"), Column("count", Kind.COUNT, Merge.GREATER), _FIRST, _LAST),
            ages_by="last",
        ),
        Table(
            "boost",
            (
                *_keys("note_id", "origin"),
                Column("boost", Kind.SHARE),
                Column("updated", Kind.TIME),
                Column("accesses", Kind.COUNT),
                Column("sessions", Kind.NAMES),
            ),
            # One origin writes its row in a sequence, so the later state holds; the rest makes ties end the same
            # everywhere.
            order=("accesses", "updated", "boost", "sessions"),
            ages_by="updated",
        ),
        Table("connection", (*_keys("note_id"), _LAST), ages_by="last"),
        Table(
            "credit",
            (
                *_keys("note_id"),
                Column("topic", Kind.TEXT, Merge.KEY),
                *_keys("origin"),
                Column("reward", Kind.SUM),
                Column("uses", Kind.COUNT),
                Column("sources", Kind.COUNTS),
                _FIRST,
                Column("last", Kind.TIME),
                Column("words", Kind.FREE),
            ),
            order=("uses", "reward", "last", "sources", "words"),
            ages_by="last",
        ),
        # What gave credit, as a hash: a note that cites another comes to the other machine too, and counts once.
        Table("credited", (*_keys("key"), Column("at", Kind.TIME, Merge.GREATER))),
        Table(
            "evidence",
            (
                *_keys("source", "origin"),
                Column("sessions", Kind.COUNT, Merge.GREATER),
                Column("credits", Kind.COUNT, Merge.GREATER),
                _LAST,
            ),
            ages_by="last",
        ),
        Table("forgotten", (*_keys("mark"), Column("at", Kind.TIME, Merge.GREATER))),
        Table(
            "identity",
            (*_keys("path"), Column("id", Kind.TEXT), Column("stated", Kind.FREE)),
            # Two machines that disagree about a note which neither has here end with the same answer, whoever comes
            # first.
            order=("id", "stated"),
            is_least=True,
        ),
        Table(
            "note_reset",
            (
                *_keys("id"),
                Column("mark", Kind.TEXT),
                Column("at", Kind.TIME, Merge.SMALLER),
                Column("undone", Kind.COUNT, Merge.GREATER),
            ),
            order=("mark",),
        ),
        Table("pair", (*_keys("note_a", "note_b", "origin"), *_COUNTED), ages_by="last"),
        Table(
            "reset",
            (*_keys("id"), Column("at", Kind.TIME, Merge.SMALLER), Column("undone", Kind.COUNT, Merge.GREATER)),
        ),
        Table("shown", (*_keys("note_id", "origin"), *_COUNTED), ages_by="last"),
        Table(
            "stage_arm",
            (
                *_keys("stage", "origin"),
                Column("count", Kind.COUNT),
                Column("state", Kind.SUMS),
                Column("updated", Kind.TIME),
            ),
            order=("count", "updated", "state"),
            ages_by="updated",
        ),
        Table("meta", (*_keys("key"), Column("value", Kind.FREE)), is_exported=False),
        Table(
            "session",
            (
                *_keys("id", "origin"),
                Column("client", Kind.FREE),
                Column("questions", Kind.COUNT),
                Column("first", Kind.TIME, Merge.SMALLER),
                Column("last", Kind.TIME, Merge.GREATER),
            ),
            is_exported=False,
        ),
        Table(
            "session_event",
            (
                *_keys("id"),
                Column("session", Kind.TEXT),
                Column("origin", Kind.TEXT),
                Column("at", Kind.TIME),
                Column("kind", Kind.TEXT),
                Column("data", Kind.DATA),
            ),
            is_exported=False,
        ),
        Table("asked_word", (*_keys("word"), Column("topic", Kind.TEXT, Merge.KEY)), is_exported=False),
        Table("given", (*_keys("key"), Column("at", Kind.TIME)), is_exported=False),
    )
}
"""By name."""
EXPORTED: tuple[Table, ...] = tuple(sorted((t for t in TABLES.values() if t.is_exported), key=lambda t: t.name))
"""Those that another machine is told of, in the order in which an export has them."""
LOCAL: tuple[Table, ...] = tuple(table for table in TABLES.values() if not table.is_exported)
"""Those that make sense in this copy of the store only."""
NOTE_COLUMNS: Mapping[str, tuple[str, ...]] = {
    table.name: found
    for table in EXPORTED
    if (found := tuple(name for name in table.names if name in ("note_id", "note_a", "note_b")))
}
"""Tables with rows of notes, and the columns that hold their ids."""
READ_OFTEN = ("boost", "credit", "pair", "shown", "stage_arm")
"""Tables that questions need again and again: whoever changes one says so (`statements.mark_changed`)."""
