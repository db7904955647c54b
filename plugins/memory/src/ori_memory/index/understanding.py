"""One note's file, understood."""

from __future__ import annotations

from attrs import evolve, frozen

from ori_memory.index.reading import NotReadable, ReadFile
from ori_memory.index.record import record_of, sql_text
from ori_memory.model import NoteRecord, ParsedNote
from ori_memory.notes.naming import stem_of
from ori_memory.notes.parsing import parse_whole
from ori_memory.notes.program_data import without_program_data
from ori_memory.notes.spans import Spans
from ori_memory.notes.text import decode_note

__all__ = ["UnderstoodNote", "understand"]


@frozen
class UnderstoodNote:
    """Everything the index keeps of a note, but for what depends on other notes."""

    file: ReadFile
    record: NoteRecord
    parsed: ParsedNote
    """Its body without what plugins keep in it for themselves."""
    text: str
    taken: Spans | None
    """What in the body holds no mentions, as `parse_whole` gives it."""
    stated_id: str
    """The `id` of its frontmatter, or empty."""
    problems: tuple[str, ...]


def understand(file: ReadFile) -> UnderstoodNote:
    """Parse the file. Raises: NotReadable where it is no text."""
    path = file.stamp.path
    decoded = decode_note(file.data)
    try:
        parsed, taken = parse_whole(decoded.text, stem_of(path))
    except RecursionError as error:
        raise NotReadable("it is nested too deeply to be read", is_certain=True) from error
    parsed = evolve(parsed, body=without_program_data(parsed.body))
    problems = tuple(filter(None, (decoded.problem, *parsed.problems)))
    stated = parsed.properties.get("id")
    stated_id = sql_text(str(stated).strip()) if isinstance(stated, str | int) and not isinstance(stated, bool) else ""
    return UnderstoodNote(file, record_of(parsed, path), parsed, decoded.text, taken, stated_id, problems)
