"""The text of a new note: its template, filled in."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

import attrs
from attrs import field, frozen

from aries_kernel.errors import UserError
from ori_memory.model import CONFIDENCES, TYPES, Source
from ori_memory.notes.frontmatter import edit_frontmatter
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.text import read_note
from ori_memory.operations.classifying import classify, describe
from ori_memory.vault.vault import Vault

__all__ = ["NewNote", "check_request", "compose"]

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{?\s*(title|content)[^{}\n]*\}?\}", re.IGNORECASE)
_BARE = "---\n---\n\n# {title}\n\n{content}\n"


@frozen
class NewNote:
    """What somebody wants kept."""

    title: str
    content: str = ""
    type: str = ""
    """Empty: guessed from its words."""
    description: str = ""
    """Empty: taken from the content."""
    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: str = ""
    supersedes: tuple[str, ...] = ()
    valid_from: datetime.date | None = None
    valid_until: datetime.date | None = None
    is_pinned: bool = False
    source: Source = field(factory=Source)


def check_request(request: NewNote) -> None:
    """Say everything that is wrong with a request.

    Raises: UserError.
    """
    problems = []
    if not request.title.strip():
        problems.append("the title is empty")
    elif _UUID.fullmatch(request.title.strip()):
        problems.append("the title is an identifier, which says nothing; write a sentence")
    if "\n" in request.title.strip() or "\0" in request.title:
        problems.append("the title must be one line")
    if request.type and request.type not in TYPES and request.type != "map":
        problems.append(f"type must be one of {', '.join(TYPES)}, not '{request.type}'")
    if request.confidence and request.confidence not in CONFIDENCES:
        problems.append(f"confidence must be one of {', '.join(CONFIDENCES)}, not '{request.confidence}'")
    if request.valid_from and request.valid_until and request.valid_until < request.valid_from:
        problems.append("valid_until lies before valid_from")
    if problems:
        raise UserError("; ".join(problems) + ".")


def compose(vault: Vault, request: NewNote, id: str, today: datetime.date) -> tuple[str, tuple[str, ...]]:
    """The text of the note and warnings about its template."""
    title, content = request.title.strip(), request.content.strip("\n")
    request = attrs.evolve(request, type=request.type or classify(title, content).type)
    template, warnings = _template(vault, request.type)
    filled = _PLACEHOLDER.sub(lambda match: title if match[1].lower() == "title" else content, template)
    if content and content not in filled:
        filled = filled.rstrip("\n") + f"\n\n{content}\n"
    text = edit_frontmatter(filled, {"_schema": None, **_properties(request, id, today, title, content)})
    return re.sub(r"\n{3,}\Z", "\n", text.rstrip() + "\n"), warnings


def _template(vault: Vault, type: str) -> tuple[str, tuple[str, ...]]:
    name = vault.config.templates.by_type.get(type, vault.config.templates.default)
    path = vault.locate(name)
    if not path.is_file():
        return _BARE, ()
    note = read_note(path)
    parsed = parse_note(note.text, path.stem)
    if parsed.problems:
        return _BARE, (f"The template {name} was not used: {'; '.join(parsed.problems)}.",)
    return note.text, ()


def _properties(request: NewNote, id: str, today: datetime.date, title: str, content: str) -> Mapping[str, object]:
    source = {key: value for key, value in attrs.asdict(request.source).items() if value}
    optional: dict[str, object] = {
        "tags": list(request.tags),
        "confidence": request.confidence,
        "supersedes": list(request.supersedes),
        "valid_from": request.valid_from,
        "valid_until": request.valid_until,
        "pinned": request.is_pinned,
        "source": source,
    }
    return {
        "id": id,
        "title": title,
        "description": request.description.strip() or describe(title, content),
        "type": "moc" if request.type == "map" else request.type,
        "project": list(request.projects),
        "status": "inbox",
        "created": today,
        **{key: value for key, value in optional.items() if value},
    }
