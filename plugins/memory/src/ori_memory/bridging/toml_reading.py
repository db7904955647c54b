"""Where the tables and keys of a TOML text stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ori_memory.bridging.place import CannotEdit

__all__ = ["Statement", "read_toml", "statements"]

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}" + r'|"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)


@frozen
class Statement:
    """A header or a key with its value. `names` is the whole path of it; `value` is where the value stands."""

    names: tuple[str, ...]
    start: int
    end: int
    """Behind its line break."""
    value: tuple[int, int] | None = None
    is_header: bool = False
    is_list_item: bool = False
    """`[[name]]`."""


def read_toml(text: str) -> dict[str, Any]:
    """The data. Raises: CannotEdit with the place."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found else (text.count("\n") + 1, 0)
        reason = _PLACE.sub("", str(error)).strip()
        raise CannotEdit(f"this is not valid TOML: {reason}.", line, column) from error
    except RecursionError as error:
        raise CannotEdit("this is nested too deep to be edited.", 1) from error


def statements(text: str) -> Iterator[Statement]:
    """Every header and key of a text that is valid TOML, in order."""
    table: tuple[str, ...] = ()
    at = 0
    while at < len(text):
        start = at
        while at < len(text) and text[at] in " \t\r\n":
            start, at = (at + 1 if text[at] == "\n" else start), at + 1
        if at >= len(text):
            return
        if text[at] == "#":
            at = _line_end(text, at)
            continue
        end, sign = _end(text, at)
        if text[at] == "[":
            head = text[at:sign]
            table = _names(head.strip().strip("[]"))
            yield Statement(table, start, end, is_header=True, is_list_item=head.startswith("[["))
        else:
            names = (*table, *_names(text[at:sign]))
            yield Statement(names, start, end, _value_span(text, sign + 1))
        at = end


def _end(text: str, at: int) -> tuple[int, int]:
    """Where the statement that begins at `at` ends, and where its `=` stands, or where its header closes."""
    is_header, depth, sign = text[at] == "[", 0, -1
    while at < len(text):
        sort = text[at]
        if sort in "\"'":
            found = _STRING.match(text, at)
            at = found.end() if found else at + 1
            continue
        if sort == "#":
            at = _line_end(text, at) - (1 if "\n" in text[at:] else 0)
            continue
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sort, 0)
        if sort == "=" and sign < 0 and not is_header:
            sign = at
        if is_header and depth == 0 and sign < 0:
            sign = at + 1
        if sort == "\n" and depth == 0:
            return at + 1, sign
        at += 1
    return len(text), sign


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _value_span(text: str, at: int) -> tuple[int, int]:
    """From the first character of a value to behind its last."""
    while text[at] in " \t":
        at += 1
    start, depth, last = at, 0, at
    while at < len(text):
        sort = text[at]
        if sort in "\"'":
            found = _STRING.match(text, at)
            at = last = found.end() if found else at + 1
            continue
        if sort == "#":
            if depth == 0:
                break
            at = _line_end(text, at)
            continue
        if sort == "\n" and depth == 0:
            break
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sort, 0)
        at += 1
        last = last if sort in " \t\r" else at
    return start, last


def _names(text: str) -> tuple[str, ...]:
    data: Any = tomllib.loads(f"{text.strip()} = 0")
    names = []
    while isinstance(data, dict):
        ((name, data),) = data.items()
        names.append(name)
    return tuple(names)
