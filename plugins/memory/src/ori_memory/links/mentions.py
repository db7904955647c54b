"""Mentions of notes in a text that are not links yet."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from attrs import define, field, frozen

from ori_memory.links._common_words import COMMON_WORDS
from ori_memory.links.names import NamedNote, mentionable_names
from ori_memory.notes.lines import LineCounter
from ori_memory.notes.spans import Spans

__all__ = ["Mention", "Mentions"]

# Scripts that are written without blanks: each character is a word of its own. Kana, Han, Thai, Lao, Khmer, Burmese.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII_TOKEN = re.compile(r"\w+(?:'\w+)*", re.ASCII)
_GAP = re.compile(r"[ \t_-]*\n?[ \t_-]*")
_FEWEST_LETTERS = 4
_FEWEST_UNSPACED = 2
_MOST_TOKENS = 32
_MOST_GAP = 8


# Both are made when other letters than ASCII are met: they take milliseconds, and a command may do without.
@functools.cache
def _token() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’][^\W{_UNSPACED}]+)*")


@functools.cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]")


@frozen
class Mention:
    """A stretch of a text that is the title, the file's name or an alias of a note."""

    paths: tuple[str, ...]
    """The notes of that name; more than one where several have it."""
    text: str
    start: int
    end: int
    line: int


@define(slots=True)
class _Node:
    next: dict[str, _Node] = field(factory=dict)
    ends: dict[tuple[str, str], dict[str, bool]] = field(factory=dict)
    """Signs that must stand before and after, as in `.NET` and `C++`: paths of the notes, and whether only a capital
    letter makes it their name."""

    def next_words(self) -> frozenset[str] | None:
        """Of the node of a name's first word."""
        return None if self.ends else frozenset([word for between in self.next.values() for word in between.next])


class Mentions:
    """Finds names of notes in texts, in time linear in the text, however many names there are."""

    def __init__(self, names_of: Callable[[NamedNote], dict[str, bool]] = mentionable_names) -> None:
        self._names_of = names_of
        self._root = _Node()
        self._names: dict[str, tuple[str, ...]] = {}
        self._next_words: dict[str, frozenset[str] | None] | None = None

    @classmethod
    def of(
        cls, notes: Iterable[NamedNote], names_of: Callable[[NamedNote], dict[str, bool]] = mentionable_names
    ) -> Mentions:
        """One that knows the names of these notes. `names_of`: what a note is called where it looks."""
        mentions = cls(names_of)
        for note in notes:
            mentions.add(note)
        return mentions

    def add(self, note: NamedNote) -> None:
        """The note is there now, or its names changed."""
        self.remove(note.path)
        self._next_words = None
        names = self._names_of(note)
        self._names[note.path] = tuple(names)
        for name, is_proper in names.items():
            parts = _name_parts(name)
            if parts is not None:
                before, tokens, after = parts
                node = self._root
                for token in tokens:
                    node = node.next.setdefault(token, _Node())
                node.ends.setdefault((before, after), {})[note.path] = is_proper

    def remove(self, path: str) -> None:
        """The note is gone; nothing happens where it never was."""
        self._next_words = None
        for name in self._names.pop(path, ()):
            parts = _name_parts(name)
            if parts is not None:
                self._forget(path, *parts)

    def _forget(self, path: str, before: str, tokens: list[str], after: str) -> None:
        nodes = [self._root]
        for token in tokens:
            if token not in nodes[-1].next:
                return
            nodes.append(nodes[-1].next[token])
        paths = nodes[-1].ends.get((before, after), {})
        paths.pop(path, None)
        if not paths:
            nodes[-1].ends.pop((before, after), None)
        for parent, token, node in reversed(list(zip(nodes, tokens, nodes[1:], strict=False))):
            if node.next or node.ends:
                break
            del parent.next[token]

    def find(self, text: str, source: str = "") -> tuple[Mention, ...]:
        """The mentions in a note's text, longest first where names overlap, outside links, code and frontmatter.

        `source`: the path of the note itself, which is not one of its own mentions.
        """
        # Whoever looks for names in a question has no use for the parser of notes.
        from ori_memory.links.suggesting import taken_in

        flat, start, taken = taken_in(text)
        return tuple(self._search(flat, start, taken, source))

    def find_in(self, body: str, taken: Spans, source: str = "") -> tuple[Mention, ...]:
        """The same for a body with LF line ends, where it is known what holds no mentions (`unmentionable`)."""
        return tuple(self._search(body, 0, taken, source))

    def _search(self, text: str, start: int, taken: Spans, source: str) -> Iterator[Mention]:
        counter = LineCounter(text)
        text = _without(text, start, taken)
        words = _words(text)
        places = self._beginnings(words)
        if not places:
            return
        found, resume = _tokens(text), 0
        for place in places:
            if found[place].start() >= resume:
                hit = _longest(text, self._root.next[words[place]], words, found, place, source)
                if hit is not None:
                    begin, end, resume, paths = hit
                    yield Mention(paths, text[begin:end], begin, end, counter.line_of(begin))

    def _beginnings(self, words: list[str]) -> list[int]:
        """Where a name may begin. Most words begin none, and most of those that do, as `the`, go on in another way."""
        following = self._following
        words = [*words, ""]
        return [
            place
            for place, word in enumerate(words)
            if word in following and ((then := following[word]) is None or words[place + 1] in then)
        ]

    @property
    def _following(self) -> dict[str, frozenset[str] | None]:
        """By the first word of names: what may come next, whatever stands between; None: it is a whole name."""
        if self._next_words is None:
            self._next_words = {word: node.next_words() for word, node in self._root.next.items()}
        return self._next_words


