"""Calls out of deltas, in every style that servers use for them.

A delta belongs to the call at its index. Servers leave the index out, give 0 to all, repeat id and name in each delta,
split a name, give no id, or give the same id twice; what tells a new call then is a complete argument object before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from aries_kernel.errors import StreamCut
from aries_kernel.model.stream import CallPiece
from aries_provider_http.text_joiner import TextJoiner
from aries_provider_http.wire_names import ToolNames

__all__ = ["CallAssembler"]

_STRUCTURE = re.compile(r'["\\{}\[\]]')


class _Progress:
    """Whether the JSON text seen so far is one complete object; looks at each character once."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = self._escapes = False
        self.is_complete = False

    def add(self, text: str) -> None:
        start = 0
        if self._escapes and text:
            self._escapes, start = False, 1
        while match := _STRUCTURE.search(text, start):
            start = match.end()
            char = match.group()
            if self._in_text:
                if char == "\\":
                    self._escapes = start >= len(text)
                    start += 1
                self._in_text = char != '"'
            elif char == '"':
                self._in_text = True
            elif char in "{[":
                self._depth += 1
            elif char in "}]":
                self._depth -= 1
                self.is_complete = self.is_complete or self._depth == 0


class _Call:
    def __init__(self, key: str) -> None:
        self.key = key
        self.name = ""
        self.wire_id: str | None = None
        self.has_arguments = False
        self.extra: dict[str, object] = {}
        self._pieces: list[str] = []
        self.progress = _Progress()
        self._text = TextJoiner()
        self._told_name = False
        self._told_id: str | None = None

    def add(self, arguments: str, *, told_as: str) -> CallPiece | None:
        """More arguments; the name is told with them, once and whole."""
        self.has_arguments = self.has_arguments or bool(arguments)
        self._pieces.append(arguments)
        self.progress.add(arguments)
        return self._piece(told_as, self._text.add(arguments))

    def end(self, *, told_as: str) -> CallPiece | None:
        """Tell what was held back."""
        return self._piece(told_as, self._text.end())

    def is_said_again(self, arguments: str, wire_id: str | None, *, is_only: bool) -> bool:
        """Whether a delta says this whole call once more, as some servers do at the end.

        `is_only`: the protocol knows one call an answer, so it needs no id to be the same.
        """
        is_same = wire_id == self.wire_id and (bool(wire_id) or is_only)
        if not (is_same and self.progress.is_complete):
            return False
        return "".join(self._pieces).strip() == arguments.strip()

    def _piece(self, told_as: str, arguments: str) -> CallPiece | None:
        name = "" if self._told_name else told_as
        wire_id = self.wire_id if self._told_id is None else None
        if not (name or arguments or wire_id):
            return None
        self._told_name = self._told_name or bool(name)
        self._told_id = self._told_id or wire_id
        return CallPiece(self.key, name, arguments, wire_id)


