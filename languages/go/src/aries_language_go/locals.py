"""The names that parameters and statements of a Go file declare."""

from __future__ import annotations

import re

from aries_language_go.definitions import named_type
from aries_language_syntax.binding import Local, Named
from aries_language_syntax.grammar import Marks

__all__ = ["Locals"]

_NAME = re.compile(rb"[\w\x80-\xff]+")
_NAMES = re.compile(rb"[\w\x80-\xff]+(?:\s*,\s*[\w\x80-\xff]+)*")
_MADE = re.compile(rb"\s*:=\s*(?:&\s*)?([\w\x80-\xff]+)(?:\.([\w\x80-\xff]+))?(?:\[[^\n{}]*?\])?\{")
_SHORT = re.compile(rb"\s*:=")
_RECEIVER_TYPES = re.compile(rb"[^\[]*\[([^\]]*)\]")


class Locals:
    """All of them, in no order. A name hides from the end of the statement that declares it."""

    def __init__(self, marks: Marks, source: bytes) -> None:
        self.rows: list[Local] = []
        self.places: set[int] = set()
        """Where the names stand: there they are no use of anything."""
        self._source = source
        self._find_parameters(marks)
        self._find_statements(marks)
        self._find_declarations(marks)

    def _find_parameters(self, marks: Marks) -> None:
        source = self._source
        for node in marks.of("parameter"):
            start, end = node.start_byte, node.end_byte
            found = _NAMES.match(source, start)
            # A parameter without a name is a type alone.
            if found is not None and found.end() < end and source[found.end()] not in b".[(":
                self._add(found, start, named_type(source, found.end(), end + 1))
        for node in marks.of("method"):
            receiver = node.child_by_field_name("receiver")
            if receiver is not None:
                types = _RECEIVER_TYPES.match(source, receiver.start_byte, receiver.end_byte)
                for name in _NAME.findall(types[1]) if types else ():
                    self.rows.append(Local(receiver.start_byte, name))

    def _find_statements(self, marks: Marks) -> None:
        source = self._source
        for node in marks.of("short"):
            found = _NAMES.match(source, node.start_byte)
            if found is not None:
                made = _MADE.match(source, found.end())
                self._add(found, node.end_byte, (made[1], made[2] or b"") if made else None)
        for mark in ("range", "receive"):
            for node in marks.of(mark):
                found = _NAMES.match(source, node.start_byte)
                if found is not None and _SHORT.match(source, found.end()):
                    self._add(found, node.end_byte)
        for node in marks.of("switched"):
            found = _NAMES.match(source, node.start_byte)
            if found is not None:
                self._add(found, node.end_byte)

    def _find_declarations(self, marks: Marks) -> None:
        source = self._source
        outer = marks.starts("global", "constant", "outer")
        for node in marks.of("variable"):
            found = _NAMES.match(source, node.start_byte)
            if found is not None and node.start_byte not in outer:
                self._add(found, node.end_byte, named_type(source, found.end(), node.end_byte + 1))
        for mark in ("type", "alias"):
            for node in marks.of(mark):
                found = _NAME.match(source, node.start_byte)
                if found is not None and node.start_byte not in outer:
                    self._add(found, node.end_byte)

    def _add(self, names: re.Match[bytes], start: int, type_: Named | None = None) -> None:
        name = names[0]
        if b"," not in name:
            self.places.add(names.start())
            self.rows.append(Local(start, name, type_))
            return
        for one in _NAME.finditer(self._source, names.start(), names.end()):
            self.places.add(one.start())
            self.rows.append(Local(start, one[0], type_))
