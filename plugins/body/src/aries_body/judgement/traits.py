"""Customs that a text shows: how it names things, handles errors, documents, imports, tests and lays itself out."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aries_body.judgement.naming import style_of
from aries_body.judgement.units import FUNCTIONS, TYPES
from aries_kernel.contracts import FileFacts, Import, Symbol
from aries_kernel.contracts.lexis import Lexis

if TYPE_CHECKING:
    from aries_body.index.facts import Facts

__all__ = ["TOPICS", "Trait", "traits_of"]

TOPICS = ("naming", "errors", "docs", "types", "imports", "tests", "layout")

_SUBJECTS = {
    **dict.fromkeys(("function", "method"), "functions"),
    **dict.fromkeys(TYPES, "types"),
    "constant": "constants",
    **dict.fromkeys(("variable", "field", "property"), "variables"),
}


class _Sign(NamedTuple):
    """Code that shows a custom, found by the word that it begins with."""

    word: str
    rest: str
    """What follows it, as an expression."""
    topic: str
    subject: str
    value: str
    begins_line: bool = False


_SIGNS = (
    _Sign("except", r"\s*:", "errors", "handlers", "`except:` without a kind", True),
    _Sign(
        "except", r"\b[^\n:]*:\s*(?:#[^\n]*\s*)?(?:pass|\.\.\.)[ \t]*(?=\n|\Z)", "errors", "handlers",
        "caught and dropped", True,
    ),
    _Sign("except", r"\s+\(?(?:Base)?Exception\b[^\n]*:", "errors", "handlers", "`except Exception`", True),
    _Sign("except", r"\b[^\n]*:", "errors", "handlers", "`except` with kinds", True),
    _Sign("catch", r"\s*(?:\([^()\n]*\))?\s*\{\s*\}", "errors", "handlers", "caught and dropped"),
    _Sign("catch", r"\s*[({]", "errors", "handlers", "`catch`"),
    _Sign("err", r"\s*!=\s*nil\b", "errors", "handlers", "`err != nil`"),
    _Sign("goto", r"\s+\w+\s*;", "errors", "handlers", "`goto` a label"),
    _Sign("raise", r"[ \t]+[\w.]+", "errors", "raising", "`raise`", True),
    _Sign("throw", r"\s+new\s+[\w.]+", "errors", "raising", "`throw new`"),
    _Sign("throw", r"\s+[^\s;]+", "errors", "raising", "`throw` of a value"),
    _Sign("panic", r"!?\(", "errors", "raising", "panic"),
    _Sign("unwrap", r"\(\)", "errors", "results", "`.unwrap()`"),
    _Sign("expect", r"\(\"", "errors", "results", "`.expect(...)`"),
    _Sign("assert", r"[ \t(](?!\.)[^\n]*", "tests", "assertions", "`assert`", True),
    _Sign("assert", r"\w*!\(", "tests", "assertions", "`assert!`"),
    _Sign("assert", r"\.\w+\(", "tests", "assertions", "`assert.name(...)`"),
    _Sign("self", r"\.assert\w*\(", "tests", "assertions", "`self.assert...`"),
    _Sign("expect", r"\([^\n]*\)\s*\.", "tests", "assertions", "`expect(...)`"),
    _Sign("t", r"\.(?:Error|Fatal)f?\(", "tests", "assertions", "`t.Error`, `t.Fatal`"),
    _Sign("assertEquals", r"\(", "tests", "assertions", "`assertEquals(...)`"),
    _Sign("assertThat", r"\(", "tests", "assertions", "`assertThat(...)`"),
    _Sign("EXPECT_", r"\w+\(", "tests", "assertions", "`EXPECT_...`"),
    _Sign("ASSERT", r"\w*\(", "tests", "assertions", "`ASSERT...`"),
)  # fmt: skip
"""Of several that begin at one place, the first counts."""
_RESERVED = frozenset(("except", "catch", "goto", "raise", "throw"))
"""Words of signs that are prose in a language in which they are no keyword."""
_INDENT = r"^([ \t]*)[^\s*#/]"
_STATEMENT = r"^[ \t]*(?:return|throw|const|let|var|import)\b[^\n]*[\w)\]\"'][ \t]*$"
_END = r";[ \t]*$"
_LOOKED_AT = 20_000
"""Characters that show how a text is laid out: the rest is laid out like them."""
_WIDEST = 8
_TEST = re.compile(r"[Tt]est(?![a-z])")


class Trait(NamedTuple):
    """A custom and how often a text shows it."""

    topic: str
    subject: str
    value: str
    times: int
    line: int
    """Where it is first shown, from 1."""
    example: str


def traits_of(text: str, words: Iterable[str], facts: FileFacts | Facts, lexis: Lexis) -> tuple[Trait, ...]:
    """Every custom that shows, in the order of topics. `words`: those of its code as its lexer reads it, each once."""
    found: dict[tuple[str, str, str], tuple[int, int, str]] = {}
    for topic, subject, value, line, example in _shown(text, words, facts, lexis):
        count, first, told = found.get((topic, subject, value), (0, line, example))
        found[topic, subject, value] = count + 1, first, told
    return tuple(Trait(*key, *rest) for key, rest in found.items())


_Shown = tuple[str, str, str, int, str]


def _shown(text: str, words: Iterable[str], facts: FileFacts | Facts, lexis: Lexis) -> Iterator[_Shown]:
    for symbol in facts.symbols:
        yield from _of_symbol(symbol, lexis.has_optional_types)
    for item in facts.imports:
        yield from _of_import(item)
    yield from _signs(text, lexis)
    yield from _layout(text, words, lexis)


def _signs(text: str, lexis: Lexis) -> Iterator[_Shown]:
    taken: set[int] = set()
    comments = (*lexis.line_comments, *(start for start, _ in lexis.block_comments))
    for sign in _SIGNS:
        if sign.word not in text or (sign.word in _RESERVED and sign.word not in lexis.keywords):
            continue
        line, counted = 1, 0
        for match in re.finditer(re.escape(sign.word) + sign.rest, text):
            start = match.start()
            if start in taken or (start and (text[start - 1].isalnum() or text[start - 1] == "_")):
                continue
            before = text[text.rfind("\n", 0, start) + 1 : start]
            if (sign.begins_line and before.strip()) or _is_prose(before, comments):
                continue
            taken.add(start)
            line, counted = line + text.count("\n", counted, start), start
            yield sign.topic, sign.subject, sign.value, line, " ".join(match[0].split())[:80]


def _is_prose(before: str, comments: Sequence[str]) -> bool:
    """Whether what stands before on its line makes the rest a comment."""
    return before.lstrip()[:1] == "*" or any(sign in before for sign in comments)


def _of_symbol(symbol: Symbol, may_have_types: bool) -> Iterator[_Shown]:
    subject, style = _SUBJECTS.get(symbol.kind), style_of(symbol.name)
    if subject and style:
        yield "naming", subject, style, symbol.line, symbol.name
    if symbol.kind in FUNCTIONS and _TEST.match(symbol.name):
        form = "methods of classes" if symbol.kind == "method" else "functions"
        yield "tests", "form", form, symbol.line, symbol.name
    elif symbol.kind in FUNCTIONS and symbol.exported and not symbol.name.startswith("_"):
        yield "docs", "functions", "documented" if symbol.doc else "undocumented", symbol.line, symbol.name
        if symbol.signature and may_have_types:
            yield "types", "functions", "typed" if _is_typed(symbol.signature) else "untyped", symbol.line, symbol.name
    elif symbol.kind in TYPES and symbol.exported:
        yield "docs", "types", "documented" if symbol.doc else "undocumented", symbol.line, symbol.name


def _is_typed(signature: str) -> bool:
    return "->" in signature or ":" in signature


def _of_import(item: Import) -> Iterator[_Shown]:
    if item.kind == "module" or not item.module:
        return
    shown = f"{item.module} {item.name}".strip()
    yield "imports", "places", "relative" if item.module.startswith(".") else "by full name", item.line, shown
    if item.kind in ("import", "require", "dynamic"):
        yield "imports", "statements", "`require`" if item.kind == "require" else "`import`", item.line, shown
    if item.kind == "import" and item.name:
        yield "imports", "names", "everything (`*`)" if item.name == "*" else "names one by one", item.line, shown


def _layout(text: str, words: Iterable[str], lexis: Lexis) -> Iterator[_Shown]:
    head = text[:_LOOKED_AT]
    indents = re.findall(_INDENT, head, re.MULTILINE)
    deep = [one for one in indents if one]
    if deep:
        tabs = sum(one[0] == "\t" for one in deep)
        width = None if tabs * 2 > len(deep) else _width(indents)
        if width is None or width > 1:
            yield "layout", "indentation", "tabs" if width is None else f"{width} blanks", 1, ""
    if len(lexis.strings) > 1:
        yield from _quotes(text, words)
    if lexis.has_optional_ends:
        # Where lines may end without the sign it also stands within lines: in the head of a loop.
        ends, plain = len(re.findall(_END, head, re.MULTILINE)), len(re.findall(_STATEMENT, head, re.MULTILINE))
        if ends or plain:
            yield "layout", "statements", "end in `;`" if ends > plain else "end without `;`", 1, ""


def _quotes(text: str, words: Iterable[str]) -> Iterator[_Shown]:
    lines: dict[str, int] = {}
    for word in words:
        if word[0] in "\"'" and len(word) > 2 and not {"'", '"'}.intersection(word[1:-1]):
            value = "double" if word[0] == '"' else "single"
            if value not in lines:
                lines[value] = text.count("\n", 0, max(0, text.find(word))) + 1
            yield "layout", "quotes", value, lines[value], word[:40]


def _width(indents: Sequence[str]) -> int:
    """By how much a line is mostly deeper than the one before it; 0 where none is."""
    widths = [len(one) for one in indents]
    steps = Counter(after - before for before, after in itertools.pairwise(widths) if before < after)
    # A snippet may begin within a block, and a line that goes on may stand anywhere.
    common = {step: times for step, times in steps.items() if 1 < step <= _WIDEST}
    return max(common, key=lambda step: (common[step], step), default=min(filter(None, widths), default=0))
