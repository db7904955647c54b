"""Uses of names that lead to a definition of the file or out of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from aries_kernel.contracts.references import References
from aries_language_javascript.platform import PLATFORM
from aries_language_javascript.scopes import HIDDEN, Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aries_kernel.contracts.language import Reference
    from aries_language_javascript.file import File
    from aries_language_javascript.outline import Entry

__all__ = ["references"]

Found = tuple[int, str, str, str, tuple[int, int]]
"""Place, kind, root, path, meaning."""

_GAP = rb"(?:\s++|//[^\n]*+\n|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/)*"
_BEHIND = re.compile(
    rb"((?:" + _GAP + rb"!?\??\." + _GAP + rb"#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+)*)" + _GAP + rb"!?(\(|\?\.\(|`)?"
)
_ENDS = frozenset((b",", b";", b")", b"]", b"}", b">", b":"))
_MAY_CALL = (b"(", b"<")
_OPEN = re.compile(_GAP + rb"[(`]")
_COMMENT = re.compile(rb"//[^\n]*+\n|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/")
_RUNES = frozenset({b"$state", b"$derived", b"$effect", b"$props", b"$bindable", b"$inspect", b"$host"})
"""What Svelte calls by names like those of stores."""
_KINDS = (("typed", "type"), ("new", "new"), ("decorator", "decorator"), ("jsx", "jsx"), ("base", "base"))


def references(file: File, names: Names, entries: list[Entry]) -> Sequence[Reference]:
    """All of them, in the order of the text."""
    found: list[Found] = []
    if names.known:
        _named(file, names, found)
    _unbound(file, names, found)
    if file.nodes("this"):
        _this(file, entries, found)
    found.sort()
    return _inside(found, entries, file.line_starts)


def _named(file: File, names: Names, found: list[Found]) -> None:
    source, known, placed = file.source, names.known, file.placed
    kinds = {node.start_byte: kind for capture, kind in _KINDS for node in file.nodes(capture)}
    kinds.update(dict.fromkeys(file.tags, "jsx"))
    closing = {node.start_byte for node in file.nodes("closing")}
    has_stores = file.has_stores
    calls = _Calls(file)
    for node in file.nodes("name"):
        start = node.start_byte
        name = source[start : node.end_byte]
        if has_stores and name not in known and name[:1] == b"$" and name not in _RUNES:
            name = name[1:]
        if name in known and start not in placed and start not in closing:
            meaning = names.value(name, start)
            if meaning is None or meaning == HIDDEN:
                continue
            path, is_called = calls.behind(node.end_byte)
            kind = kinds.get(start) or ("call" if is_called else "use")
            if kind != "jsx" or path or not name[:1].islower() or start in file.tags:
                found.append((start, kind, name.decode("utf-8", "replace"), path, meaning))
    for node in file.nodes("type"):
        start = node.start_byte
        name = source[start : node.end_byte]
        if name in known and start not in placed and not _is_member(source, start):
            meaning = names.type(name, start)
            if meaning is not None and meaning != HIDDEN:
                kind = kinds.get(start, "type")
                found.append((start, kind, name.decode("utf-8", "replace"), "", meaning))


def _unbound(file: File, names: Names, found: list[Found]) -> None:
    """Names that nothing in the file declares, wherever: others may give them to it without an import.

    Of a script those that it calls, since every further name is one more that the graph has to ask for.
    """
    if any(one.is_all for one in file.exports):
        return  # What it hands on is not known in it.
    source, known, placed = file.source, names.known, file.placed
    strangers = [
        (node.start_byte, node.end_byte, name)
        for node in file.nodes("name")
        if (file.sees_others or source[node.end_byte : node.end_byte + 1] in _MAY_CALL)
        and (name := source[node.start_byte : node.end_byte]) not in known
        and name not in PLATFORM
        and node.start_byte not in placed
    ]
    if not strangers:
        return
    own = {file.bytes_of(node) for capture in ("local", "parameter") for node in file.nodes(capture)}
    calls = _Calls(file)
    for start, end, name in strangers:
        is_store = file.has_stores and (name in _RUNES or name[1:] in known)
        if name in own or (is_store and name[:1] == b"$"):
            continue
        path, is_called = calls.behind(end)
        kind = "jsx" if start in file.tags else "call" if is_called else "use"
        if kind == "call" or file.sees_others:
            found.append((start, kind, name.decode("utf-8", "replace"), path, HIDDEN))


class _Calls:
    """What stands behind a name: more names, and whether it is called."""

    def __init__(self, file: File) -> None:
        self._source = file.source
        self._arguments = {node.start_byte: node.end_byte for node in file.nodes("arguments")}

    def behind(self, end: int) -> tuple[str, bool]:
        source = self._source
        if source[end : end + 1] in _ENDS:
            return "", False
        found = _BEHIND.match(source, end)
        if found is None:
            return "", False
        path = _path(found[1]) if found[1] else ""
        if found[2]:
            return path, True
        after = self._arguments.get(found.end()) if self._arguments else None
        return path, after is not None and _OPEN.match(self._source, after) is not None


def _path(behind: bytes) -> str:
    """The names in `.b?.c!.d`, joined by dots."""
    if b"/" in behind:
        behind = _COMMENT.sub(b"", behind)
    text = behind.translate(None, b" \t\n\r?!")
    return text[1:].decode("utf-8", "replace")


def _is_member(source: bytes, start: int) -> bool:
    """Whether a name of a type stands behind a dot, so that the name before it is the root."""
    place = start - 1
    while place >= 0 and source[place] in b" \t\n":
        place -= 1
    return place >= 0 and source[place] == 46 and source[max(0, place - 2) : place] != b".."


_MOST_KEPT = 300
"""Places of one name in a file that are looked at for each use of it."""
_KEPT = re.compile(rb"(?:\b(?:var|let|const)|,)\s+([A-Za-z_$][\w$]*)\s*=\s*\Z")


def _this(file: File, entries: list[Entry], found: list[Found]) -> None:
    """`this.x` and `super.x` belong to the class around them, or to what a function is put on."""
    spans = _owners(file, entries)
    starts = [start for start, _, _ in spans]
    parents = _parents(spans)
    kept: dict[bytes, list[tuple[int, int, int]]] = {}
    for node in file.nodes("this"):
        place = node.start_byte
        index = bisect_right(starts, place) - 1
        while index >= 0 and spans[index][1] <= place:
            index = parents[index]
        if index < 0 or spans[index][2] < 0:
            continue
        behind = _BEHIND.match(file.source, node.end_byte)
        root = file.text(node)
        if (behind is None or not (behind[1] or behind[2])) and (name := _KEPT.search(file.source, place - 60, place)):
            kept.setdefault(name[1], []).append((place, spans[index][1], spans[index][2]))
        if behind is None or not (behind[1] or (root == "super" and behind[2])):
            continue
        path = _path(behind[1]) if behind[1] else "constructor"
        kind = "call" if behind[2] else "use"
        found.append((place, kind, root, path, (spans[index][2], -1)))
    if kept:
        _kept_this(file, kept, found)


def _kept_this(file: File, kept: dict[bytes, list[tuple[int, int, int]]], found: list[Found]) -> None:
    """`self.x` where `var self = this` stands in the function around it; of several the nearest before it."""
    for node in file.nodes("name"):
        place = node.start_byte
        spans = kept.get(file.source[place : node.end_byte], [])[:_MOST_KEPT]
        inside = [one for one in spans if one[0] < place < one[1]]
        behind = _BEHIND.match(file.source, node.end_byte) if inside else None
        if behind is not None and behind[1]:
            kind = "call" if behind[2] else "use"
            found.append((place, kind, file.text(node), _path(behind[1]), (max(inside)[2], -1)))


def _owners(file: File, entries: list[Entry]) -> list[tuple[int, int, int]]:
    """Where `this` has a meaning of its own, and the symbol that it stands for there; -1 for none that is known."""
    classes = {entry.made.head_end: entry.made.place for entry in entries if entry.made.kind == "class"}
    owned: dict[int, int] = {}
    by_definition = {}
    for entry in entries:
        made = entry.made
        holder = entry.parent.symbol if entry.parent is not None else None
        if holder is not None and made.kind in ("method", "property"):
            by_definition[id(made)] = owned[made.scope[0]] = holder.made.place
    for start, made in file.values.items():
        if id(made) in by_definition:
            owned[start] = by_definition[id(made)]
    spans = [(node.start_byte, node.end_byte, classes.get(node.start_byte, -1)) for node in file.nodes("body")]
    for capture in ("function", "closure"):
        for node in file.nodes(capture):
            spans.append((node.start_byte, node.end_byte, owned.get(node.start_byte, -1)))
    spans.sort(key=lambda span: (span[0], -span[1]))
    return spans


def _parents(spans: list[tuple[int, int, int]]) -> list[int]:
    parents: list[int] = []
    current = -1
    for index, (start, _, _) in enumerate(spans):
        while current >= 0 and spans[current][1] <= start:
            current = parents[current]
        parents.append(current)
        current = index
    return parents


def _inside(found: list[Found], entries: list[Entry], line_starts: list[int]) -> Sequence[Reference]:
    """Adds to each its line and the innermost symbol that it stands in."""
    if not found:
        return ()
    asked: dict[tuple[int, int, str, str, str], int] = {}
    lines, asks, insides = [], [], []
    around: list[Entry] = []
    waiting = iter(entries)
    following = next(waiting, None)
    for place, kind, root, path, (symbol, binding) in found:
        while following is not None and following.made.start <= place:
            around.append(following)
            following = next(waiting, None)
        while around and around[-1].made.end <= place:
            around.pop()
        insides.append(around[-1].made.place + 1 if around else 0)
        lines.append(bisect_right(line_starts, place))
        asks.append(asked.setdefault((symbol, binding, root, path, kind), len(asked)))
    return References.made(list(asked), lines, asks, insides)
