"""What a template asks of the notes that are made from it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import field, frozen

from ori_memory.notes.properties import read_properties
from ori_memory.notes.text import read_note
from ori_memory.vault.vault import OutsideVault, Vault

__all__ = ["Schema", "read_schema", "template_of"]


@frozen
class Schema:
    """The `_schema` of a template. Whatever of it cannot be understood is in `problems` and asks nothing."""

    template: str
    applies_to: str = ""
    required: tuple[str, ...] = ()
    enums: Mapping[str, tuple[str, ...]] = field(factory=dict)
    max_lengths: Mapping[str, int] = field(factory=dict)
    problems: tuple[str, ...] = ()

    def is_about(self, path: str) -> bool:
        """Whether `path` is one that `applies_to` names; `*` stays in its folder, `**` does not."""
        return re.fullmatch(_expression(self.applies_to), path) is not None if self.applies_to else True


def template_of(vault: Vault, type: str) -> str:
    """The template for a type, as the settings say."""
    return vault.config.templates.by_type.get(type, vault.config.templates.default)


def read_schema(vault: Vault, template: str) -> Schema | None:
    """What the template asks. None: there is no such template, so nothing is asked."""
    try:
        text = read_note(vault.locate(template)).text
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, OutsideVault) as error:
        return Schema(template, problems=(f"{template}: it cannot be read: {error}",))
    head = read_properties(text)
    problems = [f"{template}: {problem}" for problem in head.problems]
    given = head.values.get("_schema")
    if given is None:
        return Schema(template, problems=tuple(problems))
    if not isinstance(given, Mapping):
        return Schema(template, problems=(*problems, f"{template}: _schema must hold keys and values"))
    return Schema(
        template,
        str(given.get("applies_to") or ""),
        _texts(given.get("required"), f"{template}: _schema.required", problems),
        _enums(given.get("enums"), template, problems),
        _lengths(given.get("constraints"), template, problems),
        tuple(problems),
    )


def _texts(value: object, where: str, problems: list[str]) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(str(one) for one in value)
    problems.append(f"{where} must be a list")
    return ()


def _enums(value: object, template: str, problems: list[str]) -> dict[str, tuple[str, ...]]:
    given = _mapping(value, f"{template}: _schema.enums", problems)
    return {name: _texts(one, f"{template}: _schema.enums.{name}", problems) for name, one in given.items()}


def _lengths(value: object, template: str, problems: list[str]) -> dict[str, int]:
    lengths = {}
    for name, one in _mapping(value, f"{template}: _schema.constraints", problems).items():
        where = f"{template}: _schema.constraints.{name}"
        most = _mapping(one, where, problems).get("max_length")
        if isinstance(most, int) and not isinstance(most, bool):
            lengths[name] = most
        elif most is not None:
            problems.append(f"{where}.max_length must be a number")
    return lengths


def _mapping(value: object, where: str, problems: list[str]) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return {str(name): one for name, one in value.items()}
    if value is not None:
        problems.append(f"{where} must hold keys and values")
    return {}


def _expression(pattern: str) -> str:
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(signs.get(part, re.escape(part)) for part in parts)
