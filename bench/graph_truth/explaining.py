"""Why our lists differ from those of another tool: each difference gets a reason that its lines show; 50 are kept."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from folder import Folder

from aries_kernel.contracts import Symbol

SAMPLE = 50
_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(")


Why = Callable[[str, tuple[str, ...]], str]


class Difference(NamedTuple):
    """Something that one side has and the other has not."""

    side: str
    """`ours` or `theirs`."""
    path: str
    name: str
    line: int
    why: str


class Tag(NamedTuple):
    """What universal-ctags says."""

    name: str
    kind: str
    line: int


def told(differences: Iterable[Difference]) -> dict[str, Any]:
    """Counts by reason, and a sample."""
    found = sorted(differences)
    chosen = sorted(random.Random(5).sample(found, min(SAMPLE, len(found))))
    counts = Counter(f"{one.side}: {one.why}" for one in found)
    return {"reasons": dict(sorted(counts.items())), "sample": [list(one) for one in chosen]}


def pairs(ours: Iterable[tuple[str, ...]], theirs: Iterable[tuple[str, ...]], why: Why) -> dict[str, Any]:
    """Pairs of a file and what it leads to. `why`: the reason of a side and a pair."""
    mine, other = set(ours), set(theirs)
    found = [("ours", one) for one in mine - other] + [("theirs", one) for one in other - mine]
    return told(
        Difference(side, one[0], one[-1], int(one[1]) if len(one) > 2 else 0, why(side, one)) for side, one in found
    )


def names(
    root: Path, project: Folder, files: Iterable[str], tags: dict[str, list[Tag]], plain: Callable[[str], str] = str
) -> dict[str, Any]:
    """Names of definitions beside those of ctags, both as `plain` writes them."""
    return told(_names(root, project, files, tags, plain))


def _names(
    root: Path, project: Folder, files: Iterable[str], tags: dict[str, list[Tag]], plain: Callable[[str], str]
) -> Iterator[Difference]:
    for path in files:
        facts, lines = project.facts[path], _lines(root / path)
        ours = {plain(one.name) for one in facts.symbols}
        theirs = {plain(one.name) for one in tags.get(path, ())}
        seen: set[str] = set()
        for symbol in facts.symbols:
            name = plain(symbol.name)
            if name not in theirs and name not in seen:
                seen.add(name)
                yield Difference("ours", path, name, symbol.line, _of_ours(symbol, facts.symbols, lines))
        for tag in tags.get(path, ()):
            name = plain(tag.name)
            if name not in ours and name not in seen:
                seen.add(name)
                yield Difference("theirs", path, name, tag.line, _of_theirs(tag, lines, facts.symbols))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _of_ours(symbol: Symbol, symbols: tuple[Symbol, ...], lines: list[str]) -> str:
    first, last = lines[symbol.line - 1], lines[symbol.end_line - 1]
    before = lines[symbol.line - 2] if symbol.line > 1 else ""
    if symbol.kind == "macro" and re.search(rf"#\s*if.*\b{re.escape(symbol.name)}\b", before):
        return "defined where it is not yet: left out of the other list as if it were a guard"
    if re.match(r"\s*(?:[A-Z_]+\s+)?extern\b", first):
        return "a declaration without a value, which ctags leaves out"
    if symbol.kind in ("variable", "constant") and symbol.parent < 0 and re.match(r"[ \t]", first):
        return "stands in a block that ctags does not look into, or that conditions tear out of its function"
    parent = symbols[symbol.parent] if symbol.parent >= 0 else None
    is_macro = symbol.kind in ("function", "method", "member", "macro", "variable")
    if symbol.kind in ("function", "method") and last.rstrip().endswith(";") and "{" not in symbol.signature:
        return "a declaration without a body, which ctags leaves out"
    if is_macro and _CALL.match(first) and not re.search(rf"[\w*&>]\s+[*&]*{re.escape(symbol.name)}\s*\(", first):
        return "made by a macro whose call stands where a definition would"
    if parent is not None and parent.kind in ("function", "method"):
        return f"a {symbol.kind} within a function"
    if parent is not None and any(one.kind in ("function", "method") for one in _around(parent, symbols)):
        return f"a {symbol.kind} of a type within a function"
    if symbol.kind in ("field", "member", "method"):
        return (
            f"a {symbol.kind}: of an unnamed type, of several in one declaration, or of a form that ctags does not read"
        )
    return f"a {symbol.kind} of a kind or a form that ctags does not list"


def _of_theirs(tag: Tag, lines: list[str], symbols: tuple[Symbol, ...]) -> str:
    line = lines[tag.line - 1] if tag.line <= len(lines) else ""
    code = line.strip()
    around = [one for one in symbols if one.line <= tag.line <= one.end_line]
    if code.startswith(("//", "/*", "*", "#", "@")) and tag.kind not in ("macro", "define"):
        return "words of a comment, a directive or an annotation"
    if not re.search(rf"(?<!\w){re.escape(tag.name.removeprefix('operator').strip())}(?!\w)", line):
        return "not written on the line that ctags names"
    if code.startswith("#") and re.search(r"#\s*undef", line):
        return "taken back there, not defined"
    if re.search(rf"\b{re.escape(tag.name)}\s*\(", line) and tag.name.isupper():
        return "a macro that is called: ours is the name that it is given, or nothing"
    if tag.kind in ("typedef", "alias", "type", "talias") and any(one.kind in ("function", "method") for one in around):
        return "a type within a function, which nothing outside can name"
    if tag.kind in ("typedef", "alias", "talias", "struct", "enum", "union", "class", "macro", "member", "function",
                    "method", "variable", "enumerator", "prototype", "externvar"):  # fmt: skip
        return f"a {tag.kind}: its head is broken up by macros or conditions, so that the grammar reads it otherwise"
    return f"a {tag.kind} that is none: a type, a result or a parameter in a head that ctags misreads"


def _around(symbol: Symbol, symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    while True:
        yield symbol
        if symbol.parent < 0:
            return
        symbol = symbols[symbol.parent]
