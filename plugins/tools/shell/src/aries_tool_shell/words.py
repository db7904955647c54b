"""Words of a command with their quoting undone, as far as that can be known before it runs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Surprise", "Word", "decode", "literal"]

_HOLES = frozenset({
    "simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion",
})  # fmt: skip
_META = frozenset(b"|&;()<> \t\n")
_ANSI = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ANSI_CODE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)


class Surprise(Exception):
    """The text is not a word as bash reads words: the tree must not be trusted."""


@frozen
class Word:
    """One word."""

    text: str
    """Quotes removed; a computed part stands as it is written, `$X`."""
    glob: str
    """The same as a glob: quoted signs escaped, a computed part is `*`."""
    is_computed: bool = False
    """Not known before it runs: variables, substitutions, globs, braces, `~somebody`."""
    is_split: bool = False
    """May become several words, or none, by an unquoted part."""
    lead: str = ""
    """What it begins with for certain."""

    @property
    def may_be_option(self) -> bool:
        """Whether an option, or a word a rule asks for, could hide in it; not so in a path with a known folder."""
        return self.is_computed and ("/" not in self.lead or self.lead.startswith("-") or self.is_split)


def literal(text: str) -> Word:
    """A word that stands for itself."""
    return Word(text, _escape(text), lead=text)


def decode(node: Node, source: bytes) -> Word:
    """Undo the quoting of one word. Raises: Surprise."""
    return _Decoder(node, source).decode()


class _Decoder:
    def __init__(self, node: Node, source: bytes) -> None:
        self._source, self._at, self._end = source, node.start_byte, node.end_byte
        self._holes = {hole.start_byte: hole for hole in _top_holes(node)}
        self._raw, self._text, self._glob = bytearray(), "", ""
        self._computed = self._split = False
        self._lead: str | None = None
        self._braces = False

    def decode(self) -> Word:
        if re.match(rb"~(?!/|$)", self._source[self._at : self._end]):
            self._set_computed()  # somebody else's home folder, ~+ or ~-; one's own is known
        while self._at < self._end:
            self._step()
        self._flush()
        if self._braces and re.search(r"\{[^{}]*(?:,|\.\.)[^{}]*\}|\{.*[,{].*\}", self._text, re.DOTALL):
            self._computed, self._split, self._lead = True, True, self._lead_before_brace()
        return Word(self._text, self._glob, self._computed, self._split, self._lead_now())

    def _lead_before_brace(self) -> str:
        return self._lead_now().partition("{")[0]

    def _lead_now(self) -> str:
        return self._text if self._lead is None else self._lead

    def _step(self) -> None:
        hole = self._holes.get(self._at)
        if hole is not None:
            return self._take_hole(hole, is_quoted=False)
        byte = self._source[self._at]
        if byte == ord("\\"):
            self._take_escape()
        elif byte == ord("'"):
            self._take_single()
        elif byte == ord('"'):
            self._take_double()
        elif self._source[self._at : self._at + 2] == b"$'":
            self._take_ansi()
        elif self._source[self._at : self._at + 2] == b'$"':
            self._at += 1
            self._take_double()
        elif byte in _META or byte == ord("`"):
            raise Surprise(f"{chr(byte)!r} stands inside a word")
        elif byte == ord("$"):
            self._take_dollar()
        else:
            self._take_plain(byte)

    def _take_plain(self, byte: int) -> None:
        if byte in b"*?[":
            self._set_computed()
        if byte == ord("{"):
            self._braces = True
        self._add(self._source[self._at : self._at + 1], is_quoted=False)
        self._at += 1

    def _take_dollar(self) -> None:
        following = self._source[self._at + 1 : self._at + 2]
        if self._at + 1 < self._end and (following.isalnum() or following in (b"_", b"{", b"(", b"[", b"@", b"*", b"#",
                                                                              b"?", b"-", b"$", b"!")):  # fmt: skip
            raise Surprise("an expansion was not seen as one")
        self._add(b"$", is_quoted=True)
        self._at += 1

    def _take_hole(self, hole: Node, *, is_quoted: bool) -> None:
        self._set_computed()
        self._flush()
        self._text += self._source[hole.start_byte : hole.end_byte].decode("utf-8", "replace")
        self._glob += "*"
        self._split = self._split or not is_quoted or b"@" in self._source[hole.start_byte : hole.end_byte]
        self._at = hole.end_byte

    def _take_escape(self) -> None:
        taken = self._source[self._at + 1 : self._at + 2]
        if taken == b"\n":
            raise Surprise("a line continuation stands inside a word")
        if taken and self._at + 1 < self._end:
            self._add(taken, is_quoted=True)
        else:
            self._add(b"\\", is_quoted=True)
        self._at += 2

    def _take_single(self) -> None:
        close = self._source.find(b"'", self._at + 1, self._end)
        if close < 0:
            raise Surprise("a quote is not closed")
        self._add(self._source[self._at + 1 : close], is_quoted=True)
        self._at = close + 1

    def _take_double(self) -> None:
        self._at += 1
        while self._at < self._end:
            hole = self._holes.get(self._at)
            byte = self._source[self._at]
            if hole is not None:
                self._take_hole(hole, is_quoted=True)
            elif byte == ord('"'):
                self._at += 1
                return
            elif byte == ord("`"):
                raise Surprise("a substitution was not seen as one")
            elif byte == ord("$"):
                self._take_dollar()
            elif byte == ord("\\"):
                self._take_double_escape()
            else:
                self._add(self._source[self._at : self._at + 1], is_quoted=True)
                self._at += 1
        raise Surprise("a quote is not closed")

    def _take_double_escape(self) -> None:
        taken = self._source[self._at + 1 : self._at + 2]
        if taken and taken in b'$`"\\':
            self._add(taken, is_quoted=True)
        elif taken != b"\n":
            self._add(b"\\" + taken, is_quoted=True)
        self._at += 2

    def _take_ansi(self) -> None:
        match = re.compile(rb"\$'((?:[^'\\]|\\.)*)'", re.DOTALL).match(self._source, self._at, self._end)
        if match is None:
            raise Surprise("a quote is not closed")
        text = _ANSI_CODE.sub(_ansi_sign, match[1].decode("utf-8", "replace"))
        self._add(text.split("\0")[0].encode("utf-8", "surrogatepass"), is_quoted=True)
        self._at = match.end()

    def _set_computed(self) -> None:
        self._flush()
        self._computed = True
        if self._lead is None:
            self._lead = self._text

    def _add(self, taken: bytes, *, is_quoted: bool) -> None:
        if not is_quoted:
            self._raw += taken
            return
        self._flush()
        text = taken.decode("utf-8", "replace") if taken.isascii() else ""
        if not taken.isascii():
            self._raw += taken  # signs of several bytes are never special
            return
        self._text += text
        self._glob += _escape(text)

    def _flush(self) -> None:
        text = bytes(self._raw).decode("utf-8", "surrogateescape")
        self._raw.clear()
        self._text += text
        self._glob += text


def _escape(text: str) -> str:
    return re.sub(r"[*?\[{}]", lambda sign: f"[{sign[0]}]", text)


def _ansi_sign(match: re.Match[str]) -> str:
    for group in (1, 2, 3):
        if match[group]:
            code = int(match[group], 16)
            return chr(code) if code <= 0x10FFFF else ""
    if match[4]:
        return chr(int(match[4], 8) & 0xFF)
    if match[5]:
        return chr(ord(match[5]) & 0x1F)
    return _ANSI.get(match[6], match[6] if match[6] in "\\'\"?" else f"\\{match[6]}")


def _top_holes(node: Node) -> list[Node]:
    if node.type in _HOLES:
        return [node]
    found, waiting = [], list(node.children)
    while waiting:
        one = waiting.pop()
        if one.type in _HOLES:
            found.append(one)
        else:
            waiting.extend(one.children)
    return found
