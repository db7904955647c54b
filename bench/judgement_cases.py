"""Labelled cases: functions of real projects, changed as people change what they copy."""

from __future__ import annotations

import itertools
import random
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from aries_body.judgement.lexing import FIRST_NAME, NUMBER, TEXT, Lexer

__all__ = ["EDITS", "Case", "Edit", "body_of", "cases_of", "plain_text", "rewritten", "statements_of"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}


Edit = Callable[[str, Lexer, str, random.Random], str | None]
"""None where it cannot be done."""


class Case(NamedTuple):
    """A changed function."""

    edit: str
    text: str


def cases_of(
    text: str, lexer: Lexer, language: str, chance: random.Random, edits: Mapping[str, Edit]
) -> Iterator[Case]:
    """Every one of these edits that can be done to this function."""
    plain = plain_text(text)
    for name, edit in edits.items():
        changed = edit(plain, lexer, language, chance)
        if changed is not None and (changed != plain or name == "the same text"):
            yield Case(name, changed)


def plain_text(text: str) -> str:
    """A function as it would stand alone in a file."""
    return textwrap.dedent(_first_line_indented(text))


def _first_line_indented(text: str) -> str:
    """A slice begins behind the indentation of its first line."""
    lines = text.split("\n")
    rest = [line for line in lines[1:] if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    closing = rest[-1] if rest else ""
    indent = len(closing) - len(closing.lstrip()) if closing.strip()[:1] in ("}", ")", "]") else max(0, least - 4)
    return "\n".join([rest[0][:indent] + lines[0] if rest else lines[0], *lines[1:]])


def rewritten(text: str, lexer: Lexer, change: Callable[[str, int], str]) -> str:
    """Words changed, everything between them kept."""
    out, at = [], 0
    for word in lexer.words(text):
        place = text.index(word, at)
        out += [text[at:place], change(word, lexer.code(word))]
        at = place + len(word)
    return "".join([*out, text[at:]])


def _same(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    return text


def _renamed(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """Every name is another one: also those of attributes and of what is called."""
    new: dict[str, str] = {}
    syllables = ["ba", "ko", "ri", "tu", "ne", "lo", "za", "mi"]

    def change(word: str, code: int) -> str:
        if code != FIRST_NAME:
            return word
        if word not in new:
            new[word] = "".join(chance.choice(syllables) for _ in range(3)) + str(len(new))
        return new[word]

    return rewritten(text, lexer, change)


def _locals_renamed(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """The function and the names that it gives values to."""
    names = set(re.findall(r"\b([A-Za-z_]\w*)\s*(?::=|=(?!=))", text)) | set(re.findall(r"\A[^(\n]*?(\w+)\s*\(", text))
    return rewritten(text, lexer, lambda word, code: f"{word}_other" if word in names else word)


def _literals(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    def change(word: str, code: int) -> str:
        if code == NUMBER:
            return str(chance.randrange(2, 900))
        if code == TEXT and word[0] in "\"'" and "\n" not in word:
            return f"{word[0]}text {chance.randrange(1000)}{word[0]}"
        return word

    return rewritten(text, lexer, change)


def statements_of(lines: list[str]) -> list[int]:
    """Lines of the body that are a statement each."""
    found = []
    for place, line in enumerate(lines[1:-1], 1):
        bare = line.strip()
        balanced = all(bare.count(one) == bare.count(other) for one, other in _BRACKETS.items())
        follows = lines[place + 1]
        deeper = len(follows) - len(follows.lstrip()) > len(line) - len(line.lstrip())
        before = lines[place - 1].rstrip()
        continues = before.endswith((",", "(", "[", "=", "+", "\\", ".", "&&", "||", "and", "or"))
        ends = bare.endswith(";") or (not bare.endswith((",", ":", "{", "\\", "(", "[", "+", "=")))
        if bare and balanced and not deeper and ends and not continues and bare[0].isalpha():
            found.append(place)
    return found


def _deleted(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    places = statements_of(lines)
    if len(places) < 3:
        return None
    del lines[chance.choice(places)]
    return "\n".join(lines)


def _added(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    places = statements_of(lines)
    if not places:
        return None
    place = chance.choice(places)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    end = ";" if lines[place].rstrip().endswith(";") else ""
    lines.insert(place, f'{indent}trace("step", {chance.randrange(90)}){end}')
    return "\n".join(lines)


def _reordered(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    lines = text.split("\n")
    places = statements_of(lines)
    pairs = [
        one
        for one, other in itertools.pairwise(places)
        if other == one + 1 and _indent(lines[one]) == _indent(lines[other])
    ]
    if not pairs or len(places) < 4:
        return None
    place = chance.choice(pairs)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_PARAMETERS = {"go": "extra int", "java": "int extra", "c": "int extra", "cpp": "int extra", "rust": "extra: u32"}


def _parameter(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    head = re.match(r"(?:[ \t]*[@#][^\n]*\n)*[^(\n]*?\w[^(\n]*\(", text)
    if language == "go":
        head = re.match(r"func\s*(?:\([^)]*\)\s*)?\w+\(", text)
    if head is None:
        return None
    extra, rest = _PARAMETERS.get(language, "extra"), text[head.end() :]
    receiver = re.match(r"\s*(?:&?(?:mut\s+)?self|cls)\b\s*,?", rest)
    if receiver is not None:
        rest = rest[receiver.end() :]
        first = receiver[0].rstrip(", ") + ", "
    else:
        first = ""
    comma = "" if rest.lstrip().startswith(")") else ", "
    return text[: head.end()] + first + extra + comma + rest


def _method(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    if language == "python":
        made = re.sub(r"(def\s+\w+\s*\()(?!\s*(?:self|cls))", r"\1self, ", text, count=1)
        return "class Holder:\n" + textwrap.indent(made, "    ") + "\n"
    if language in ("javascript", "typescript"):
        made = re.sub(r"^(async\s+)?function\s*(\*?)\s*(\w+)", r"\1\2\3", text, count=1)
        return f"class Holder {{\n{textwrap.indent(made, '  ')}\n}}\n" if made != text else None
    if language == "java":
        return f"class Holder {{\n{textwrap.indent(text, '    ')}\n}}\n"
    if language == "rust":
        return f"impl Holder {{\n{textwrap.indent(text, '    ')}\n}}\n"
    return None


def body_of(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    lines = text.rstrip().split("\n")
    opening = ":" if language == "python" else "{"
    first = next((place for place, line in enumerate(lines) if line.rstrip().endswith(opening)), None)
    if first is None or len(lines) - first < 4:
        return None
    last = len(lines) if language == "python" else len(lines) - 1
    return textwrap.dedent("\n".join(lines[first + 1 : last])) + "\n"


def _extracted(text: str, lexer: Lexer, language: str, chance: random.Random) -> str | None:
    """A half of its statements as a function of their own."""
    body = body_of(text, lexer, language, chance)
    lines = body.rstrip().split("\n") if body else []
    starts = [place for place, line in enumerate(lines) if line and not line[0].isspace() and line[0].isalpha()]
    starts = [place for place in starts if not lines[place].startswith(("else", "elif", "except", "finally", "case"))]
    if len(starts) < 4:
        return None
    middle = starts[len(starts) // 2]
    part = "\n".join(lines[:middle])
    quotes = part.count('"""') % 2 or part.count("`") % 2
    if quotes or part.count("{") != part.count("}") or part.count("(") != part.count(")"):
        return None
    head = {
        "python": "def extracted(value):\n", "go": "func extracted(value int) {\n", "java": "void extracted(int v) {\n",
        "c": "static void extracted(int value)\n{\n", "cpp": "void extracted(int value) {\n",
        "rust": "fn extracted(value: u32) {\n",
    }.get(language, "function extracted(value) {\n")  # fmt: skip
    return head + textwrap.indent(part, "    ") + ("\n" if language == "python" else "\n}\n")


EDITS: dict[str, Edit] = {
    "the same text": _same,
    "all names changed": _renamed,
    "function and variables renamed": _locals_renamed,
    "literals changed": _literals,
    "a statement deleted": _deleted,
    "a statement added": _added,
    "two statements swapped": _reordered,
    "a parameter added": _parameter,
    "made a method": _method,
    "only the body": body_of,
    "a half extracted": _extracted,
}
