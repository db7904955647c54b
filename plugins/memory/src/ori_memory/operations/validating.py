"""Validating: what a note's template asks of it, what is wrong with its head, and links that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from aries_kernel.errors import UserError
from ori_memory.notes.properties import Properties, read_properties
from ori_memory.notes.text import read_note
from ori_memory.operations.merge_traces import conflict_in
from ori_memory.operations.templates import Schema, read_schema, template_of
from ori_memory.vault.vault import OutsideVault, Vault

if TYPE_CHECKING:
    from ori_memory.index.edges import IndexedLink
    from ori_memory.memory import Memory

__all__ = ["Validated", "validate_all", "validate_note"]


@frozen
class Validated:
    """What is wrong with one note. In the inbox nothing is an error yet."""

    path: str
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    remark: str = ""
    """What is odd about its bytes; it is among the warnings too."""


def validate_note(memory: Memory, name: str) -> Validated:
    """Everything that is wrong with one note: `name` is its path in the vault, or its title, an alias or its id.

    Raises: OutsideVault for a path that leads out, UnknownName, AmbiguousNote.
    """
    place = memory.vault.locate(name)
    path = memory.vault.relative(place) if place.is_file() else memory.index.note(name).path
    if not path.lower().endswith((".md", ".markdown")):
        raise UserError(f"{name} is no note; validate takes markdown files.")
    return _validate(memory.vault, _Schemas(memory.vault), path, _link_warnings(memory, memory.index.outgoing(path)))


def validate_all(memory: Memory, *, with_links: bool = False) -> tuple[Validated, ...]:
    """The same for all notes, those with nothing wrong left out; in the order of paths."""
    schemas = _Schemas(memory.vault)
    links = _by_source(memory) if with_links else {}
    found = (_validate(memory.vault, schemas, note.path, links.get(note.path, ())) for note in memory.index.notes())
    return tuple(one for one in found if one.errors or one.warnings)


@define
class _Schemas:
    """Templates, each read once."""

    vault: Vault
    _read: dict[str, Schema | None] = field(factory=dict)

    def for_note(self, path: str, type: str) -> Schema | None:
        """What the note's template asks; None where no template speaks of it."""
        space = path.partition("/")[0] if "/" in path else ""
        template = template_of(self.vault, type)
        if template not in self._read:
            self._read[template] = read_schema(self.vault, template)
        schema = self._read[template]
        if schema is None or space == "inbox":
            return schema
        # A type of its own names its template wherever the note is; the default one says where it applies.
        is_named = type in self.vault.config.templates.by_type and space == "notes"
        return schema if is_named or schema.is_about(path) else None


def _validate(vault: Vault, schemas: _Schemas, path: str, links: Iterable[str]) -> Validated:
    errors: list[str] = []
    warnings: list[str] = []
    try:
        note = read_note(vault.root / path)
    except OSError as error:
        return Validated(path, (f"it cannot be read: {error.strerror or error}",), ())
    head = read_properties(note.text)
    conflict = conflict_in(note.text)
    # A head with signs of a conflict in it is not valid either, which says less.
    errors += [conflict] if conflict else head.problems
    if note.problem:
        warnings.append(note.problem)
    schema = schemas.for_note(path, str(head.values.get("type") or ""))
    if schema is not None:
        warnings += schema.problems
        errors += _schema_errors(schema, head)
        warnings += _style(head.values)
    warnings += links
    if path.startswith("inbox/"):
        errors, warnings = [], [*errors, *warnings]
    return Validated(path, tuple(errors), tuple(warnings), note.problem)


def _schema_errors(schema: Schema, head: Properties) -> Iterator[str]:
    if head.block is None and not head.values:
        if schema.required and not head.problems:
            yield f"it has no frontmatter; {schema.template} asks for {', '.join(schema.required)}"
        return
    for name in schema.required:
        if _is_blank(head.values.get(name)):
            yield f"{name} is {'blank' if name in head.values else 'missing'}"
    for name, allowed in schema.enums.items():
        for value in _scalars(head.values.get(name)):
            if value not in allowed:
                yield f"{name} is '{value}'; it must be one of {', '.join(allowed)}"
    for name, most in schema.max_lengths.items():
        for value in _scalars(head.values.get(name)):
            if len(value) > most:
                yield f"{name} has {len(value)} characters; {most} are allowed"


def _style(values: Mapping[str, object]) -> Iterator[str]:
    description = values.get("description")
    if isinstance(description, str) and description.rstrip().endswith(".") and not description.endswith("..."):
        yield "description ends with a period"


def _is_blank(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or value == [] or value == {}


def _scalars(value: object) -> list[str]:
    """The texts of a value or a list; what is blank is a matter of `required`."""
    given = value if isinstance(value, list | tuple) else [value]
    return [str(one).strip() for one in given if not _is_blank(one)]


def _by_source(memory: Memory) -> dict[str, list[str]]:
    grouped: dict[str, list[IndexedLink]] = {}
    for link in memory.index.links():
        grouped.setdefault(link.source, []).append(link)
    return {path: list(_link_warnings(memory, links)) for path, links in grouped.items()}


def _link_warnings(memory: Memory, links: Iterable[IndexedLink]) -> Iterator[str]:
    for one in links:
        place = f"line {one.link.line}: the link to '{one.link.target}'"
        if one.target is None and not one.is_attachment:
            yield f"{place} leads to no note"
        elif one.is_ambiguous:
            yield f"{place} may mean several notes; it is taken for {one.target}"
        elif one.is_attachment and not _is_there(memory.vault, one):
            yield f"{place} names a file that is not there"


def _is_there(vault: Vault, link: IndexedLink) -> bool:
    """Whether an attachment lies where a relative link, or one from the root, says; by name it may be anywhere."""
    target = link.link.target
    if "/" not in target:
        return True
    try:
        places = (vault.locate(f"{link.source.rpartition('/')[0] or '.'}/{target}"), vault.locate(target.lstrip("/")))
    except OutsideVault:
        return True  # It names a place outside, which is not ours to judge.
    return any(place.exists() for place in places)
