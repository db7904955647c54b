"""From the inbox to the notes: typed, described, linked, moved."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import AriesError, UserError
from ori_memory.links.mentions import Mentions
from ori_memory.links.names import NamedNote, names_in_texts
from ori_memory.links.tables import is_in_table
from ori_memory.model import TYPES, ParsedNote
from ori_memory.notes.frontmatter import edit_frontmatter
from ori_memory.notes.lines import flatten
from ori_memory.notes.naming import stem_of
from ori_memory.notes.parsing import parse_note
from ori_memory.notes.text import NoteText
from ori_memory.operations.classifying import classify, describe, projects_of
from ori_memory.operations.footers import with_footers
from ori_memory.operations.present import read_present
from ori_memory.operations.writing import free_path, writing

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["LOG", "Overrides", "Promoted", "Refusal", "promote_all", "promote_note"]

NOTES = "notes"
LOG = "ops/promote.log"
"""What was promoted when, and what was changed with it."""
_ATTRIBUTES = ".gitattributes"
_MERGED = "promote.log merge=union\n"
"""Lines that two machines appended are both kept where git merges them: there is nothing to decide."""
_PLACEHOLDER = re.compile(r"\{\{?\s*content[^}\n]*\}?\}", re.IGNORECASE)


class Refusal(UserError):
    """A note that cannot be promoted as it is."""


@frozen
class Overrides:
    """What the person says instead of the heuristics."""

    type: str = ""
    description: str = ""
    links: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    finds_links: bool = True
    """Whether mentions of other notes become links."""


@frozen
class Promoted:
    """A note that was promoted, or would be."""

    source: str
    path: str
    changes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@frozen
class _Plan:
    id: str
    note: NoteText
    text: str
    changes: tuple[str, ...]


def promote_note(
    memory: Memory, path: str, overrides: Overrides | None = None, *, is_dry_run: bool = False
) -> Promoted:
    """Move the note at `path` out of the inbox.

    The file moves first and is changed then; a change that fails moves it back. Whatever kills the process, the note is
    there once and whole, and promoting it again finishes the work.
    Raises: Refusal, UserError.
    """
    vault = memory.vault
    with writing(vault):
        plan = _plan(memory, path, overrides or Overrides())
        old = vault.root / path
        target = old if path.startswith(f"{NOTES}/") else free_path(vault.locate(NOTES), stem_of(path))
        done = Promoted(path, vault.relative(target), plan.changes)
        if is_dry_run:
            return done
        try:
            _move_and_write(old, target, plan)
        except OSError as error:
            raise UserError(f"{path} cannot be promoted: {error.strerror}. It is where it was.") from error
        _write_log(vault.root / LOG, memory.now().isoformat(timespec="seconds"), done)
    try:
        memory.learned.record_access([plan.id])
    except AriesError as error:
        # The note is promoted all the same.
        memory.notice(f"That {path} was promoted was not counted as a use: {error}")
    memory.refresh()
    return done


def promote_all(memory: Memory, *, is_dry_run: bool = False) -> tuple[list[Promoted], list[tuple[str, str]]]:
    """Promote all of the inbox; gives what was promoted, and what was not with its reason."""
    promoted, skipped = [], []
    for path in sorted(note.path for note in memory.index.notes() if note.path.startswith("inbox/")):
        try:
            promoted.append(promote_note(memory, path, is_dry_run=is_dry_run))
        except UserError as error:
            skipped.append((path, str(error)))
    return promoted, skipped


def _plan(memory: Memory, path: str, overrides: Overrides) -> _Plan:
    note = read_present(memory.vault.locate(path))
    if note is None:
        raise Refusal(f"{path} is no longer there; another process may have promoted or moved it.")
    parsed = parse_note(note.text, stem_of(path))
    _refuse_unready(path, parsed)
    if overrides.type and overrides.type not in TYPES:
        raise UserError(f"type must be one of {', '.join(TYPES)}, not '{overrides.type}'.")
    said = str(parsed.properties.get("type") or "")
    kind = classify(parsed.title, parsed.body, overrides.type or (said if said in TYPES else ""))
    projects = (
        overrides.projects
        or _listed(parsed.properties.get("project"))
        or projects_of(parsed.title, parsed.body, memory.vault.config.promote.project_keywords)
    )
    description = overrides.description or str(parsed.properties.get("description") or "").strip()
    values: dict[str, object] = {
        "description": description or describe(parsed.title, parsed.body),
        "type": kind.type,
        "project": list(projects),
        "status": "active",
    }
    text = edit_frontmatter(note.text, {key: value for key, value in values.items() if value or key == "status"})
    changes = [f"{key}: {value}" for key, value in values.items() if parsed.properties.get(key) != value and value]
    if kind.certainty != "explicit":
        changes = [f"{one} ({kind.certainty})" if one.startswith("type:") else one for one in changes]
    text, linked = _with_links(memory, path, text, overrides, projects)
    return _Plan(memory.index.note(path).id, note, text, (*changes, *linked))


def _refuse_unready(path: str, parsed: ParsedNote) -> None:
    status = str(parsed.properties.get("status") or "")
    if not parsed.has_frontmatter:
        raise Refusal(f"{path} has no frontmatter. Add at least 'status: inbox' between two lines of '---'.")
    if parsed.problems:
        raise Refusal(f"{path} has frontmatter that cannot be read: {'; '.join(parsed.problems)}.")
    if status != "inbox":
        raise Refusal(f"{path} has the status '{status or 'none'}'; only notes of the status inbox are promoted.")
    body = re.sub(r"^\s*#[^\n]*\n?", "", parsed.body.strip(), count=1).strip()
    if not body or _PLACEHOLDER.fullmatch(body):
        raise Refusal(f"{path} has no content yet. Write something below its title first.")


def _with_links(
    memory: Memory, path: str, text: str, overrides: Overrides, projects: Sequence[str]
) -> tuple[str, list[str]]:
    changes: list[str] = []
    if overrides.finds_links:
        text, mentioned = _link_mentions(memory, path, text)
        changes += (f"linked: {title}" for title in mentioned)
    related = [memory.index.note(link).path for link in overrides.links]
    areas = _areas(memory, projects, path)
    edited = with_footers(text, [stem_of(one) for one in related], [stem_of(one) for one in areas])
    if edited != text:
        changes += (f"related: {stem_of(one)}" for one in related)
        changes += (f"area: {stem_of(one)}" for one in areas)
    return edited, changes


def _link_mentions(memory: Memory, path: str, text: str) -> tuple[str, list[str]]:
    """The first mention of each other note becomes a link; one that several notes answer to is left alone."""
    names = [
        NamedNote(note.path, note.title, note.aliases)
        for note in memory.index.notes()
        if note.path != path and note.status not in ("archived", "released", "superseded")
    ]
    own_title, flat = parse_note(text, stem_of(path)).title, flatten(text)
    seen: set[str] = set()
    edits: list[tuple[int, int, str]] = []
    for mention in Mentions.of(names, names_in_texts).find(text, path):
        line = text[text.rfind("\n", 0, mention.start) + 1 : mention.end]
        if len(mention.paths) != 1 or mention.paths[0] in seen or line.startswith("#") or mention.text == own_title:
            continue
        seen.add(mention.paths[0])
        target = stem_of(mention.paths[0])
        pipe = r"\|" if is_in_table(flat, mention.start) else "|"
        link = f"[[{target}]]" if target == mention.text else f"[[{target}{pipe}{mention.text}]]"
        edits.append((mention.start, mention.end, link))
    for start, end, link in sorted(edits, reverse=True):
        text = text[:start] + link + text[end:]
    return text, [link for _, _, link in sorted(edits)]


def _areas(memory: Memory, projects: Sequence[str], path: str) -> list[str]:
    """The maps a note is listed under: routed, else one named like the project, else the default area."""
    settings = memory.vault.config.promote
    found: list[str] = []
    for project in projects:
        routed = settings.project_map_routing.get(project)
        named = [routed] if routed else [f"{project} map", f"{project}-map"]
        found += (one for name in named for one in memory.titled(name))
    found = found or list(memory.titled(settings.default_area))
    return [one for one in dict.fromkeys(found) if one != path][:3]


def _move_and_write(old: Path, target: Path, plan: _Plan) -> None:
    data = plan.note.encode(plan.text)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target != old:
        old.rename(target)
    try:
        replace_bytes(target, data)
    except BaseException:
        if target != old:
            target.rename(old)
        raise


def _write_log(log: Path, at: str, done: Promoted) -> None:
    if not log.parent.is_dir():
        return
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{at} | {done.source} -> {done.path} | {'; '.join(done.changes)}\n")
    with contextlib.suppress(FileExistsError), (log.parent / _ATTRIBUTES).open("x", encoding="utf-8") as attributes:
        attributes.write(_MERGED)


def _listed(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(str(one) for one in value if one)
    return (str(value),) if value else ()