class CallAssembler:
    """The calls of one answer."""

    def __init__(self, names: ToolNames) -> None:
        self._names = names
        self._slots: dict[int, list[_Call]] = {}
        self._last_slot: list[_Call] = []
        self._calls: list[_Call] = []
        self._untold: list[_Call] = []
        self._is_only = False

    def __bool__(self) -> bool:
        return bool(self._calls)

    @property
    def extras(self) -> dict[str, object]:
        """By the place of the call: what the server must get back with it, such as Google's thought signatures."""
        return {str(place): call.extra for place, call in enumerate(self._calls) if call.extra}

    def add(self, entries: object, *, is_only: bool = False) -> list[CallPiece]:
        """Take the `tool_calls` of one delta; `is_only` for the one call of the older protocol.

        Raises: StreamCut for an unreadable piece amid the arguments of a call.
        """
        self._is_only = is_only
        found: list[CallPiece] = []
        listed = entries if isinstance(entries, list) else [entries]
        for position, entry in enumerate(listed):
            if isinstance(entry, Mapping) and not _is_broken(entry):
                found += self._entry(entry, position, is_alone=len(listed) == 1)
            elif any(call.has_arguments and not call.progress.is_complete for call in self._calls):
                # What is left out in the middle could join two halves to a command that nobody sent.
                raise StreamCut("The server sent a piece of a call that cannot be read; nothing of the call ran.")
        return found

    def end(self) -> list[CallPiece]:
        """The answer is over: tell names without arguments."""
        self._untold = []
        pieces = [call.end(told_as=self._names.to_ours(call.name)) for call in self._calls]
        return [piece for piece in pieces if piece is not None]

    def _entry(self, entry: Mapping[str, object], position: int, *, is_alone: bool) -> list[CallPiece]:
        function = entry.get("function")
        record = function if isinstance(function, Mapping) else entry
        name, (arguments, is_whole) = _text(record.get("name")), _arguments(record.get("arguments"))
        wire_id = _text(entry.get("id")) or None
        if not (name or arguments or wire_id):
            return []
        slot = self._slot(entry, position, wire_id)
        if _index(entry) is None and not (name or wire_id) and is_alone:
            slot = self._last_slot
        self._last_slot = slot
        call = _addressed(slot, wire_id)
        if call is not None and call.is_said_again(arguments, wire_id, is_only=self._is_only):
            return []
        found: list[CallPiece] = []
        if call is None or self._starts_anew(call, name, arguments, wire_id, is_whole):
            found = self._tell_names()
            call = _Call(f"call-{len(self._calls)}")
            slot.append(call)
            self._calls.append(call)
            self._untold.append(call)
        call.wire_id = call.wire_id or wire_id
        call.extra |= _mapping(entry.get("extra_content"))
        call.name = self._joined_name(call, name)
        if arguments:
            found += self._tell_names(but=call)
            piece = call.add(arguments, told_as=self._names.to_ours(call.name))
            found += [piece] if piece else []
        return found

    def _slot(self, entry: Mapping[str, object], position: int, wire_id: str | None) -> list[_Call]:
        index = _index(entry)
        if index is None:
            owner = next((slot for slot in self._slots.values() if any(c.wire_id == wire_id for c in slot)), None)
            if wire_id and owner is not None:
                return owner
            index = position
        return self._slots.setdefault(index, [])

    def _starts_anew(self, call: _Call, name: str, arguments: str, wire_id: str | None, is_whole: bool) -> bool:
        if not name:
            return False
        if wire_id and call.wire_id and wire_id != call.wire_id:
            # Some servers make up a fresh id for each delta: what goes on with open arguments is no new call.
            goes_on = call.has_arguments and not call.progress.is_complete and not arguments.lstrip().startswith("{")
            return not goes_on
        if call.progress.is_complete:
            return bool(arguments.strip()) or name != call.name
        if not call.has_arguments:
            return not wire_id and self._are_two_tools(call.name, name)
        if is_whole:
            return True
        return name != call.name and not (wire_id and wire_id == call.wire_id)

    def _are_two_tools(self, first: str, second: str) -> bool:
        known = self._names.known
        both = first in known and second in known and not second.startswith(first)
        return both and not any(name.startswith(first + second) for name in known)

    def _joined_name(self, call: _Call, piece: str) -> str:
        old, known = call.name, self._names.known
        if not piece or not old or call.has_arguments:
            return old or piece
        candidates = [piece, old + piece] if piece.startswith(old) else [old + piece]
        exact = [candidate for candidate in candidates if candidate in known]
        longer = [one for one in candidates if one != old and any(name.startswith(one) for name in known)]
        return (exact or longer or candidates)[0]

    def _tell_names(self, but: _Call | None = None) -> list[CallPiece]:
        """Calls are told in the order they began, so an earlier one must not wait for arguments that never come."""
        untold, self._untold = self._untold, []
        pieces = []
        for call in untold:
            if call is but:
                break
            pieces.append(call.end(told_as=self._names.to_ours(call.name)))
        return [piece for piece in pieces if piece is not None]


def _addressed(slot: list[_Call], wire_id: str | None) -> _Call | None:
    named = [call for call in slot if wire_id and call.wire_id == wire_id] or slot
    return named[-1] if named else None


def _index(entry: Mapping[str, object]) -> int | None:
    function = entry.get("function")
    index = entry.get("index")
    if index is None and isinstance(function, Mapping):
        index = function.get("index")
    if isinstance(index, str) and index.isdecimal() and len(index) < 10:
        return int(index)
    return index if isinstance(index, int) else None


def _is_broken(entry: Mapping[str, object]) -> bool:
    function = entry.get("function")
    record = function if isinstance(function, Mapping) else entry
    is_odd = function is not None and not isinstance(function, Mapping)
    return is_odd or not isinstance(record.get("arguments"), str | Mapping | None)


def _arguments(value: object) -> tuple[str, bool]:
    if value is None or isinstance(value, str):
        return value or "", False
    return json.dumps(value, ensure_ascii=False), True


def _mapping(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
