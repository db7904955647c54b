"""Putting values into JSON and taking them out, with every other character left as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define

from ori_memory.bridging.json_reading import Item, Node, read_json
from ori_memory.bridging.place import CannotEdit, line_of

__all__ = ["drop_items", "drop_json", "put_items", "put_json", "value_at"]

Path = tuple[str | int, ...]
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"\n([ \t]+)[^\s]")


def value_at(text: str, path: Path) -> Any:
    """The value at `path`; None where there is none. Raises: CannotEdit."""
    node = _node_at(read_json(text), path)
    return None if node is None else node.value


def put_json(text: str, path: Path, value: Any) -> str:
    """Set a value. Of an object that is there, only the members that `value` names change.

    Raises: CannotEdit for a text that is not JSON, and where something else than an object is in the way.
    """
    root = read_json(text)
    if root is None:
        for name in reversed(path):
            value = {name: value}
        ending = _newline(text)
        gap = "" if not text or text.endswith("\n") else ending
        return f"{text}{gap}{_written(value, '', '  ', ending)}{ending}"
    node = root
    for depth, name in enumerate(path):
        if not node.is_object:
            raise CannotEdit(f"{_named(path[:depth])} is not an object.", *line_of(text, node.start))
        item = node.member(str(name))
        if item is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _with_new(text, node, value, str(name))
        node = item.node
    return _merged(text, path, node, value)


def drop_json(text: str, path: Path) -> str:
    """Remove a member, and the objects above it that are empty then. Raises: CannotEdit."""
    root = read_json(text)
    while path:
        above = _node_at(root, path[:-1])
        item = above.member(str(path[-1])) if above is not None else None
        if above is None or item is None:
            return text
        # All of them: where a name is there twice, the first would come to life.
        for one in reversed([other for other in above.items if other.name == item.name]):
            text = _without(text, above, one)
        if len(path) == 1 or not _is_empty(text, path[:-1]):
            return text
        root, path = read_json(text), path[:-1]
    return text


def put_items(text: str, path: Path, wanted: Sequence[Any], is_ours: Callable[[Any], bool]) -> str:
    """Make the elements of an array that are ours exactly `wanted`; the others stay as and where they are.

    Raises: CannotEdit.
    """
    node = _node_at(read_json(text), path)
    if node is None:
        return put_json(text, path, list(wanted)) if wanted else text
    if not isinstance(node.value, list):
        raise CannotEdit(f"{_named(path)} is not a list.", *line_of(text, node.start))
    ours = [at for at, value in enumerate(node.value) if is_ours(value)]
    if [node.value[at] for at in ours] == list(wanted):
        return text
    if len(ours) != len(wanted):
        text = drop_items(text, path, is_ours, prune=not wanted)
        for value in wanted:
            found = _node_at(read_json(text), path)
            text = _with_new(text, found, value) if found is not None else put_json(text, path, [value])
        return text
    for at, value in zip(ours, wanted, strict=True):
        found = _node_at(read_json(text), (*path, at))
        assert found is not None
        text = _replaced(text, found, value)
    return text


def drop_items(text: str, path: Path, is_ours: Callable[[Any], bool], *, prune: bool = True) -> str:
    """Remove elements of an array, and with `prune` what is empty then. Raises: CannotEdit."""
    node = _node_at(read_json(text), path)
    if node is None or not isinstance(node.value, list):
        return text
    ours = [at for at, value in enumerate(node.value) if is_ours(value)]
    for at in reversed(ours):
        found = _node_at(read_json(text), path)
        assert found is not None
        text = _without(text, found, found.items[at])
    return drop_json(text, path) if ours and prune and _is_empty(text, path) else text


def _node_at(node: Node | None, path: Path) -> Node | None:
    for name in path:
        if node is None:
            return None
        if isinstance(name, int):
            node = node.items[name].node if isinstance(node.value, list) and name < len(node.items) else None
        else:
            item = node.member(name)
            node = item.node if item is not None else None
    return node


def _merged(text: str, path: Path, node: Node, value: Any) -> str:
    if not (isinstance(value, Mapping) and node.is_object):
        return text if _is_same(node.value, value) else _replaced(text, node, value)
    for name, part in value.items():
        text = put_json(text, (*path, name), part)
    return text


def _is_same(one: Any, other: Any) -> bool:
    # In Python True is 1.
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _replaced(text: str, node: Node, value: Any) -> str:
    layout = _Layout.of(text, node)
    return text[: node.start] + layout.write(value, layout.closing) + text[node.end :]


def _with_new(text: str, node: Node, value: Any, name: str | None = None) -> str:
    """A new last member or element."""
    layout = _Layout.of(text, node)
    written = layout.write(value, layout.inner)
    if name is not None:
        written = f"{json.dumps(name, ensure_ascii=False)}: {written}"
    last = node.items[-1] if node.items else None
    behind = node.start + 1 if last is None else last.node.end if last.comma is None else last.comma + 1
    at = _after_comments(text, behind, node.end - 1)
    before = f"{layout.ending}{layout.inner}" if layout.is_spread else " " if last is not None else ""
    after = "," if last is not None and last.comma is not None else ""
    if last is None and layout.is_spread and "\n" not in text[at : node.end - 1]:
        after = f"{layout.ending}{layout.closing}"
    text = text[:at] + before + written + after + text[at:]
    return text[:behind] + "," + text[behind:] if last is not None and last.comma is None else text


def _without(text: str, node: Node, item: Item) -> str:
    at = node.items.index(item)
    start = len(text[: item.start].rstrip(" \t\r\n"))
    comma = item.comma if item.comma is not None else node.items[at - 1].comma if at else None
    spans = [(start, item.node.end)] + ([(comma, comma + 1)] if comma is not None else [])
    for begin, end in sorted(spans, reverse=True):
        text = text[:begin] + text[end:]
    return text


def _is_empty(text: str, path: Path) -> bool:
    """Nothing is in it, comments neither."""
    node = _node_at(read_json(text), path)
    return node is not None and not node.items and not text[node.start + 1 : node.end - 1].strip()


def _after_comments(text: str, start: int, end: int) -> int:
    """Behind the last comment between two places."""
    for found in _COMMENT.finditer(text, start, end):
        start = found.end()
    # The line break of a file from Windows is no part of its comment.
    return start - 1 if text[start - 1 : start] == "\r" else start


def _named(path: Path) -> str:
    return ".".join(map(str, path)) or "the document"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _written(value: Any, base: str, unit: str, ending: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", ending + base)


@define
class _Layout:
    """How the file is laid out around an object or array."""

    is_spread: bool
    """What is new gets a line of its own."""
    inner: str
    closing: str
    unit: str
    ending: str

    @classmethod
    def of(cls, text: str, node: Node) -> _Layout:
        found = _INDENT.search(text)
        unit = found[1] if found else "  "
        unit = "\t" if "\t" in unit else unit
        line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
        closing = line[: len(line) - len(line.lstrip(" \t"))]
        inner = closing + unit
        if node.items:
            first = node.items[0].start
            before = text[text.rfind("\n", 0, first) + 1 : first]
            inner = before if not before.strip(" \t") else inner
        is_spread = "\n" in text[node.start : node.end] if node.items else "\n" in text.strip() or len(text) < 80
        return cls(is_spread, inner, closing, unit, _newline(text))

    def write(self, value: Any, base: str) -> str:
        if not self.is_spread:
            return json.dumps(value, ensure_ascii=False)
        return _written(value, base, self.unit, self.ending)
