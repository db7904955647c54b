"""A note cut into passages: about two hundred tokens each, with what they are about in front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

if TYPE_CHECKING:
    from aries_kernel.contracts.embedder import Embedder

__all__ = ["MOST", "Cut", "NoteText", "Passage", "Section", "cut_note"]

MOST = 400
"""Passages of one note; what follows is left out, and told."""
_SIZE, _OVERLAP, _LONG = 200, 40, 100
"""Tokens of a passage, those it shares with the one before, and from how many on a heading begins a new one."""
_HEAD, _TITLE = 40, 24
_FRAME = 4
"""Tokens that a model may put around a text."""
_SLICE = 1 << 16
_SENTENCE_ENDS = frozenset(".!?…。！？।؟")
_SENTENCE_AFTER_NOTHING = frozenset("。！？")


@frozen
class Section:
    """A heading and where in the body it stands."""

    level: int
    text: str
    start: int


@frozen
class NoteText:
    """What of a note can be embedded."""

    title: str
    body: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    created: str = ""
    sections: tuple[Section, ...] = ()
    """In the order of their places."""


@frozen
class Passage:
    """A text for the embedder, and the stretch of the body it stands for; an empty one where that says nothing."""

    text: str
    start: int
    end: int
    tokens: int
    """Of the text."""


@frozen
class Cut:
    passages: tuple[Passage, ...]
    is_cut_short: bool
    """The note has more than `MOST`."""


def cut_note(note: NoteText, embedder: Embedder, *, before: str = "", after: str = "") -> Cut:
    """Passages in their order, each within the embedder's window; together they cover the body.

    `before` and `after`: what stands around a note of a thread; a body shorter than half a window takes some of it.
    Raises: as the embedder.
    """
    tokens, is_whole = _tokens(note.body, embedder)
    if not tokens:
        text = "\n".join(filter(None, (note.title, note.description, ", ".join(note.aliases))))
        text = _trimmed(text, embedder, embedder.window - _FRAME)
        return Cut((Passage(text, 0, 0, len(embedder.token_spans(text))),), False)
    cutter = _Cutter(note, embedder, tokens, before, after)
    passages = cutter.passages()
    is_cut_short = not is_whole or len(passages) > MOST
    if is_whole and not is_cut_short:
        last = passages[-1]
        passages[-1] = evolve(last, end=len(note.body))
    return Cut(tuple(passages[:MOST]), is_cut_short)


def _tokens(body: str, embedder: Embedder) -> tuple[list[tuple[int, int]], bool]:
    """Places of tokens, and whether that is all of them; a long text is asked for piece by piece."""
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(body):
        if len(found) > MOST * _SIZE:
            return found, False
        end = _slice_end(body, start)
        found += [(start + first, start + last) for first, last in embedder.token_spans(body[start:end])]
        start = end
    return found, True


def _slice_end(body: str, start: int) -> int:
    end = start + _SLICE
    if end >= len(body):
        return len(body)
    for blank in ("\n", " "):
        place = body.rfind(blank, start + _SLICE // 2, end)
        if place >= 0:
            return place + 1
    return end


def _trimmed(text: str, embedder: Embedder, most: int) -> str:
    """The beginning of `text` that has at most so many tokens."""
    text = text[: 32 * most] if most > 0 else ""
    spans = embedder.token_spans(text)
    return text if len(spans) <= most else text[: spans[most - 1][1]]


def _trimmed_front(text: str, embedder: Embedder, most: int) -> str:
    """The end of `text`, likewise."""
    text = text[-32 * most :] if most > 0 else ""
    spans = embedder.token_spans(text)
    return text if len(spans) <= most else text[spans[len(spans) - most][0] :]


@define
class _Cutter:
    """One note on its way."""

    note: NoteText
    embedder: Embedder
    tokens: Sequence[tuple[int, int]]
    before: str
    after: str
    _open: list[Section] = field(factory=list)
    """The headings above the place we are at, from the outermost on."""
    _next: int = 0
    """The section we have not come to yet."""

    def passages(self) -> list[Passage]:
        found: list[Passage] = []
        first = last = 0
        while last < len(self.tokens) and len(found) <= MOST:
            passage, end, is_section = self._passage(first)
            if end <= last:
                first = last  # What it shares with the one before left it no room for more.
                continue
            found.append(passage)
            last = end
            first = last if is_section or last == len(self.tokens) else self._overlap(first, last)
        return found

    def _passage(self, first: int) -> tuple[Passage, int, bool]:
        """The passage that begins with this token, the token after it, and whether a section begins there."""
        start = self.tokens[first][0] if first else 0
        head = self._head(self.tokens[first][0])
        room = self.embedder.window - _FRAME
        size = max(1, min(_SIZE, room - len(self.embedder.token_spans(head))))
        while True:
            last, is_section = self._end(first, size)
            end = self.tokens[last][0] if last < len(self.tokens) else self.tokens[-1][1]
            body = self.note.body[start:end].strip()
            text = f"{head}\n{body}" if head else body
            count = len(self.embedder.token_spans(text))
            if count <= room or size == 1:
                break
            # Cut within a word, or with something in front, a text may have more tokens than it had before.
            size = max(1, min(size * 3 // 4, size - (count - room)))
        if first == 0 and last >= len(self.tokens):
            text = self._with_context(head, body, text, count, room)
            count = len(self.embedder.token_spans(text))
        return Passage(text, start, end, count), last, is_section

    def _end(self, first: int, size: int) -> tuple[int, bool]:
        total = len(self.tokens)
        limit = min(first + size, total)
        section = self._section_between(first + min(_LONG, size), limit)
        if section is not None:
            return section, True
        if limit == total:
            return total, False
        return max(range(first + max(1, size // 2), limit + 1), key=lambda place: place + self._worth(place)), False

    def _section_between(self, first: int, limit: int) -> int | None:
        """The first token of these that begins a section."""
        if first >= limit:
            return None
        low, high = self.tokens[first][0], self.tokens[limit - 1][0]
        for section in self.note.sections[self._next :]:
            if section.start > high:
                return None
            if section.start >= low:
                return next(place for place in range(first, limit) if self.tokens[place][0] >= section.start)
        return None

    def _worth(self, place: int) -> int:
        """How many tokens a cut before this one may cost, by what lies there."""
        previous, gap = self.tokens[place - 1][1], self.note.body[self.tokens[place - 1][1] : self.tokens[place][0]]
        if "\n" in gap:
            return 40 if gap.count("\n") > 1 else 25
        letter = self.note.body[previous - 1 : previous]
        if letter in _SENTENCE_ENDS and (gap or letter in _SENTENCE_AFTER_NOTHING):
            return 25
        return 10 if gap else 0

    def _overlap(self, first: int, last: int) -> int:
        """Where the next passage begins: at a sentence, where one does shortly before the end of this."""
        overlap = min(_OVERLAP, (last - first) // 4)
        choices = range(last - overlap, last - overlap // 4 + 1)
        return max(choices, key=lambda place: (min(self._worth(place), 25), -place))

    def _head(self, place: int) -> str:
        """Title, headings and date, within their limit."""
        while self._next < len(self.note.sections) and self.note.sections[self._next].start <= place:
            section = self.note.sections[self._next]
            self._open = [one for one in self._open if one.level < section.level] + [section]
            self._next += 1
        most = min(_HEAD, self.embedder.window // 3)
        title = _trimmed(self.note.title, self.embedder, min(_TITLE, most))
        parts = [title] if title else []
        # A heading at the very beginning stands in the passage itself.
        above = [one.text for one in self._open if one.start < place and one.text not in ("", self.note.title)]
        for text in reversed(above):
            trial = [title, text, *parts[1:]]
            if len(self.embedder.token_spans(self._joined(trial))) > most:
                break
            parts = trial
        joined = self._joined(parts)
        return joined if len(self.embedder.token_spans(joined)) <= most else title

    def _joined(self, parts: Sequence[str]) -> str:
        path = " > ".join(filter(None, parts))
        return f"{path} ({self.note.created})" if self.note.created and path else path or self.note.created

    def _with_context(self, head: str, body: str, text: str, count: int, room: int) -> str:
        if not (self.before or self.after) or count >= room // 2:
            return text
        half = (room - count) // 2
        parts = (
            head,
            _trimmed_front(self.before, self.embedder, half).strip(),
            body,
            _trimmed(self.after, self.embedder, half).strip(),
        )
        whole = "\n".join(filter(None, parts))
        return whole if len(self.embedder.token_spans(whole)) <= room else text
