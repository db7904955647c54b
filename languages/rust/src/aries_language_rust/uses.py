"""`use`, `mod` and `extern crate` of a Rust file, as rows of names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["UseRow", "use_rows"]

_TOKEN = re.compile(r"::|[{},;*]|\bas\b|(?:r#)?\w+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_MOST_TOKENS = 20_000


class UseRow(NamedTuple):
    """One name of a use tree."""

    path: tuple[str, ...]
    """What it names; `*` at its end for everything."""
    local: str
    """Empty where nothing is bound: `as _`, `*`."""


def use_rows(tree: str) -> Iterator[UseRow]:
    """Each name of a tree: `a::{b as c, d::*}` has two."""
    path: list[str] = []
    depths: list[int] = []
    is_alias, local = False, None
    for token in [*_TOKEN.findall(_COMMENT.sub(" ", tree))[:_MOST_TOKENS], ";"]:
        if token == "{":
            depths.append(len(path))
        elif token in ",};":
            base = depths[-1] if depths else 0
            if len(path) > base:
                yield _row(tuple(path), local)
            if token == "}" and depths:
                depths.pop()
                # What was around the braces has been told by them.
                base = depths[-1] if depths else 0
            del path[base:]
            is_alias, local = False, None
        elif token == "as":
            is_alias = True
        elif is_alias:
            local = "" if token == "_" else token
        elif token != "::":
            path.append(token.removeprefix("r#"))


def _row(path: tuple[str, ...], local: str | None) -> UseRow:
    if path[-1] == "self" and len(path) > 1:
        path = path[:-1]
    if local is None:
        local = "" if path[-1] == "*" else path[-1]
    return UseRow(path, local)
