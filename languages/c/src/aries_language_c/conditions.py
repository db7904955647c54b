"""Conditions of the preprocessor that tear a statement apart: one branch is kept, as a compiler would keep one."""

from __future__ import annotations

import re

from attrs import define, field

__all__ = ["is_balanced", "settled"]

_TOKEN = re.compile(
    rb"(?P<aside>//[^\n]*|/\*.*?(?:\*/|\Z))"
    rb"|(?P<directive>^[ \t]*\#[^\n]*(?:(?<=\\)\n[^\n]*)*)"
    rb"|(?P<text>R\"([^()\\\s\"]{0,16})\(.*?(?:\)\4\"|\Z)|\"(?:[^\"\\\n]|\\.)*(?:\"|(?=\n)|\\?\Z)"
    rb"|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\\?\Z)|(?<!\w)\d[\w'.]*)"
    rb"|(?P<open>[{(\[])|(?P<close>[})\]])|(?P<word>[A-Za-z_]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*(.*)", re.DOTALL)
_NAMED = re.compile(rb"(!?)\s*(?:defined\b\s*)?(?:\(\s*)?(\w+)\s*(?:\)\s*)?\Z")
_ASIDE = re.compile(rb"/\*.*?(?:\*/|\Z)|//.*", re.DOTALL)
_GOES_ON = frozenset(b"else = , & | + - * / ? < > ( [ ! ~ ^ % .".split())
"""What a statement does not end with."""
_CARRIES_ON = frozenset(b"else = , & | + / ? < > ) ] ^ % . :".split())
"""What a statement does not begin with."""
_LONGEST = 4_000
"""Bytes of a branch that is left out for what stands around it: a longer one matters more than that."""
_DEEPEST = 500
_LIST, _ENUM = b"=", b"e"
"""What stands for the brace of a list of values, and of an enum: its members the grammar takes under conditions."""
_COUNTERPARTS = {b"(": b")", b"[": b"]", b"{": b"}"}
_ASSUMED = {b"0": False, b"1": True}


@define(eq=False)
class _Branch:
    start: int
    """Where its directive begins."""
    begin: int
    truth: tuple[bytes, bool] | None
    """The name that has to be defined for it, or not to be; None for other conditions."""
    end: int = -1
    first: bytes = b""
    last: bytes = b""
    is_torn: bool = False


@define(eq=False)
class _Condition:
    depth: int
    inside: bytes
    """The bracket it stands in."""
    before: bytes
    """The word or sign that stands in front of it."""
    branches: list[_Branch] = field(factory=list)
    kept: list[bytes] | None = None
    """Brackets that are open behind its first branch, where they are others than in front of it."""


def settled(source: bytes, assumed: dict[bytes, bool]) -> bytes:
    """The source with conditions resolved whose branches are no whole statements; length and lines stay.

    Of such a condition the first branch stays that what was assumed before allows, and is assumed from there on.
    """
    if b"#" not in source:
        return source
    settling = _Settling(source, {**_ASSUMED, **assumed})
    for token in _TOKEN.finditer(source):
        settling.take(token)
        if len(settling.brackets) > _DEEPEST:
            return source
    return settling.result()


