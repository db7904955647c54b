"""The tables of the index. Derived data only: a change here raises the version, and old files are built anew."""

from __future__ import annotations

__all__ = [
    "APPLICATION_ID",
    "COARSE_NS",
    "FTS_COLUMNS",
    "FTS_WEIGHTS",
    "IS_FRESH",
    "LATE_INDICES",
    "LINKS",
    "MENTIONS",
    "NAME_INDICES",
    "TABLES",
    "VERSION",
]

APPLICATION_ID = 0x6F726931
"""`ori1`: what a stranger's database does not carry."""

VERSION = 15

COARSE_NS = 2_000_000_000
"""File systems that keep whole seconds, FAT two of them."""
IS_FRESH = f"checked_ns - mtime_ns < {COARSE_NS}"
"""The index over these notes makes them cheap to find at each sync."""

LINKS, MENTIONS = 1, 2
"""Bits of `is_pending`: what of a note waits to be worked out against the others."""

FTS_COLUMNS = ("title", "aliases", "description", "headings", "body", "parts")
FTS_WEIGHTS = (10.0, 8.0, 4.0, 3.0, 1.0, 0.5)

_TOKENIZER = "porter unicode61 remove_diacritics 2 categories ''L* N* Co Mn Mc''"
"""Stems of English words. With marks: vowel signs of Indian scripts belong to their words."""

TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE note(
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL UNIQUE,
    mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    checked_ns INTEGER NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    space TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    confidence TEXT NOT NULL,
    description TEXT NOT NULL,
    created TEXT,
    is_pinned INTEGER NOT NULL,
    is_list INTEGER NOT NULL,
    valid_from TEXT,
    valid_until TEXT,
    source_client TEXT NOT NULL,
    source_session TEXT NOT NULL,
    source_file TEXT NOT NULL,
    source_commit TEXT NOT NULL,
    words INTEGER NOT NULL,
    body_line INTEGER NOT NULL,
    thread INTEGER,
    is_pending INTEGER NOT NULL,
    problems TEXT NOT NULL
);
CREATE INDEX note_created ON note(created) WHERE created NOTNULL;
CREATE INDEX note_pending ON note(num) WHERE is_pending;
CREATE INDEX note_waits ON note(is_pending);
CREATE INDEX note_fresh ON note(num) WHERE {IS_FRESH};
CREATE TABLE alias(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    alias TEXT NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE tag(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    tag TEXT NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE project(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    project TEXT NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE supersedes(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    target TEXT NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE heading(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    level INTEGER NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE block(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, position INTEGER NOT NULL,
    block TEXT NOT NULL, PRIMARY KEY(note, position)) WITHOUT ROWID;
CREATE TABLE name(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, key INTEGER NOT NULL,
    PRIMARY KEY(note, key)) WITHOUT ROWID;
CREATE TABLE opening(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, word TEXT NOT NULL,
    PRIMARY KEY(note, word)) WITHOUT ROWID;
CREATE TABLE wanted(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, key INTEGER NOT NULL,
    PRIMARY KEY(note, key)) WITHOUT ROWID;
CREATE TABLE link(
    src INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
    position INTEGER NOT NULL,
    dst INTEGER REFERENCES note ON DELETE SET NULL,
    is_ambiguous INTEGER NOT NULL,
    is_attachment INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    heading TEXT,
    block TEXT,
    alias TEXT,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    line INTEGER NOT NULL,
    is_property INTEGER NOT NULL,
    context TEXT NOT NULL,
    PRIMARY KEY(src, position)
) WITHOUT ROWID;
CREATE TABLE entity(note INTEGER NOT NULL REFERENCES note ON DELETE CASCADE, key INTEGER NOT NULL,
    PRIMARY KEY(note, key)) WITHOUT ROWID;
CREATE TABLE seat(note INTEGER PRIMARY KEY, thread INTEGER NOT NULL, position INTEGER NOT NULL, speaker TEXT NOT NULL,
    text TEXT NOT NULL);
CREATE TABLE dirty_thread(thread INTEGER PRIMARY KEY);
CREATE TABLE suggestion(
    src INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
    dst INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
    mention TEXT NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY(src, dst)
) WITHOUT ROWID;
CREATE TABLE quarantine(path TEXT PRIMARY KEY, reason TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TABLE listing(first TEXT PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE stored(note INTEGER PRIMARY KEY, text NOT NULL, taken BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5({", ".join(FTS_COLUMNS)}, content='', tokenize='{_TOKENIZER}');
CREATE VIRTUAL TABLE windows USING fts5(text, content='', tokenize='{_TOKENIZER}');
CREATE VIRTUAL TABLE pieces USING fts5(text, content='', tokenize='trigram');
"""
"""Keys of names and links are numbers (`keys.key_number`), since their texts took a fifth of the file.

In tables WITHOUT ROWID the columns of the primary key come first, in its order: PRAGMA quick_check of SQLite 3.40 takes
them for NULL elsewhere.
"""

NAME_INDICES = (
    "CREATE INDEX IF NOT EXISTS name_key ON name(key)",
    "CREATE INDEX IF NOT EXISTS opening_word ON opening(word)",
    "CREATE INDEX IF NOT EXISTS wanted_key ON wanted(key)",
    "CREATE INDEX IF NOT EXISTS entity_key ON entity(key)",
    "CREATE INDEX IF NOT EXISTS note_thread ON note(thread) WHERE thread NOTNULL",
    "CREATE INDEX IF NOT EXISTS seat_thread ON seat(thread, position)",
)
"""Made once the notes of a first build are written: sorting all rows at once beats finding a place for each."""

LATE_INDICES = (
    "CREATE INDEX IF NOT EXISTS link_dst ON link(dst)",
    "CREATE INDEX IF NOT EXISTS suggestion_dst ON suggestion(dst, mention)",
    "CREATE INDEX IF NOT EXISTS suggestion_said ON suggestion(src, mention)",
)
"""Made with the transaction after which no note waits."""
