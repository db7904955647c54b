"""Putting a table into TOML and taking it out, with every other character left as it is; each edit is proved."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

from ori_memory.bridging.place import CannotEdit, line_of
from ori_memory.bridging.toml_reading import Statement, read_toml, statements

__all__ = ["drop_table", "put_table"]

Path = tuple[str, ...]
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def put_table(text: str, path: Path, values: Mapping[str, Any], note: str = "") -> str:
    """Set the keys of the table `path`; other keys that it has stay. `note` becomes a comment above a new table.

    Raises: CannotEdit for a text that is not TOML, or in which the table cannot be reached.
    """
    before = read_toml(text)
    found = _value(before, path)
    if found is None:
        after = _appended(text, path, values, note)
    elif isinstance(found, dict):
        after = text
        for name, value in values.items():
            if found.get(name) != value:
                after = _with_key(after, path, name, value)
    else:
        raise CannotEdit(f"{'.'.join(path)} is not a table.", _line(text, path))
    wanted = copy.deepcopy(before)
    table = wanted
    for name in path:
        table = table.setdefault(name, {}) if isinstance(table, dict) else {}
    if isinstance(table, dict):
        table.update(values)
    return _proved(text, after, wanted, path)


def drop_table(text: str, path: Path) -> str:
    """Remove a table, those below it, and the comment that `put_table` wrote above it.

    Raises: CannotEdit for a text that is not TOML, or where the table is written in another way than as a table.
    """
    before = read_toml(text)
    if _value(before, path) is None:
        return text
    after = text
    for one in reversed(_spans(text, path)):
        after = after[: one[0]] + after[one[1] :]
    wanted = copy.deepcopy(before)
    _remove(wanted, path)
    return _proved(text, after, wanted, path)


def _appended(text: str, path: Path, values: Mapping[str, Any], note: str) -> str:
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = [*([f"# {note}"] if note else []), f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(name)} = {_toml(value)}" for name, value in values.items()]
    # What is put in stands before the last line break, so that the end of the file stays what it was.
    body, last = (text[: -len(ending)], ending) if text.endswith(ending) else (text, "" if text else ending)
    gap = ending * 2 if body or text else ""
    return body + gap + ending.join(lines) + last


def _with_key(text: str, path: Path, name: str, value: Any) -> str:
    for one in statements(text):
        if one.names == (*path, name) and one.value is not None:
            return text[: one.value[0]] + _toml(value) + text[one.value[1] :]
    for one in statements(text):
        if one.is_header and one.names == path:
            ending = "" if text[: one.end].endswith("\n") else "\n"
            return f"{text[: one.end]}{ending}{_key(name)} = {_toml(value)}\n{text[one.end :]}"
    raise CannotEdit(
        f"{'.'.join(path)} is not written as a table [{'.'.join(path)}]; write it so, or remove it.", _line(text, path)
    )


def _spans(text: str, path: Path) -> list[tuple[int, int]]:
    """What belongs to the table: its header to the next one, with the blank line and comment of ours before it."""
    spans: list[tuple[int, int]] = []
    begin: int | None = None
    last = 0
    for one in statements(text):
        is_inside = one.names[: len(path)] == path
        if one.is_header and is_inside and begin is None:
            begin = _start(text, one)
        elif one.is_header and not is_inside and begin is not None:
            spans.append((begin, last))
            begin = None
        elif is_inside and begin is None and not one.is_header:
            spans.append((one.start, one.end))
        last = one.end
    if begin is not None:
        spans.append((begin, last))
    # From line break to line break: the inverse of how it was put in.
    return [_shifted(text, *span) for span in spans]


def _start(text: str, header: Statement) -> int:
    """With the comment directly above it that names us."""
    above = text[: header.start].rstrip("\r\n")
    line = above[above.rfind("\n") + 1 :]
    is_ours = line.startswith("# ori-bridge") and text[len(above) : header.start].count("\n") == 1
    return len(above) - len(line) if is_ours else header.start


def _shifted(text: str, start: int, end: int) -> tuple[int, int]:
    bare = len(text[:start].rstrip("\r\n"))
    if bare == 0:
        return 0, end
    if text[:end].endswith("\r\n"):
        end -= 2
    elif text[:end].endswith("\n"):
        end -= 1
    # One blank line above was put in; more were there before.
    ending = "\r\n" if text[:start].endswith("\r\n") else "\n"
    wide = start - len(ending) * 2
    return (wide if wide >= bare else start - len(ending) if start - len(ending) >= bare else start), end


def _value(data: Any, path: Path) -> Any:
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _remove(data: dict[str, Any], path: Path) -> None:
    inner = data.get(path[0])
    if len(path) > 1 and isinstance(inner, dict):
        _remove(inner, path[1:])
        if inner:
            return
    data.pop(path[0], None)


def _proved(before: str, text: str, wanted: dict[str, Any], path: Path) -> str:
    """The new text, where it means what it should; a table can be written in ways that no edit by text reaches."""
    try:
        found = read_toml(text)
    except CannotEdit:
        found = None
    if found is None or _bare(found) != _bare(wanted):
        name = ".".join(path[:-1])
        raise CannotEdit(
            f"{name} is written in a form in which {path[-1]} cannot be put in or taken out; write it as tables "
            f"[{name}.NAME].",
            _line(before, path),
        )
    return text


def _bare(data: Any) -> Any:
    """Without empty tables, which may be left or not, and so that NaN is NaN."""
    if isinstance(data, dict):
        found = {name: _bare(value) for name, value in data.items()}
        return {name: value for name, value in found.items() if value != {}}
    if isinstance(data, list):
        return [_bare(value) for value in data]
    return (type(data).__name__, str(data))


def _line(text: str, path: Path) -> int:
    near = next((one for one in statements(text) if one.names[:1] == path[:1]), None)
    return line_of(text, near.start)[0] if near else 1


def _key(name: str) -> str:
    return name if _BARE.match(name) else _text(name)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_toml(one)}" for name, one in value.items()) + " }"
    return str(value)


def _text(value: str) -> str:
    # A JSON string is a TOML string, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