@define(eq=False)
class _Settling:
    source: bytes
    assumed: dict[bytes, bool]
    brackets: list[bytes] = field(factory=list)
    conditions: list[_Condition] = field(factory=list)
    waiting: list[_Condition] = field(factory=list)
    """Whole by what was seen; what follows may tell otherwise."""
    blanks: list[tuple[int, int]] = field(factory=list)
    directives: list[tuple[int, int]] = field(factory=list)
    last: bytes = b";"
    is_enum: bool = False

    def take(self, token: re.Match[bytes]) -> None:
        kind = token.lastgroup
        if kind == "directive":
            self._direct(token)
        elif kind != "aside":
            said = token[0] if kind != "text" else b'"'
            self._note(said)
            if kind == "open":
                self.brackets.append(self._bracket(said))
            elif kind == "close":
                self._close()
            self.last = said
            self.is_enum = said == b"enum" or (self.is_enum and kind == "word")

    def _bracket(self, said: bytes) -> bytes:
        if said != b"{":
            return said
        if self.last in (b"=", b"(", b",") or self._inside() == _LIST:
            return _LIST
        return _ENUM if self.is_enum else said

    def _inside(self) -> bytes:
        return self.brackets[-1] if self.brackets else b""

    def _note(self, said: bytes) -> None:
        for condition in self.waiting:
            # Two heads of one function: its body follows them.
            if said == b"{" and any(one.last == b")" for one in condition.branches):
                self._settle(condition)
        self.waiting.clear()
        for condition in reversed(self.conditions):
            branch = condition.branches[-1]
            if branch.first:
                break
            branch.first = said
        if self.conditions:
            self.conditions[-1].branches[-1].last = said

    def _close(self) -> None:
        for condition in reversed(self.conditions):
            if len(self.brackets) > condition.depth or condition.branches[-1].is_torn:
                break
            condition.branches[-1].is_torn = True
        if self.brackets:
            self.brackets.pop()

    def _direct(self, token: re.Match[bytes]) -> None:
        found = _DIRECTIVE.match(token[0])
        self.directives.append(token.span())
        if found is None:
            return
        word, start, begin = found[1], token.start(), token.end()
        if word.startswith(b"if"):
            self.conditions.append(_Condition(len(self.brackets), self._inside(), self.last))
            self.conditions[-1].branches.append(_Branch(start, begin, _truth(word, found[2])))
        elif self.conditions:
            condition = self.conditions[-1]
            branch = condition.branches[-1]
            branch.end = start
            if len(self.brackets) != condition.depth:
                branch.is_torn = True
            if len(condition.branches) == 1:
                condition.kept = list(self.brackets) if branch.is_torn else None
            if word == b"endif":
                self._end(condition, start, begin)
            else:
                truth = _truth(word, found[2]) if word == b"elif" else None
                condition.branches.append(_Branch(start, begin, truth))
                self._rewind(condition)

    def _rewind(self, condition: _Condition) -> None:
        """What is open in front of the condition is open at the start of each of its branches."""
        if len(self.brackets) > condition.depth:
            del self.brackets[condition.depth :]
        while len(self.brackets) < condition.depth:
            self.brackets.append(condition.inside)
        self.last = condition.before

    def _end(self, condition: _Condition, start: int, begin: int) -> None:
        self.conditions.pop()
        if condition.kept is not None:
            self.brackets = condition.kept
        last = _Branch(start, begin, None)
        condition.branches.append(last)
        said = [one for one in condition.branches if one.first]
        if self.conditions and said:
            outer = self.conditions[-1].branches[-1]
            outer.first, outer.last = outer.first or said[0].first, said[-1].last
        if _is_torn(condition, bool(said)):
            self._settle(condition)
        elif said:
            self.waiting.append(condition)
        self.last = said[-1].last if said else condition.before

    def _settle(self, condition: _Condition) -> None:
        branches = condition.branches[:-1]
        kept = self._chosen(branches)
        gone = [(one.begin, one.end) for one in branches if one is not kept]
        if any(end - start > _LONGEST for start, end in gone):
            return
        self.blanks += gone
        self.blanks += [(one.start, one.begin) for one in condition.branches]

    def _chosen(self, branches: list[_Branch]) -> _Branch | None:
        for branch in branches:
            if branch.truth is None:
                return branch
            name, wanted = branch.truth
            if self.assumed.setdefault(name, wanted) == wanted:
                return branch
        return None

    def result(self) -> bytes:
        if not self.blanks:
            return self.source
        text = bytearray(self.source)
        own = {start for start, _ in self.blanks}
        for start, end in self.blanks:
            text[start:end] = re.sub(rb"[^\n]", b" ", text[start:end])
        # What a branch defines by directives is defined, whatever becomes of the rest.
        for start, end in self.directives:
            if start not in own:
                text[start:end] = self.source[start:end]
        return bytes(text)


def _is_torn(condition: _Condition, says_something: bool) -> bool:
    branches = condition.branches[:-1]
    if any(one.is_torn for one in branches):
        return True
    if condition.inside == _ENUM or not says_something:
        return False
    is_within = condition.inside in (b"(", b"[", _LIST)
    goes_on = condition.before in _GOES_ON or (condition.before[-1:].isalnum() and not condition.before.isupper())
    return is_within or goes_on or any(one.first in _CARRIES_ON or one.last in _GOES_ON for one in branches)


def _truth(word: bytes, condition: bytes) -> tuple[bytes, bool] | None:
    bare = _ASIDE.sub(b"", condition).strip()
    if word == b"ifndef":
        return (bare, False)
    found = _NAMED.match(bare)
    return (found[2], not found[1]) if found is not None else None


def is_balanced(source: bytes) -> bool:
    """Whether each bracket has its counterpart, whatever conditions say."""
    brackets: list[bytes] = []
    for token in _TOKEN.finditer(source):
        if token.lastgroup == "open":
            brackets.append(_COUNTERPARTS[token[0]])
        elif token.lastgroup == "close" and (not brackets or brackets.pop() != token[0]):
            return False
    return not brackets
