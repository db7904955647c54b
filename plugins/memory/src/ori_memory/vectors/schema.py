"""The tables beside the data file. Derived data: another version is set aside and filled anew."""

from __future__ import annotations

__all__ = ["APPLICATION_ID", "CUTTING", "NAME", "TABLES", "VERSION"]

NAME = "vectors.db"
APPLICATION_ID = 0x6F726976
"""`oriv`."""
VERSION = 1
CUTTING = 1
"""Goes up when notes are cut differently; passages whose text stays keep their vectors."""

TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE owner(
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    num INTEGER NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    cutting INTEGER NOT NULL,
    is_cut_short INTEGER NOT NULL
);
CREATE TABLE passage(
    row INTEGER PRIMARY KEY,
    owner INTEGER NOT NULL,
    digest BLOB NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL
);
CREATE INDEX passage_owner ON passage(owner);
CREATE INDEX passage_digest ON passage(digest);
"""
"""`num` is the index's number of the note when it was last seen: a hint, which saves looking up its id. `hash` and
`title` are the note's as it was cut; an empty hash: something of it was lost. Rows of owner 0 wait for the rest of
their note.
"""
