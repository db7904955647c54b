"""The names that parameters and patterns of a Rust file declare."""

from __future__ import annotations

import re

from aries_language_rust.definitions import Definitions, named_type
from aries_language_syntax.binding import Local, Named
from aries_language_syntax.grammar import Marks

__all__ = ["Locals"]

_BOUND = re.compile(
    rb"(?<![\w'.:])(?!(?:mut|ref|box|if|in|self|true|false|_)\b)([a-z_]\w*)(?!\w|\s*(?:::|[({!]|:))|:(?=:)::\w+"
)
_SIMPLE = re.compile(rb"(?:mut\s+)?([a-z_]\w*)\s*(?=[:=;,)|])")
_LET = re.compile(rb"let\s+(?:mut\s+)?([a-z_]\w*)\s*([:=;])")
_MADE = re.compile(
    rb"\s*(?:&\s*(?:mut\s+)?)?((?:\w+\s*::\s*)*[A-Z]\w*)(?:\s*::\s*<[^;]*?>)?\s*(?:\{|::\s*(?:new|default)\s*\()"
)
_NAME = re.compile(rb"\w+")
_CLOSURE_TYPE = re.compile(rb":(?!:)[^,|]*")


class Locals:
    """All of them, in no order. Names in patterns are bound where they are written in small letters, as rustc asks."""

    def __init__(self, marks: Marks, source: bytes, definitions: Definitions) -> None:
        self.rows: list[Local] = []
        self.places: set[int] = set()
        """Where the names stand: there they are no use of anything."""
        self._source = source
        for start, _, type_ in definitions.owners:
            self.rows.append(Local(start, b"self", type_))
            self.rows.append(Local(start, b"Self", type_))
        self._find_parameters(marks)
        self._find_patterns(marks)

    def _find_parameters(self, marks: Marks) -> None:
        source = self._source
        for node in marks.of("parameter"):
            start, end = node.start_byte, node.end_byte
            found = _SIMPLE.match(source, start, end)
            if found is not None:
                type_ = named_type(source, found.end() + 1, end)
                self._add(found.start(1), found[1], start, type_)
            else:
                pattern = node.child_by_field_name("pattern")
                if pattern is not None:
                    self._bind(pattern.start_byte, pattern.end_byte, start)
        for node in marks.of("closure"):
            start, end = node.start_byte, node.end_byte
            # Types are blanked, so that places stay what they are.
            shown = _CLOSURE_TYPE.sub(lambda found: b" " * len(found[0]), source[start:end])
            for found in _BOUND.finditer(shown):
                if found[1]:
                    self._add(start + found.start(1), found[1], start)
        for node in marks.of("generic"):
            found = _NAME.match(source, node.start_byte + (6 if source.startswith(b"const ", node.start_byte) else 0))
            if found is not None:
                self._add(found.start(), found[0], node.start_byte)

    def _find_patterns(self, marks: Marks) -> None:
        source = self._source
        for node in marks.of("let"):
            start, end = node.start_byte, node.end_byte
            found = _LET.match(source, start, end)
            if found is not None:
                self._add(found.start(1), found[1], end, self._said_type(found, end))
            else:
                pattern = node.child_by_field_name("pattern")
                if pattern is not None:
                    self._bind(pattern.start_byte, pattern.end_byte, end)
        for mark in ("condition", "for"):
            for node in marks.of(mark):
                pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
                if pattern is not None:
                    since = value.end_byte if value is not None else node.end_byte
                    self._bind(pattern.start_byte, pattern.end_byte, since)
        for node in marks.of("pattern"):
            start, end = node.start_byte, node.end_byte
            guard = source.find(b" if ", start, end)
            self._bind(start, guard if guard >= 0 else end, start)

    def _said_type(self, found: re.Match[bytes], end: int) -> Named | None:
        if found[2] == b":":
            return named_type(self._source, found.end(), end)
        made = _MADE.match(self._source, found.end(), end) if found[2] == b"=" else None
        if made is None:
            return None
        root, *rest = re.split(rb"\s*::\s*", made[1])
        return root, b".".join(rest)

    def _bind(self, start: int, end: int, since: int) -> None:
        for found in _BOUND.finditer(self._source, start, end):
            if found[1]:
                self._add(found.start(1), found[1], since)

    def _add(self, place: int, name: bytes, since: int, type_: Named | None = None) -> None:
        self.places.add(place)
        self.rows.append(Local(since, name, type_))
