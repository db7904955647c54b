"""A conversation as one note: who said what, when, and what was left out."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from attrs import define, field

from aries_kernel.contracts.importer import ImportedNote, Loss

__all__ = ["Conversation", "as_mapping", "clean_text", "instant", "once", "text_of"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_LONE = re.compile("[\ud800-\udfff]")
_LATEST = 4_102_444_800.0
"""2100: a greater number is no second since 1970 but a thousandth, or a mistake."""


def clean_text(text: str) -> str:
    """Text that a UTF-8 file holds: one kind of line end, no half characters, no NUL."""
    return _LONE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def text_of(value: object) -> str:
    """`value` where it is a text, cleaned; otherwise nothing."""
    return clean_text(value) if isinstance(value, str) else ""


def as_mapping(value: object) -> Mapping[str, object]:
    """`value` where it is a JSON object, otherwise an empty one."""
    return value if isinstance(value, Mapping) else {}


def instant(value: object) -> datetime.datetime | None:
    """A point in time in UTC: seconds since 1970 or ISO 8601; None for anything else."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = float(value) / 1000 if value > _LATEST else float(value)
            return datetime.datetime.fromtimestamp(seconds, datetime.UTC) if seconds > 0 else None
        if isinstance(value, str):
            read = datetime.datetime.fromisoformat(value.strip())
            return (read if read.tzinfo else read.replace(tzinfo=datetime.UTC)).astimezone(datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


@define
class Conversation:
    """Collects the messages of one conversation and what could not be taken over."""

    where: str
    key: str
    title: str
    created: datetime.datetime | None = None
    _parts: list[str] = field(factory=list, init=False)
    _left_out: Counter[str] = field(factory=Counter, init=False)

    def say(self, speaker: str, text: str, at: datetime.datetime | None) -> None:
        """Add a message; an empty one says nothing."""
        if text.strip():
            moment = f" · {at:%Y-%m-%d %H:%M}" if at else ""
            self._parts.append(f"## {speaker}{moment}\n\n{_closed(text.strip(chr(10)))}\n")
            if self.created is None:
                self.created = at

    def leave_out(self, reason: str, count: int = 1) -> None:
        """Something of this conversation is not in the note."""
        if count:
            self._left_out[reason] += count

    def items(self) -> Iterator[ImportedNote | Loss]:
        """The note, and one loss for each reason."""
        if self._parts:
            date = self.created.date() if self.created else None
            title = clean_text(" ".join(self.title.split())) or self._first_words() or "Conversation"
            yield ImportedNote(self.key, title, "\n".join(self._parts), date, is_session=True)
        else:
            yield Loss(self.where, "the conversation holds no text")
        for reason, count in self._left_out.items():
            yield Loss(self.where, f"{reason} ({count})" if count > 1 else reason)

    def _first_words(self) -> str:
        lines = (line for line in self._parts[0].splitlines()[1:] if line.strip(" #`~-"))
        return " ".join(next(lines, "").split()[:10])[:80]


def once(notes: Iterable[ImportedNote | Loss], seen: set[str]) -> Iterator[ImportedNote | Loss]:
    """Leave out a note whose key came before."""
    for item in notes:
        if isinstance(item, ImportedNote):
            if item.key in seen:
                yield Loss(item.title, f"a second conversation with the id {item.key}; the first was taken")
                return
            seen.add(item.key)
        yield item


def _closed(text: str) -> str:
    """The text with a code fence that it left open closed: it would swallow what others said."""
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if not found:
            continue
        mark, rest = found[1], found[2]
        if not fence and not (mark[0] == "`" and "`" in rest):
            fence = mark
        elif fence and mark[0] == fence[0] and len(mark) >= len(fence) and not rest.strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text
