"""A document of a data set as a markdown note."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping

from ori_memory.evaluation.dataset import Document
from ori_memory.evaluation.dates import read_date

__all__ = ["WRITER_VERSION", "note_name", "note_text", "targets_of", "written_day"]

WRITER_VERSION = 1
"""Raised with every change of what is written: vaults of another version are made anew."""


def note_name(number: int, total: int) -> str:
    """A file name that keeps the order and says nothing of the content."""
    return f"n{number:0{len(str(total))}d}.md"


def note_text(document: Document, targets: Mapping[str, str]) -> str:
    """The whole file. `targets`: what a link to an id or a title is written as; other links stay as they are."""
    head = [f"{key}: {value}" for key, value in _properties(document)]
    body = document.text
    if document.speaker and not body.casefold().startswith(document.speaker.casefold()):
        body = f"{document.speaker}: {body}"
    links = "\n".join(f"[[{targets.get(link, _unbracketed(link))}]]" for link in document.links)
    parts = [*(["---\n" + "\n".join([*head, "---"])] if head or body.startswith("---") else []), body]
    return "\n".join([*parts, *(["", links] if links else [])]) + "\n"


def targets_of(names: Mapping[str, str], titles: Mapping[str, str]) -> dict[str, str]:
    """How links are written. `names`: file by document; `titles`: title by document. A title that is one's own wins."""
    by_title: dict[str, list[str]] = {}
    for id, title in titles.items():
        by_title.setdefault(title, []).append(id)
    found = {}
    for id, name in names.items():
        stem, title = name.removesuffix(".md"), _unbracketed(titles[id])
        found[id] = f"{stem}|{title}" if title else stem
    for title, ids in by_title.items():
        if title and title not in found:
            found[title] = found[ids[0]]
    return found


def written_day(document: Document) -> datetime.date | None:
    """When it was written, as far as it says."""
    return read_date(document.date) if document.date else None


def _properties(document: Document) -> list[tuple[str, str]]:
    found = []
    if document.title:
        found.append(("title", _quoted(document.title)))
    day = written_day(document)
    if day is not None:
        found.append(("created", day.isoformat()))
    elif document.date:
        found.append(("date", _quoted(document.date)))
    if document.session:
        # Sessions of two groups may have one name; in one vault they are two.
        session = f"{document.group}/{document.session}" if document.group else document.session
        found.append(("source", f"{{session: {_quoted(session)}}}"))
    return found


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f").replace("\x85", "\\u0085")


def _unbracketed(text: str) -> str:
    return " ".join(text.translate(dict.fromkeys(map(ord, "[]|#^\n"), " ")).split())
