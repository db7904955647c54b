"""The store of the MCP reference memory server: entities, relations and observations, a JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from attrs import define, field

from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Loss
from aries_kernel.errors import UserError
from ori_memory.importers.conversation import as_mapping, text_of
from ori_memory.importers.export_files import problem_of
from ori_memory.importers.json_stream import BrokenJson, array_elements

__all__ = ["MemoryJson"]

_NOT_IN_A_LINK = re.compile(r"[\[\]|#^\\/:*?\"<>\x00-\x1f\x7f-\x9f]+")
_LONGEST_TITLE = 120


@define
class _Entity:
    name: str
    kind: str
    observations: list[str] = field(factory=list)
    relations: dict[tuple[str, str], None] = field(factory=dict)


class MemoryJson:
    """One note an entity: its observations as a list, its relations as links."""

    name: ClassVar[str] = "memory-json"
    description: ClassVar[str] = "the MCP reference memory server's file (memory.json, memory.jsonl)"
    into: ClassVar[str] = "notes/memory"

    def read(self, source: Path) -> Iterator[ImportedNote | ImportedFile | Loss]:
        """See the contract. All of it is in memory at once: a relation may name an entity that comes later."""
        entities: dict[str, _Entity] = {}
        relations: list[tuple[str, str, str, str]] = []
        found_any = False
        for where, document in _documents(source):
            if isinstance(document, Loss):
                yield document
                continue
            problem = _take(where, document, entities, relations)
            if problem:
                yield problem
            else:
                found_any = True
        if not found_any:
            raise UserError(f"{source} holds no entity and no relation: it is no file of the memory server.")
        for where, start, kind, end in relations:
            if start in entities and end in entities:
                entities[start].relations[kind, end] = None
            else:
                missing = start if start not in entities else end
                yield Loss(where, f"the relation {start} - {kind} - {end} names '{missing}', which is no entity")
        titles = _titles(entities)
        for entity in entities.values():
            yield _note(entity, titles)


def _documents(source: Path) -> Iterator[tuple[str, Mapping[str, object] | Loss]]:
    try:
        with source.open("rb") as file:
            head = file.read(1 << 16).lstrip(b"\xef\xbb\xbf \t\r\n")
            file.seek(0)
            if head.startswith(b"[") or _is_whole(head):
                yield from _of_arrays(source.name, array_elements(file))
                return
            for number, line in enumerate(file, 1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").strip()
                if text:
                    yield f"line {number}", _of_line(number, text)
    except OSError as error:
        raise UserError(f"{source} cannot be read: {problem_of(error)}.") from error


def _is_whole(head: bytes) -> bool:
    """Whether it is one object with `entities`, as older exports are, and not an object a line."""
    return re.match(rb'\{\s*"(?:entities|relations)"\s*:', head) is not None


def _of_arrays(name: str, elements: Iterator[object]) -> Iterator[tuple[str, Mapping[str, object] | Loss]]:
    try:
        for number, element in enumerate(elements):
            data = as_mapping(element)
            inner = [*_typed(data.get("entities"), "entity"), *_typed(data.get("relations"), "relation")]
            for position, one in enumerate(inner or [data]):
                yield f"{name}[{number}.{position}]", one
    except BrokenJson as error:
        yield name, Loss(name, f"the rest of it cannot be read: {error}")


def _typed(value: object, kind: str) -> list[dict[str, object]]:
    given = value if isinstance(value, list) else []
    return [{**as_mapping(one), "type": kind} for one in given]


def _of_line(number: int, text: str) -> Mapping[str, object] | Loss:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Loss(f"line {number}", f"it is no JSON: {problem_of(error)}")
    return as_mapping(document)


def _take(
    where: str,
    document: Mapping[str, object],
    entities: dict[str, _Entity],
    relations: list[tuple[str, str, str, str]],
) -> Loss | None:
    kind = document.get("type")
    if kind == "entity":
        name = text_of(document.get("name")).strip()
        if not name:
            return Loss(where, "an entity without a name")
        entity = entities.setdefault(name, _Entity(name, text_of(document.get("entityType")).strip()))
        given = document.get("observations")
        texts = [text_of(one).strip() for one in given] if isinstance(given, list) else []
        entity.observations += [one for one in texts if one and one not in entity.observations]
        if len([one for one in texts if one]) < len(given if isinstance(given, list) else []):
            return Loss(where, f"observations of '{name}' that are no text were left out")
        return None
    if kind == "relation":
        start, end = text_of(document.get("from")).strip(), text_of(document.get("to")).strip()
        if not start or not end:
            return Loss(where, "a relation without both its ends")
        relations.append((where, start, text_of(document.get("relationType")).strip() or "relates to", end))
        return None
    return Loss(where, "neither an entity nor a relation")


def _titles(entities: Mapping[str, _Entity]) -> dict[str, str]:
    """A title for each entity that a link can name, each once whatever the case of its letters."""
    titles: dict[str, str] = {}
    taken: set[str] = set()
    for name in entities:
        base = " ".join(_NOT_IN_A_LINK.sub(" ", name).split())[:_LONGEST_TITLE].strip(" .") or "entity"
        title, number = base, 2
        while title.casefold() in taken:
            title, number = f"{base} {number}", number + 1
        taken.add(title.casefold())
        titles[name] = title
    return titles


def _note(entity: _Entity, titles: Mapping[str, str]) -> ImportedNote:
    lines = ["- " + "\n  ".join(one.split("\n")) for one in entity.observations]
    if entity.relations:
        lines += ["", "## Relations", ""] if lines else ["## Relations", ""]
        lines += [f"- {' '.join(kind.split())} {_link(titles[end], end)}" for kind, end in entity.relations]
    properties: dict[str, object] = {"tags": [_tag(entity.kind)]} if _tag(entity.kind) else {}
    if titles[entity.name] != entity.name:
        properties["aliases"] = [" ".join(entity.name.split())]
    return ImportedNote(entity.name, titles[entity.name], "\n".join(lines), None, properties)


def _link(title: str, name: str) -> str:
    shown = " ".join(re.sub(r"[\[\]|]", " ", name).split())
    return f"[[{title}]]" if shown in (title, "") else f"[[{title}|{shown}]]"


def _tag(kind: str) -> str:
    return re.sub(r"[^\w/-]+", "-", kind).strip("-/")
