"""Putting keys into YAML and taking them out, with every other character left as it is; each edit is proved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ori_memory.bridging.place import CannotEdit
from ori_memory.bridging.yaml_reading import (
    child,
    compose,
    ends_at,
    is_block,
    is_empty_scalar,
    is_mapping,
    meaning,
)

__all__ = ["data_at", "drop_yaml", "put_yaml"]

Path = tuple[str, ...]
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_WITH_MEANING = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def data_at(text: str, path: Path) -> Any:
    """The value at `path` as plain data: texts as they stand, None where there is none. Raises: CannotEdit."""
    node = compose(text)
    for name in path:
        found = child(node, name)
        node = found[1] if found else None
    return _data(node)


def put_yaml(text: str, path: Path, value: Any) -> str:
    """Set a value. Of a mapping that is there, only the keys that `value` names change.

    Raises: CannotEdit for a text that is not YAML, and for what cannot be put in by an edit of text.
    """
    before = meaning(compose(text))
    after = _put(text, path, value)
    wanted = meaning(compose(_block(_nested(path, value), "", "\n")))
    return _proved(text, after, _joined(before, wanted), path)


def drop_yaml(text: str, path: Path) -> str:
    """Remove a key, and the mappings above it that are empty then. Raises: as `put_yaml`."""
    root = compose(text)
    nodes = [root]
    for name in path:
        found = child(nodes[-1], name)
        if found is None:
            return text
        nodes.append(found[1])
    depth = len(path) - 1
    while depth and len(nodes[depth].value) == 1:
        depth -= 1
    after = _without(text, nodes[depth], path[depth])
    wanted = _less(meaning(root), path[: depth + 1])
    return _proved(text, after, wanted, path)


def _put(text: str, path: Path, value: Any) -> str:
    ending = "\r\n" if "\r\n" in text else "\n"
    node = compose(text)
    if node is None:
        gap = "" if not text or text.endswith("\n") else ending
        return f"{text}{gap}{_block(_nested(path, value), '', ending)}{ending}"
    found: Any = None
    for depth, name in enumerate(path):
        if not is_mapping(node):
            raise CannotEdit(f"{'.'.join(path[:depth]) or 'the document'} holds no keys.", node.start_mark.line + 1)
        found = child(node, name)
        rest = _nested(path[depth + 1 :], value)
        if found is None:
            return _added(text, node, {name: rest}, ending)
        if is_empty_scalar(found[1]) and isinstance(rest, Mapping):
            return _under(text, found[0], found[1], rest, ending)
        node = found[1]
    if isinstance(value, Mapping) and is_mapping(node):
        for name, part in value.items():
            text = _put(text, (*path, name), part)
        return text
    if meaning(node) == meaning(compose(_flow(value))):
        return text
    is_alias = node.start_mark.index < found[0].start_mark.index
    is_in_line = node.style not in ("|", ">") if node.id == "scalar" else not is_block(node)
    if is_in_line and not is_alias and not isinstance(value, Mapping):
        gap = "" if text[: node.start_mark.index].endswith((" ", "\n")) else " "
        return text[: node.start_mark.index] + gap + _flow(value) + text[node.end_mark.index :]
    return _put(drop_yaml(text, path), path, value)


def _added(text: str, node: Any, pairs: Mapping[str, Any], ending: str) -> str:
    """New pairs at the end of a mapping."""
    if not is_block(node) or not node.value:
        inside = _flow(pairs)[1:-1]
        at = node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1
        return text[:at] + (", " if node.value else "") + inside + text[at:]
    at = ends_at(text, *node.value[-1])
    indent = " " * node.value[0][0].start_mark.column
    return text[:at] + ending + _block(pairs, indent, ending) + text[at:]


def _under(text: str, key: Any, value: Any, pairs: Mapping[str, Any], ending: str) -> str:
    """Pairs below a key that has no value."""
    if value.start_mark.index >= key.end_mark.index and value.value:
        text = text[: value.start_mark.index].rstrip(" ") + text[value.end_mark.index :]
    end = text.find("\n", key.end_mark.index)
    at = len(text) if end < 0 else end - (1 if text[:end].endswith("\r") else 0)
    indent = " " * (key.start_mark.column + 2)
    return text[:at] + ending + _block(pairs, indent, ending) + text[at:]


def _without(text: str, node: Any, name: str) -> str:
    at = next(at for at in reversed(range(len(node.value))) if node.value[at][0].value == name)
    key, value = node.value[at]
    if not is_block(node):
        if at:
            return text[: node.value[at - 1][1].end_mark.index] + text[value.end_mark.index :]
        end = node.value[1][0].start_mark.index if len(node.value) > 1 else value.end_mark.index
        return text[: key.start_mark.index] + text[end:]
    start = text.rfind("\n", 0, key.start_mark.index) + 1
    end = ends_at(text, key, value)
    if start:
        # With the line break before it, not the one behind: the end of the file stays what it was.
        start -= 2 if text[:start].endswith("\r\n") else 1
    elif end < len(text):
        end = text.find("\n", end) + 1
    return text[:start] + text[end:]


def _proved(before: str, text: str, wanted: Any, path: Path) -> str:
    """The new text, where it means what it should."""
    try:
        found = meaning(compose(text))
    except CannotEdit:
        found = "nothing that can be read"
    # Braces with nothing between them say as much as nothing.
    if (found or None) != (wanted or None):
        node = child(compose(before), path[0])
        line = node[0].start_mark.line + 1 if node else before.count("\n") + 1
        raise CannotEdit(f"{path[0]} is written in a form in which {'.'.join(path)} cannot be edited.", line)
    return text


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{name: _joined(one.get(name), value) for name, value in other.items()}}
    return other


def _less(data: Any, path: Path) -> Any:
    if len(path) == 1:
        return {name: value for name, value in data.items() if name != path[0]}
    return {**data, path[0]: _less(data[path[0]], path[1:])}


def _nested(path: Path, value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _data(node: Any) -> Any:
    if node is None or is_empty_scalar(node):
        return None
    if node.id == "scalar":
        return node.value
    if node.id == "sequence":
        return [_data(one) for one in node.value]
    return {key.value: _data(value) for key, value in node.value if key.id == "scalar"}


def _block(pairs: Mapping[str, Any], indent: str, ending: str) -> str:
    lines: list[str] = []
    _write(pairs, indent, lines.append)
    return ending.join(lines)


def _write(pairs: Mapping[str, Any], indent: str, write: Callable[[str], None]) -> None:
    for name, value in pairs.items():
        if isinstance(value, Mapping) and value:
            write(f"{indent}{_scalar(name)}:")
            _write(value, indent + "  ", write)
        else:
            write(f"{indent}{_scalar(name)}: {_flow(value)}")


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(name)}: {_flow(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _WITH_MEANING:
        return value
    # What JSON writes YAML reads.
    return json.dumps(value, ensure_ascii=not (isinstance(value, str) and value.isprintable()))
