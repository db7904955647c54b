"""Where the frontmatter of a note stands."""

from __future__ import annotations

import re

from attrs import frozen

from ori_memory.notes.lines import flatten

__all__ = ["Block", "body_start", "find_block"]

_OPEN = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*(?:\n|\Z)")
_CLOSE = {
    "---": re.compile(r"^---[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
_FIRST_ENTRY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*(.*)")
_KEY = re.compile(
    r"""(?:"(?:[^"\\\n]|\\.)*"[ \t]*|'[^'\n]*+'[ \t]*|(?:[^\s#\-\[\]{},&*!|>%@`"':?]|[-?][^\s:])[^:\n]*+):(?!//)"""
    r"""|\{|\?[ ]"""
)
_TOML_ENTRY = re.compile(r"""(?:[\w."'-]+[ \t]*)=|\[""")


@frozen
class Block:
    """The frontmatter's place in a text, in characters."""

    kind: str
    """`yaml` or `toml`."""
    start: int
    """Where the first `---` stands: 1 after a byte order mark, else 0."""
    inner_start: int
    inner_end: int
    end: int
    """After the line end of the closing `---`: the body's start."""
    problem: str = ""
    """Why it cannot be read as frontmatter; the text counts as body then."""

    @property
    def is_readable(self) -> bool:
        return not self.problem


def find_block(text: str) -> Block | None:
    """The frontmatter's place; None: the text does not begin with `---` (or `+++`)."""
    if not text.startswith(("---", "+++", "\ufeff---", "\ufeff+++")):
        return None
    text = flatten(text)
    opening = _OPEN.match(text)
    if opening is None:
        return None
    mark = opening.group(1)
    kind = "yaml" if mark == "---" else "toml"
    closing = _CLOSE[mark].search(text, opening.end())
    if closing is None:
        problem = f"line 1: `{mark}` opens frontmatter that no later line `{mark}` closes"
        return Block(kind, opening.start(1), opening.end(), len(text), len(text), problem)
    end = min(closing.end() + 1, len(text))
    inner = text[opening.end() : closing.start()]
    return Block(kind, opening.start(1), opening.end(), closing.start(), end, _mapping_problem(inner, kind))


def body_start(text: str) -> int:
    """Where the body begins; 0 where there is no frontmatter that can be read."""
    block = find_block(text)
    return block.end if block is not None and block.is_readable else 0


def _mapping_problem(inner: str, kind: str) -> str:
    first = _FIRST_ENTRY.match(inner)
    entry = first.group(1) if first else ""
    pattern = _KEY if kind == "yaml" else _TOML_ENTRY
    if not entry or pattern.match(entry) is not None:
        return ""
    line = 2 + inner.count("\n", 0, first.start(1) if first else 0)
    wanted = "key: value" if kind == "yaml" else "key = value"
    return f"line {line}: what follows the opening line is not `{wanted}`, so it is not frontmatter"
