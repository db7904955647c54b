"""A note's properties: from YAML, from TOML, or from `key:: value` lines at the top."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping

from attrs import frozen

from ori_memory.notes.block import Block, find_block
from ori_memory.notes.lines import flatten, normalise
from ori_memory.notes.scalars import Plain, Raw, plain_data, typed
from ori_memory.notes.yaml_fast import Entry, read_fast
from ori_memory.notes.yaml_lenient import read_lenient
from ori_memory.notes.yaml_whole import YamlProblem, read_whole

__all__ = ["Properties", "read_entries", "read_properties"]

_DOUBLE_COLON = re.compile(r"(?:- )?([^\W\d_][\w./-]*):: ?(.*)")


@frozen
class Properties:
    """What the head of a note says."""

    block: Block | None
    """None: there is no frontmatter, or none that can be read as such."""
    raw: Mapping[str, Raw]
    """As written, for keys whose text counts."""
    values: Mapping[str, object]
    problems: tuple[str, ...] = ()

    @property
    def body_start(self) -> int:
        return self.block.end if self.block is not None else 0


def read_properties(text: str) -> Properties:
    """All properties at the head of `text`; never raises."""
    block = find_block(text)
    raw: dict[str, Raw] = {}
    problems: list[str] = []
    values: dict[str, object] | None = None
    if block is not None and not block.is_readable:
        problems.append(block.problem)
        block = None
    if block is not None:
        inner = normalise(text[block.inner_start : block.inner_end])
        if block.kind == "yaml":
            raw, found = _from_yaml(inner)
        else:
            values, found = _from_toml(inner)
            raw = {key: _raw_of(value) for key, value in values.items()}
        problems += found
    if values is None:
        values = plain_data(raw)
    if "::" in text:
        for key, value in _double_colons(text, block.end if block else 0):
            raw.setdefault(key, value)
            values.setdefault(key, typed(value))
    return Properties(block, raw, values, tuple(problems))


def read_entries(inner: str) -> list[Entry]:
    """The entries of YAML frontmatter with LF line ends.

    Raises:
        YamlProblem: it is no YAML mapping.
    """
    entries = read_fast(inner)
    return read_whole(inner) if entries is None else entries


def _from_yaml(inner: str) -> tuple[dict[str, Raw], list[str]]:
    problems = []
    try:
        entries = read_entries(inner)
    except YamlProblem as problem:
        problems.append(f"line {problem.line + 2}: the frontmatter is not valid YAML: {problem.reason}; read leniently")
        entries = read_lenient(inner)
    raw: dict[str, Raw] = {}
    for entry in entries:
        if entry.key in raw:
            problems.append(f"line {entry.first + 2}: the key '{entry.key}' occurs twice; the last one counts")
        raw[entry.key] = entry.value
    return raw, problems


def _from_toml(inner: str) -> tuple[dict[str, object], list[str]]:
    import tomllib

    try:
        return _plain(tomllib.loads(inner)), []
    except (ValueError, RecursionError) as error:
        return {}, [f"line 2: the frontmatter is not valid TOML: {error}"]


def _plain(table: dict[str, object]) -> dict[str, object]:
    return {key: value.isoformat() if isinstance(value, datetime.time) else value for key, value in table.items()}


def _raw_of(value: object) -> Raw:
    if isinstance(value, list):
        return [_raw_of(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _raw_of(item) for key, item in value.items()}
    return value if isinstance(value, str) else Plain(str(value))


def _double_colons(text: str, start: int) -> list[tuple[str, Raw]]:
    # Only the unbroken lines at the top belong to the page; further down such a line belongs to its block.
    found: list[tuple[str, Raw]] = []
    text = flatten(text)
    position = start + 1 if text.startswith("\ufeff", start) else start
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        match = _DOUBLE_COLON.fullmatch(text, position, end)
        if match is None:
            if found or text[position:end].strip():
                break
        else:
            found.append((match.group(1), Plain(match.group(2).strip())))
        position = end + 1
    return found
