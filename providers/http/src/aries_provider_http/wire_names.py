"""Names and ids that fit the server's rules, made from ours so that the same input gives the same output."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from aries_kernel.model.messages import ToolCall

__all__ = ["ToolNames", "WireIds"]

_BAD_IN_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64
_ID_RULES = {
    "standard": re.compile(r"[a-zA-Z0-9_-]{1,40}"),
    "nine": re.compile(r"[a-zA-Z0-9]{9}"),
    "block": re.compile(r"[a-zA-Z0-9_-]{1,64}"),
    "any": re.compile(r"[!-~]{1,64}"),
}


class ToolNames:
    """Tool names as the server accepts them, and back.

    Names of calls in the history may be anything the model invented; they must pass too, or no later request would.
    """

    def __init__(self, tools: Iterable[str], *, begins_with_letter: bool = False) -> None:
        self._begins_with_letter = begins_with_letter
        self._ours: dict[str, str] = {}
        for name in tools:
            self._ours.setdefault(self.to_wire(name), name)

    @property
    def known(self) -> frozenset[str]:
        """Every tool's name on the wire."""
        return frozenset(self._ours)

    def to_wire(self, name: str) -> str:
        """At most 64 letters, digits, `_` and `-`; a changed name ends in a hash, so that two never become one."""
        fitted = _BAD_IN_NAME.sub("_", name)
        if self._begins_with_letter and not re.match("[A-Za-z_]", fitted):
            fitted = f"_{fitted}"
        if fitted == name and 0 < len(name) <= _LONGEST_NAME:
            return name
        return f"{fitted[: _LONGEST_NAME - 9] or 'unnamed'}_{_digest(name)[:8]}"

    def to_ours(self, name: str) -> str:
        """The tool a name on the wire stands for; an unknown one stays as it is."""
        return self._ours.get(name, name)


class WireIds:
    """Call ids of one request. First come keeps its own, so a longer history never changes a shorter one."""

    def __init__(self, rule: str) -> None:
        self._rule, self._is_nine = _ID_RULES[rule], rule == "nine"
        self._taken: set[str] = set()

    def give(self, call: ToolCall) -> str:
        """An id for `call` that no earlier call of this request has."""
        for candidate in (call.wire_id, call.id):
            if candidate and self._rule.fullmatch(candidate) and candidate not in self._taken:
                return self._take(candidate)
        count = 0
        while (made := self._made(f"{call.id}\n{count}")) in self._taken:
            count += 1
        return self._take(made)

    def _made(self, seed: str) -> str:
        return _digest(seed)[:9] if self._is_nine else f"call_{_digest(seed)[:24]}"

    def _take(self, wire_id: str) -> str:
        self._taken.add(wire_id)
        return wire_id


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
