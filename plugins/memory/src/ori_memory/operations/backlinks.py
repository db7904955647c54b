"""What links to a note, or to one heading or block of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_kernel.errors import UnknownName

if TYPE_CHECKING:
    from ori_memory.index.edges import IndexedLink
    from ori_memory.memory import Memory
    from ori_memory.model import NoteRecord

__all__ = ["backlinks_of"]


def backlinks_of(memory: Memory, name: str) -> tuple[NoteRecord, tuple[IndexedLink, ...]]:
    """The note that `name` means and the links to it; for `note#heading` or `note#^block` only those to that part.

    Raises: UnknownName where there is no such note or no such part; AmbiguousNote.
    """
    try:
        note = memory.index.note(name)
        return note, memory.index.backlinks(note.path)
    except UnknownName:
        base, _, part = name.strip().removeprefix("[[").removesuffix("]]").partition("#")
        if not base.strip() or not part.strip():
            raise
    note = memory.index.note(base.strip())
    part = part.strip()
    _refuse_unknown_part(memory, note, part)
    links = memory.index.backlinks(note.path)
    if part.startswith("^"):
        return note, tuple(one for one in links if _folded(one.link.block) == _folded(part[1:]))
    return note, tuple(one for one in links if _folded((one.link.heading or "").split("#")[-1]) == _folded(part))


def _refuse_unknown_part(memory: Memory, note: NoteRecord, part: str) -> None:
    from ori_memory.notes.parsing import parse_note  # Only a part of a note asks for its parser.

    parsed = parse_note(memory.index.text_of(note.path), note.title)
    if part.startswith("^"):
        known = [f"^{block}" for block in parsed.blocks]
    else:
        known = [heading.text for heading in parsed.headings]
    if _folded(part) not in {_folded(one) for one in known}:
        raise UnknownName(f"part of {note.path}", part, known)


def _folded(text: str | None) -> str:
    return " ".join((text or "").casefold().split())
