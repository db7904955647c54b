"""A note's properties as typed values: what cannot be read as its type counts as not given."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

from ori_memory.index.dating import created_on
from ori_memory.index.words import unsegmented_count
from ori_memory.model import NoteRecord, ParsedNote, Source
from ori_memory.notes.naming import stem_of

__all__ = ["SPACES", "record_of", "sql_text"]

SPACES = ("self", "notes", "ops", "inbox")
_NO_SOURCE = Source()
_DATE = re.compile(r"\s*(\d{4})-(\d{2})-(\d{2})(?:[T\s].*)?\Z", re.DOTALL)


def record_of(parsed: ParsedNote, path: str, id: str = "") -> NoteRecord:
    """The note as the index keeps it. `modified` is the file's and is set where the record is read."""
    properties, words = parsed.properties, len(parsed.body.split()) + unsegmented_count(parsed.body)
    title, aliases = sql_text(parsed.title), tuple(map(sql_text, parsed.aliases))
    tags = tuple(dict.fromkeys(map(sql_text, parsed.tags)))
    created = created_on(properties, stem_of(path), parsed.body)
    if not properties:
        return NoteRecord(
            id, path, title, aliases, _space(path), tags=tags, created=created, source=_NO_SOURCE, words=words
        )
    return NoteRecord(
        id=id,
        path=path,
        title=title,
        aliases=aliases,
        space=_space(path),
        type=_text(properties, "type"),
        status=_text(properties, "status"),
        confidence=_text(properties, "confidence"),
        description=_text(properties, "description"),
        projects=_texts(properties, "project", "projects"),
        tags=tags,
        created=created,
        is_pinned=properties.get("pinned") in (True, "true", "yes"),
        supersedes=_texts(properties, "supersedes"),
        valid_from=_date(properties.get("valid_from")),
        valid_until=_date(properties.get("valid_until")),
        source=_source(properties.get("source")),
        words=words,
    )


def sql_text(text: str) -> str:
    """Text that SQLite takes: half a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _space(path: str) -> str:
    first = path.split("/", 1)[0] if "/" in path else ""
    return first if first in SPACES else "notes"


def _text(properties: Mapping[str, object], key: str) -> str:
    return _scalar(properties.get(key))


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return sql_text(value.strip())
    return str(value) if isinstance(value, int | float | datetime.date) and not isinstance(value, bool) else ""


def _texts(properties: Mapping[str, object], *keys: str) -> tuple[str, ...]:
    found: list[str] = []
    for key in keys:
        value = properties.get(key)
        found += map(_scalar, value if isinstance(value, list | tuple) else [value])
    return tuple(dict.fromkeys(filter(None, found)))


def _date(value: object) -> datetime.date | None:
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    found = _DATE.match(value) if isinstance(value, str) else None
    try:
        return datetime.date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _source(value: object) -> Source:
    if value is None:
        return _NO_SOURCE
    if not isinstance(value, Mapping):
        return Source(file=_scalar(value))
    return Source(*(_scalar(value.get(key)) for key in ("client", "session", "file", "commit")))
