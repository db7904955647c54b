"""Keeping a new note: never empty, never twice, whole on disk when it is acknowledged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs
from attrs import frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UnknownName, UserError
from ori_memory.notes.parsing import parse_note
from ori_memory.operations.composing import NewNote, check_request, compose
from ori_memory.operations.footers import without_footers
from ori_memory.operations.present import read_where_possible
from ori_memory.operations.writing import free_path, writing

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.vault.vault import Vault

__all__ = ["Added", "add_note"]

INBOX = "inbox"
_PHRASE_WORDS = 12
_MOST_CANDIDATES = 20
_LINK = re.compile(r"\[\[([^\]|\n]+)(?:\|([^\]\n]+))?\]\]")


@frozen
class Added:
    """A note that is kept."""

    id: str
    path: str
    title: str
    is_new: bool
    """False: a note that says the same is there already; this is it."""
    is_promoted: bool = False
    warnings: tuple[str, ...] = ()


def add_note(memory: Memory, request: NewNote) -> Added:
    """Write `request` into the inbox and, where the settings say so and it has content, promote it.

    Raises: UserError for a request that cannot be kept, or a vault that cannot be written.
    """
    check_request(request)
    vault = memory.vault
    _require_findable(vault, request)
    with writing(vault):
        existing = _same_note(memory, request)
        if existing is not None:
            return existing
        try:
            folder = vault.locate(INBOX)
            folder.mkdir(parents=True, exist_ok=True)
            path = free_path(folder, request.title)
            id = memory.make_id()
            text, warnings = compose(vault, request, id, memory.now().date())
            replace_bytes(path, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise UserError(f"{error.filename or INBOX} cannot be written: {error.strerror}.") from error
    memory.refresh()
    warnings = (*warnings, *_supersede(memory, request, id))
    added = Added(id, vault.relative(path), request.title.strip(), True, warnings=warnings)
    if not (vault.config.promote.auto and request.content.strip()):
        return added
    return _promoted(memory, added)


def _require_findable(vault: Vault, request: NewNote) -> None:
    """What the index leaves out would be kept and never found. Raises: UserError."""
    size, most = len(request.content.encode("utf-8", "surrogatepass")), vault.config.index.max_bytes
    if size > most:
        raise UserError(
            f"The content has {size:,} bytes, and index.max_bytes allows {most:,}: the note could not be found. Make "
            "several of it, or put it into a file and add a note that names the file."
        )


def _promoted(memory: Memory, added: Added) -> Added:
    """The note, promoted if that goes; kept it is in any case."""
    from ori_memory.operations.promoting import promote_note

    try:
        promoted = promote_note(memory, added.path)
    except UserError as error:
        # Another process may have promoted it meanwhile: its id tells where it is now.
        try:
            path = memory.index.note(added.id).path
        except UnknownName:
            path = added.path
        moved = path != added.path
        return attrs.evolve(
            added, path=path, is_promoted=moved, warnings=added.warnings if moved else (*added.warnings, str(error))
        )
    return attrs.evolve(added, path=promoted.path, is_promoted=True, warnings=(*added.warnings, *promoted.warnings))


def _same_note(memory: Memory, request: NewNote) -> Added | None:
    """The note that has this title and content already, or this content under a title that says no more than it."""
    wanted = _bare(request.content)
    for path in _candidates(memory, request):
        note = read_where_possible(memory, path)
        if note is None:
            continue
        parsed = parse_note(note.text, path.rsplit("/", 1)[-1].removesuffix(".md"))
        is_same_title = parsed.title.strip() == request.title.strip()
        body = _bare(without_footers(_without_heading(parsed.body, parsed.title)))
        says_no_more = _words(request.title) <= _words(f"{request.content} {parsed.title}")
        if body == wanted and (is_same_title or (wanted and says_no_more)):
            record = memory.index.note(path)
            how = "" if is_same_title else f" under the title '{record.title}'"
            return Added(record.id, path, record.title, False, warnings=(f"This is kept already{how}: {path}.",))
    return None


def _supersede(memory: Memory, request: NewNote, added_id: str) -> list[str]:
    """Mark the notes whose place the new one takes; gives what the person should know."""
    from ori_memory.operations.archiving import set_status

    told = []
    for name in (name.strip().removeprefix("[[").removesuffix("]]") for name in request.supersedes):
        paths = memory.titled(name)
        try:
            if len(paths) == 1:
                memory.teaching.inherited(memory.index.note(paths[0]).id, added_id)
                set_status(memory, paths[0], "superseded", superseded_by=f"[[{request.title.strip()}]]")
            else:
                answer = f"{len(paths)} notes are" if paths else "no note is"
                told.append(f"It supersedes '{name}', which {answer} called; no note was marked.")
        except UserError as error:
            told.append(f"{paths[0]} was not marked as superseded: {error}")
    return told


def _candidates(memory: Memory, request: NewNote) -> list[str]:
    memory.refresh()
    paths = list(memory.titled(request.title.strip()))
    words = re.findall(r"\w+", request.content)[:_PHRASE_WORDS]
    if words:
        hits = memory.index.search_words(" ".join(words), limit=_MOST_CANDIDATES)
        paths += (hit.note.path for hit in hits)
    return list(dict.fromkeys(paths))


def _without_heading(body: str, title: str) -> str:
    first, _, rest = body.lstrip().partition("\n")
    return rest if first.lstrip("#").strip() == title.strip() and first.startswith("#") else body


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _bare(text: str) -> str:
    """Words alone: a promotion makes links of mentions, which changes nothing of what is said."""
    return " ".join(_LINK.sub(lambda found: found[2] or found[1], text).split())
