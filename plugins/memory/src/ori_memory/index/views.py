"""Views for questions in SQL. They are made in the connection that asks, so the file holds none of them."""

from __future__ import annotations

import sqlite3

from ori_memory.index.edges import IS_SUGGESTED

__all__ = ["COLUMNS", "VIEWS", "make_views"]

_MOMENT = "strftime('%Y-%m-%dT%H:%M:%SZ', {0} / 1000000000, 'unixepoch')"


def _list(table: str, column: str) -> str:
    inner = f"SELECT {column} FROM main.{table} WHERE note = n.num ORDER BY position"
    return f"(SELECT json_group_array({column}) FROM ({inner}))"


VIEWS: dict[str, tuple[str, str]] = {
    "v_note": (
        "every note",
        f"""SELECT n.id, n.path, n.title, n.space, n.type, n.status, n.confidence, n.description, n.created,
            {_MOMENT.format("n.mtime_ns")} AS modified, n.is_pinned, n.valid_from, n.valid_until,
            {_list("project", "project")} AS projects, {_list("tag", "tag")} AS tags,
            {_list("alias", "alias")} AS aliases, {_list("supersedes", "target")} AS supersedes,
            n.source_client, n.source_session, n.source_file, n.source_commit, n.words, n.size, n.problems
            FROM main.note n""",
    ),
    "v_link": (
        "links that lead to a note, one row a link as it is written",
        """SELECT s.path AS source, d.path AS target, l.target AS written, l.kind, l.heading, l.block, l.alias, l.line,
            l.is_ambiguous, l.is_property, l.context, s.id AS source_id, d.id AS target_id
            FROM main.link l JOIN main.note s ON s.num = l.src JOIN main.note d ON d.num = l.dst""",
    ),
    "v_dangling": (
        "links to notes that are not there",
        """SELECT s.path AS source, l.target AS written, l.kind, l.line, l.context, s.id AS source_id
            FROM main.link l JOIN main.note s ON s.num = l.src
            WHERE l.dst IS NULL AND NOT l.is_attachment AND l.target <> ''""",
    ),
    "v_suggestion": (
        "notes whose text mentions another note without a link",
        f"""SELECT s.path AS source, d.path AS target, m.mention, m.line, s.id AS source_id, d.id AS target_id
            FROM main.suggestion m JOIN main.note s ON s.num = m.src JOIN main.note d ON d.num = m.dst
            WHERE {IS_SUGGESTED}""",
    ),
    "v_orphan": (
        "notes that no other note links to",
        """SELECT n.id, n.path, n.title, n.space FROM main.note n
            WHERE NOT EXISTS (SELECT 1 FROM main.link l WHERE l.dst = n.num AND l.src <> n.num)""",
    ),
    "v_tag": (
        "one row a note and tag",
        "SELECT n.path, t.tag, n.id FROM main.tag t JOIN main.note n ON n.num = t.note",
    ),
    "v_project": (
        "one row a note and project",
        "SELECT n.path, p.project, n.id FROM main.project p JOIN main.note n ON n.num = p.note",
    ),
    "v_heading": (
        "one row a heading",
        "SELECT n.path, h.level, h.text, h.line, n.id FROM main.heading h JOIN main.note n ON n.num = h.note",
    ),
    "v_quarantine": ("files that could not be read as notes", "SELECT path, reason, size FROM main.quarantine"),
    "v_access": (
        "how often each note was used, on all machines; path is null where the note is gone",
        """SELECT a.note_id AS id, n.path, n.title, sum(a.count) AS count, min(a.first) AS first, max(a.last) AS last
            FROM learned.access a LEFT JOIN main.note n ON n.id = a.note_id GROUP BY a.note_id""",
    ),
    "v_boost": (
        "what use of a note left of warmth on its neighbours, as it was when it was written down",
        """SELECT b.note_id AS id, n.path, n.title, b.origin, b.boost, b.updated, b.accesses
            FROM learned.boost b LEFT JOIN main.note n ON n.id = b.note_id""",
    ),
}
"""Name: what its rows are, and the statement."""

COLUMNS: dict[str, str] = {
    "id": "the note's stable id",
    "path": "relative to the vault",
    "source": "path of the note that holds the link",
    "target": "path of the note it leads to",
    "written": "the target as it is written",
    "created": "ISO date, as the note says",
    "modified": "when the file was written, UTC",
    "line": "1-based",
    "context": "the line that holds the link",
    "projects": "JSON array",
    "tags": "JSON array",
    "aliases": "JSON array",
    "supersedes": "JSON array",
    "is_pinned": "1 or 0",
    "is_ambiguous": "1: several notes answer to the link",
    "first": "UTC",
    "last": "UTC",
}
"""What columns hold, where the name alone does not say it."""

_EMPTY = {
    "v_access": "SELECT NULL AS id, NULL AS path, NULL AS title, 0 AS count, NULL AS first, NULL AS last WHERE 0",
    "v_boost": """SELECT NULL AS id, NULL AS path, NULL AS title, NULL AS origin, 0.0 AS boost, NULL AS updated,
        0 AS accesses WHERE 0""",
}


def make_views(connection: sqlite3.Connection, *, has_learned: bool) -> None:
    """Make the views in a connection to the index, with the learned store attached as `learned` where there is one.

    Raises: sqlite3.Error where the file is no index of this version.
    """
    for name, (_, statement) in VIEWS.items():
        chosen = statement if has_learned else _EMPTY.get(name, statement)
        connection.execute(f"CREATE TEMP VIEW {name} AS {chosen}")
