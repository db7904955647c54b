"""One sweep over the scopes of a file, which leads uses of names to what they mean."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from attrs import field, frozen

from aries_kernel.contracts import References
from aries_language_syntax.outline import Outline
from aries_language_syntax.text import Text

if TYPE_CHECKING:
    from aries_kernel.contracts import Reference

__all__ = ["Local", "Named", "Spelling", "Surroundings", "Unbound", "bind"]

Named = tuple[bytes, bytes]
"""A root and the path behind it, joined by dots."""

_CLOSE, _OPEN, _DECLARE, _USE = range(4)
"""Order of what happens at one place of the text."""
_SHIFT = 4
_MASK = (1 << _SHIFT) - 1

_LONGEST_CHAIN = 8
"""Aliases of aliases; a circle of them is cut here."""

_SEPARATOR = re.compile(rb"(?:\s*(?:::|\.|->)\s*)+")
_ARGUMENTS = re.compile(rb"<[^<>]*(?:<[^<>]*>[^<>]*)*>")


class Unbound(NamedTuple):
    """A use of a name that no scope of the file holds."""

    start: int
    kind: str
    root: bytes
    path: bytes
    called: bytes
    inside: int


class Local(NamedTuple):
    """A name that a scope declares, and so hides."""

    start: int
    """From here on, to the end of the innermost scope around it."""
    name: bytes
    type: Named | None = None
    """Its type, where the declaration says it plainly; uses of its members are then uses of that type."""


@frozen
class Spelling:
    """How uses are written that the grammar marks at their first byte."""

    pattern: re.Pattern[bytes]
    """Groups: the first name, what follows of the path with its separators, and what only a call has."""
    kind: str
    """Of a use that is no call and is not told apart otherwise."""
    starts: Iterable[int]


def _nothing() -> dict[tuple[int, bytes], int]:
    return {}


@frozen
class Surroundings:
    """What names mean beside locals, by the rules of a language."""

    outline: Outline
    imported: dict[tuple[int, bytes], int] = field(factory=_nothing)
    """Place of an import by the symbol in which it is written (-1: the file) and its local name."""
    types: dict[str, Named] = field(factory=dict)
    """The types of fields, by their full names."""
    opens: frozenset[str] = frozenset()
    """Kinds of symbols whose members are seen inside without a prefix."""
    closes: frozenset[str] = frozenset()
    """Kinds of symbols that hide what is around them."""
    homes: dict[int, int] = field(factory=dict)
    """For a symbol that is written outside of its type: that type."""
    globs: dict[int, tuple[int, ...]] = field(factory=dict)
    """For a symbol (-1: the file): others of this file, all of whose members it sees."""
    aliases: dict[tuple[int, bytes], tuple[int, bytes]] = field(factory=dict)
    """For a symbol and a name in it: another symbol of this file, and the name there."""
    shared: frozenset[str] = frozenset()
    """Kinds of symbols that other files add to: what such a one lacks here may be there, by the name behind it."""
    divider: bytes = b""
    """What may only stand behind namespaces and types, so that no local hides what is before it: `::`."""
    closed: frozenset[bytes] | None = None
    """Where given, whatever means nothing here may be seen without an import, but these names; `unbound` is then asked
    only about paths behind namespaces."""
    unbound: Callable[[Unbound], tuple[int, bytes, bytes] | None] = lambda _: None
    """For what means nothing here: None where it can mean nothing elsewhere either; else the place of an import, -1 for
    what may be seen without one, or -2 less the place of a symbol; the name to ask for; and the path behind it."""

    def names(self) -> set[bytes]:
        """All that can mean something."""
        return {name for table in (self.outline.members, self.imported, self.aliases) for _, name in table}

    def meaning(self, inside: int, root: bytes, depth: int = 0) -> int:
        """The place of a symbol, or -2 and less for an import, or -1."""
        symbols, members, imported = self.outline.symbols, self.outline.members, self.imported
        place = inside
        while True:
            kind = symbols[place].kind if place >= 0 else ""
            if not kind or kind in self.opens:
                found = members.get((place, root))
                if found is not None:
                    return found
            home = self.homes.get(place)
            if home is not None and (home, root) in members:
                return members[home, root]
            handed = imported.get((place, root))
            if handed is not None:
                return -2 - handed
            other = self.aliases.get((place, root))
            if other is not None and depth < _LONGEST_CHAIN:
                return self.meaning(*other, depth + 1)
            for room in self.globs.get(place, ()):
                found = members.get((room, root), -2 - imported.get((room, root), -1))
                if found != -1:
                    return found
            if not kind or kind in self.closes:
                return -1
            place = symbols[place].parent

    def through_fields(self, meaning: int, inside: int, path: bytes) -> tuple[int, bytes, bytes]:
        """Follow what has a known type: where `Server.conn` is a `Conn`, `conn.Close` is `Conn`, `Close`.

        Gives what the last type means, its root (empty where nothing was followed) and the rest of the path.
        """
        symbols, root = self.outline.symbols, b""
        own = self.types.get(symbols[meaning].qualified)
        if own is not None:
            root, path = own[0], own[1] + b"." + path if own[1] else path
            meaning = self.meaning(inside, root)
        for _ in range(path.count(b".")):
            first, dot, rest = path.partition(b".")
            owner = symbols[meaning].qualified if meaning >= 0 else ""
            type_ = self.types.get(f"{owner}.{first.decode('utf-8', 'replace')}")
            if not owner or not dot or type_ is None:
                break
            root, path = type_[0], type_[1] + b"." + rest if type_[1] else rest
            meaning = self.meaning(inside, root)
        return meaning, root, path

    def in_shared(self, meaning: int, root: bytes, path: bytes) -> tuple[int, bytes, bytes]:
        """What a path through namespaces means here; -1, and the first name that is not here."""
        symbols, members = self.outline.symbols, self.outline.members
        while path and meaning >= 0 and symbols[meaning].kind in self.shared:
            root, _, path = path.partition(b".")
            meaning = members.get((meaning, root), -1)
        return meaning, root, path


def bind(
    text: Text,
    scopes: Iterable[tuple[int, int]],
    locals_: Iterable[Local],
    spellings: Sequence[Spelling],
    kinds: Mapping[int, str],
    around: Surroundings,
) -> Sequence[Reference]:
    """References in the order of the text. Uses of locals are left out. `kinds` are those known by their place.

    One loop, since it meets every name of a repository: plain integers in one list say what comes next.
    """
    declared: dict[int, list[Local]] = {}
    for local in locals_:
        declared.setdefault(local[0], []).append(local)
    events = [start << _SHIFT | _DECLARE for start in declared]
    for start, end in scopes:
        if start < end:
            events.append(start << _SHIFT | _OPEN)
            events.append(end << _SHIFT | _CLOSE)
    for code, spelling in enumerate(spellings, _USE):
        events += [start << _SHIFT | code for start in spelling.starts]
    events.sort()

    symbols, source, lines = around.outline.symbols, text.source, text.starts
    by_name = around.outline.by_name
    matchers = [(spelling.pattern.match, spelling.kind) for spelling in spellings]
    known, types, unbound = around.names(), around.types, around.unbound
    paths, divider, shared, closed = dict[bytes, bytes](), around.divider, around.shared, around.closed
    meanings: dict[tuple[int, bytes], int] = {}
    texts: dict[bytes, str] = {b"": ""}
    hidden: dict[bytes, list[Named | None]] = {}
    frames: list[list[bytes]] = [[]]
    stack: list[int] = []
    following, last = 0, len(symbols)
    asked: dict[tuple[int, int, str, str, str], int] = {}
    lines_of, asks, insides = list[int](), list[int](), list[int]()
    add_line, add_ask, add_inside, number = lines_of.append, asks.append, insides.append, asked.setdefault
    for key in events:
        code, start = key & _MASK, key >> _SHIFT
        if code >= _USE:
            match, kind = matchers[code - _USE]
            found = match(source, start)
            if found is None:
                continue
            root = found[1]
            held = hidden.get(root)
            if held and not divider and held[-1] is None:
                continue
            path, called = found[2], found[3]
            if held and not (divider and root != b"Self" and path.startswith(divider)):
                type_ = held[-1]
                if type_ is None or not path:
                    continue
            else:
                type_ = None
            if path:
                clean = paths.get(path)
                if clean is None:
                    bare = _ARGUMENTS.sub(b"", path) if b"<" in path else path
                    clean = paths[path] = _SEPARATOR.sub(b".", bare)[1:]
                path = clean
            if type_ is not None:
                outer = hidden.get(type_[0])
                if outer and outer[-1] is None:
                    # Of a type that is itself a parameter.
                    continue
                root, path = type_[0], type_[1] + b"." + path if type_[1] else path
            while following < last and symbols[following].start <= start:
                stack.append(following)
                following += 1
            while stack and symbols[stack[-1]].end <= start:
                stack.pop()
            inside = stack[-1] if stack else -1
            meaning = -1
            if root in known:
                where = (inside, root)
                if where in meanings:
                    meaning = meanings[where]
                else:
                    meaning = meanings[where] = around.meaning(inside, root)
                if shared and path and meaning >= 0 and symbols[meaning].kind in shared:
                    meaning, root, path = around.in_shared(meaning, root, path)
                if types and path and meaning >= 0:
                    meaning, through, path = around.through_fields(meaning, inside, path)
                    if meaning < 0 and through[:1].isupper() and (outer := hidden.get(through)) and outer[-1] is None:
                        # Of a type that is a parameter of what is around it.
                        continue
                    root = through or root
            if type_ is not None and meaning < 0 and by_name:
                # The type is elsewhere, and what is asked of it may stand here all the same.
                first, _, rest = path.partition(b".")
                here = by_name.get(f"{root.decode('utf-8', 'replace')}.{first.decode('utf-8', 'replace')}")
                if here is not None:
                    meaning, path = here, rest
            kind = kinds.get(start) or ("call" if called else kind)
            if meaning == -1:
                if closed is not None and not (path and divider):
                    if root in closed:
                        continue
                else:
                    other = unbound(Unbound(start, kind, root, path, called or b"", inside))
                    if other is None:
                        continue
                    meaning, root, path = -2 - other[0], other[1], other[2]
            written = texts.get(root)
            if written is None:
                written = texts[root] = root.decode("utf-8", "replace")
            behind = texts.get(path)
            if behind is None:
                behind = texts[path] = path.decode("utf-8", "replace")
            symbol, binding = (meaning, -1) if meaning >= 0 else (-1, -2 - meaning if meaning < -1 else -1)
            add_line(bisect_right(lines, start))
            add_ask(number((symbol, binding, written, behind, kind), len(asked)))
            add_inside(inside + 1)
        elif code == _DECLARE:
            for _, name, type_ in declared[start]:
                hidden.setdefault(name, []).append(type_)
                frames[-1].append(name)
        elif code == _OPEN:
            frames.append([])
        else:
            for name in frames.pop():
                hidden[name].pop()
    return References.made(list(asked), lines_of, asks, insides) if asks else ()