def _without(text: str, start: int, taken: Spans) -> str:
    """The text with zero characters, which are in no name, for all that holds no mentions: no offset moves."""
    kept, last = ["\0" * start], start
    for first, end in taken:
        kept += (text[last:first], "\0" * (end - first))
        last = end
    return "".join((*kept, text[last:]))


def _tokens(text: str) -> list[re.Match[str]]:
    # Small letters may be more characters than capitals were, but not here; and a plain pattern is twice as fast.
    return list((_ASCII_TOKEN if text.isascii() else _token()).finditer(text))


def _words(text: str) -> list[str]:
    """In small letters, in the order of the tokens."""
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    return [word.lower() for word in _token().findall(text)]


def _longest(
    text: str,
    node: _Node | None,
    words: list[str],
    found: list[re.Match[str]],
    place: int,
    source: str,
) -> tuple[int, int, int, tuple[str, ...]] | None:
    """The longest name from the word at `place`: where its signs begin and end, where its last word ends, the notes."""
    best, first = None, place
    begin, end = found[place].span()
    while node is not None:
        for (before, after), notes in node.ends.items():
            if text.startswith(after, end) and text.endswith(before, 0, begin):
                is_capital = text[begin].isupper()
                paths = tuple([path for path, is_proper in notes.items() if path != source and is_capital >= is_proper])
                if paths and not (first == place and is_capital and _is_part_of_name(text, words, found, place)):
                    best = (begin - len(before), end + len(after), end, paths)
        place += 1
        if not node.next or place >= len(words):
            break
        start, following = found[place].span()
        if start - end > _MOST_GAP:
            break
        gap = _gap(text[end:start])
        node = None if gap is None else _step(node, gap, words[place])
        end = following
    return best


def _is_part_of_name(text: str, words: list[str], found: list[re.Match[str]], place: int) -> bool:
    """Whether a word with a capital stands beside another one: `Virginia` in `Virginia Woolf` is not the state."""
    for left, right, other in ((place - 1, place, place - 1), (place, place + 1, place + 1)):
        if left < 0 or right >= len(words) or words[other] in COMMON_WORDS:
            continue
        is_capital = text[found[other].start()].isupper()
        if is_capital and text[found[left].end() : found[right].start()] in (" ", "-"):
            return True
    return False


def _step(node: _Node, gap: str, token: str) -> _Node | None:
    between = node.next.get(gap)
    return between.next.get(token) if between is not None else None


def _gap(text: str) -> str | None:
    """Blanks, dashes and one line end are the same; other signs must be the same signs. None: a paragraph ends."""
    if not text:
        return "\0"
    if _GAP.fullmatch(text) is not None:
        return "\0 "
    return "\0" + text.strip() if "\n" not in text else None


def _name_parts(name: str) -> tuple[str, list[str], str] | None:
    """Signs before, words and gaps in turn, signs after; None: the name is too common to be taken for a mention."""
    name = name.strip()
    matches = _tokens(name)
    if not matches or len(matches) > _MOST_TOKENS:
        return None
    words = [match.group().lower() for match in matches]
    before, after = name[: matches[0].start()], name[matches[-1].end() :]
    if _is_too_common(words, before + after):
        return None
    tokens = [words[0]]
    for left, right, word in zip(matches, matches[1:], words[1:], strict=False):
        gap = _gap(name[left.end() : right.start()])
        if gap is None or len(gap) > _MOST_GAP:
            return None
        tokens += [gap, word]
    return before, tokens, after


def _is_too_common(words: list[str], signs: str) -> bool:
    if not words[0].isascii() and _unspaced().match(words[0]):
        return len(words) < _FEWEST_UNSPACED
    if all(word in COMMON_WORDS or word.isdigit() for word in words):
        return True
    return len(words) == 1 and len(words[0]) + len(signs) < _FEWEST_LETTERS
