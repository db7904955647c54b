"""The lines of one key in the frontmatter, and the lines that take their place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from ori_memory.notes.quoting import comment_start
from ori_memory.notes.yaml_fast import Entry
from ori_memory.notes.yaml_writing import Unwritable, as_list, flow_text, is_list, is_same, scalar_text

__all__ = ["EntryText", "new_lines"]

_HEAD = re.compile(
    r"""([ ]*(?:"(?:[^"\\]|\\.)*"|'[^']*+'|[^\s"'?][^\s:]*+(?:(?:[ ]|:(?=\S))[^\s:]*+)*(?=[ ]*:(?!\S)))[ ]*:)"""
    r"([ \t]*)(.*)"
)
_ITEM = re.compile(r"( *)-(?: +(.*))?")


@frozen
class EntryText:
    """Where a key stands and how it is written."""

    entry: Entry
    first: int
    last: int
    lines: list[str]
    head: str
    """Up to the colon."""
    gap: str
    rest: str
    """Of the key's line, without its line end and its comment."""
    comment: str
    """With the blanks before it."""

    @classmethod
    def of(cls, entry: Entry, lines: list[str]) -> EntryText | None:
        """None: it is written in a way that cannot be changed line by line."""
        if entry.first >= len(lines):
            return None
        last = min(entry.last, len(lines) - 1)
        indent = len(lines[entry.first]) - len(lines[entry.first].lstrip(" "))
        while last > entry.first and _is_apart(lines[last], indent):
            last -= 1
        match = _HEAD.fullmatch(lines[entry.first].rstrip("\r\n"))
        if match is None:
            return None
        head, gap, rest = match.groups()
        cut = comment_start(rest, bool(gap))
        value = rest[:cut].rstrip(" \t")
        return cls(entry, entry.first, last, lines[entry.first : last + 1], head, gap, value, rest[len(value) :])

    def lines_for(self, value: object, line_end: str) -> list[str]:
        """The lines that say `value`.

        Raises:
            Unwritable: it cannot be written.
        """
        if is_list(value) and not self.rest and len(self.lines) > 1:
            kept = self._kept_items(as_list(value), line_end)
            if kept is not None:
                return kept
        if is_list(value) and not self.rest.startswith("["):
            items = as_list(value)
            if items:
                indent = self._item_indent()
                return [f"{self.head}{self.comment}{line_end}", *(_item(indent, item) + line_end for item in items)]
        if isinstance(value, Mapping) or is_list(value):
            return [f"{self.head}{self.gap or ' '}{flow_text(value)}{self.comment}{line_end}"]
        quote = self.rest[:1] if self.rest[:1] in ('"', "'") else ""
        comment = self.comment if len(self.lines) == 1 or not self.rest else ""
        return [f"{self.head}{self.gap or ' '}{scalar_text(value, quote)}{comment}{line_end}"]

    def _item_indent(self) -> str:
        for line in self.lines[1:]:
            match = _ITEM.fullmatch(line.rstrip("\r\n"))
            if match is not None:
                return match.group(1)
        return self.head[: len(self.head) - len(self.head.lstrip(" "))] + "  "

    def _kept_items(self, items: list[object], line_end: str) -> list[str] | None:
        """With the lines of the items at the head and the tail that stay; None: the list is not one item a line."""
        groups = self._item_groups()
        old = self.entry.value
        if groups is None or not isinstance(old, list) or len(groups) != len(old) or not items:
            return None
        head = 0
        while head < min(len(old), len(items)) and is_same(old[head], items[head], strictly=True):
            head += 1
        tail = 0
        while tail < min(len(old), len(items)) - head and is_same(old[-tail - 1], items[-tail - 1], strictly=True):
            tail += 1
        indent = self._item_indent()
        fresh = [_item(indent, item) + line_end for item in items[head : len(items) - tail]]
        before = [line for group in groups[:head] for line in group]
        after = [line for group in groups[len(groups) - tail :] for line in group]
        return [self.lines[0], *before, *fresh, *after]

    def _item_groups(self) -> list[list[str]] | None:
        """The lines of each item, with the comments above it."""
        groups: list[list[str]] = []
        pending: list[str] = []
        for line in self.lines[1:]:
            text = line.strip()
            if not text or text.startswith("#"):
                pending.append(line)
                continue
            match = _ITEM.fullmatch(line.rstrip("\r\n"))
            if match is None or match.group(1) != self._item_indent():
                return None
            groups.append([*pending, line])
            pending = []
        if pending and groups:
            groups[-1] += pending
        return groups


def new_lines(key: str, value: object, indent: str) -> list[str]:
    """The lines of a key that was not there, without line ends.

    Raises:
        Unwritable: key or value cannot be written.
    """
    if not isinstance(key, str) or not key:
        raise Unwritable("a key that is not a text, or an empty one")
    head = f"{indent}{scalar_text(key, in_flow=True)}:"
    if is_list(value) and (items := as_list(value)):
        return [head, *(_item(indent + "  ", item) for item in items)]
    if isinstance(value, Mapping) or is_list(value):
        return [f"{head} {flow_text(value)}"]
    return [f"{head} {scalar_text(value)}"]


def _item(indent: str, item: object) -> str:
    nested = isinstance(item, Mapping) or is_list(item)
    return f"{indent}- {flow_text(item) if nested else scalar_text(item)}"


def _is_apart(line: str, indent: int) -> bool:
    text = line.strip()
    return not text or (text.startswith("#") and len(line) - len(line.lstrip(" ")) <= indent)
