"""A short text for a value of any size; the value itself stays whole in its variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from aries_body.repl.records import Rows

__all__ = ["cut", "short_repr"]

_ROOM = 4_000
_MOST_MEMBERS = 50
_DEPTH = 6
_LINE = 100
_BRACKETS: dict[type, str] = {list: "[]", tuple: "()", set: "{}", frozenset: "{}", dict: "{}"}


def short_repr(value: object, room: int = _ROOM) -> str:
    """At most about `room` characters. Runs `__repr__` of the value, and never raises what that raises."""
    text = _Writer(room).write(value, 0, set())
    if len(text) > _LINE and _kind(value) is not None and len(value) > 1:  # type: ignore[arg-type]
        text = _Writer(room, is_tall=True).write(value, 0, set())
    return text


def cut(text: str, room: int) -> str:
    """The beginning and the end of a text that is too long, with what is missing counted between them."""
    if len(text) <= room:
        return text
    head, tail = room * 2 // 3, room - room * 2 // 3
    return f"{text[:head]} [... {len(text) - head - tail:,} characters ...] {text[len(text) - tail :]}"


def _kind(value: object) -> type | None:
    """The built-in container that a value is, or is a subclass of without a text of its own."""
    own: object = type(value).__repr__
    if isinstance(value, Rows):
        return list
    return next((kind for kind in _BRACKETS if isinstance(value, kind) and own is kind.__repr__), None)


class _Writer:
    """Writes nested containers until the room is used up, so that a list of millions costs what is shown of it."""

    def __init__(self, room: int, *, is_tall: bool = False) -> None:
        self._room, self._is_tall = room, is_tall

    def write(self, value: Any, depth: int, above: set[int]) -> str:
        kind = _kind(value)
        if kind is None:
            text = cut(_plain(value, self._room), max(self._room, 40))
            self._room -= len(text)
            return text
        behind = value.told if isinstance(value, Rows) else ""
        if not value:
            empty = "set()" if kind is set else f"{kind.__name__}()" if kind is frozenset else _BRACKETS[kind]
            return empty + behind
        if id(value) in above or depth >= _DEPTH:
            return f"{_BRACKETS[kind][0]}...{_BRACKETS[kind][1]}"
        return self._container(value, kind, depth, {*above, id(value)}) + behind

    def _container(self, value: Any, kind: type, depth: int, above: set[int]) -> str:
        opening, closing = tuple(_BRACKETS[kind])
        parts, shown = [], 0
        for part in self._parts(value, kind, depth, above):
            parts.append(part)
            shown += 1
            self._room -= 2
            if self._room <= 0 or shown >= _MOST_MEMBERS:
                break
        if shown < len(value):
            parts.append(f"... {len(value) - shown:,} more")
        between = ",\n " if self._is_tall and depth == 0 else ", "
        comma = "," if kind is tuple and len(value) == 1 else ""
        text = f"{opening}{between.join(parts)}{comma}{closing}"
        return f"frozenset({text})" if kind is frozenset else text

    def _parts(self, value: Any, kind: type, depth: int, above: set[int]) -> Iterator[str]:
        if kind is not dict:
            members: Iterable[Any] = value
            yield from (self.write(member, depth + 1, above) for member in members)
            return
        for key, member in value.items():
            yield f"{self.write(key, depth + 1, above)}: {self.write(member, depth + 1, above)}"


def _plain(value: object, room: int) -> str:
    if isinstance(value, str | bytes | bytearray) and len(value) > room:
        half = max(room // 2, 20)
        unit = "characters" if isinstance(value, str) else "bytes"
        return f"{value[:half]!r} ... {value[-half:]!r} ({len(value):,} {unit})"
    if type(value) is int and value.bit_length() > 10_000:
        return f"<int of {value.bit_length():,} bits>"
    try:
        return repr(value)
    except Exception as error:  # A defect of user code must not hide the rest of the answer.
        return f"<{type(value).__name__} whose repr failed: {type(error).__name__}>"
