"""The content of an index without its row numbers, times and inodes, to compare two of them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

NOTE = (
    "id, path, size, hash, title, space, type, status, confidence, description, created, is_pinned, valid_from, "
    "valid_until, source_client, source_session, source_file, source_commit, words, body_line, is_pending, problems"
)
LISTS = ("alias", "tag", "project", "supersedes", "heading", "block", "name", "wanted", "opening", "entity")


def dump(index: Path) -> dict[str, list[tuple[Any, ...]]]:
    connection = sqlite3.connect(index)
    try:
        paths = dict(connection.execute("SELECT num, path FROM note"))
        found = {"note": sorted(connection.execute(f"SELECT {NOTE} FROM note"))}
        for table in LISTS:
            rows = connection.execute(f"SELECT * FROM {table}").fetchall()
            found[table] = sorted((paths[num], *values) for num, *values in rows)
        links = connection.execute("SELECT * FROM link").fetchall()
        found["link"] = sorted(((paths[row[0]], row[1], paths.get(row[2]), *row[3:]) for row in links), key=repr)
        mentions = connection.execute("SELECT src, dst, mention, line FROM suggestion").fetchall()
        found["suggestion"] = sorted((paths[src], paths[dst], *rest) for src, dst, *rest in mentions)
        seats = connection.execute("SELECT note, position, speaker, text FROM seat").fetchall()
        found["seat"] = sorted((paths[num], *rest) for num, *rest in seats)
        found["stored"] = sorted(
            (paths[num], text) for num, text in connection.execute("SELECT note, text FROM stored")
        )
        for table in ("words", "windows", "pieces"):
            connection.execute(f"CREATE VIRTUAL TABLE temp.v_{table} USING fts5vocab(main, {table}, instance)")
            vocabulary = connection.execute(f"SELECT term, doc, col, offset FROM temp.v_{table}")
            found[table] = sorted(((row[0], paths[row[1]], *row[2:]) for row in vocabulary), key=repr)
        return found
    finally:
        connection.close()
