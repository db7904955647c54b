"""A dialect: its grammar, and the query that asks a file everything at once."""

from __future__ import annotations

import importlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import UserError
from aries_language_syntax.parsing import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Language, Node, Parser, QueryCursor

    from aries_language_javascript.file import File

__all__ = ["Dialect", "Grammar"]

_HERE = "aries_language_javascript"
_DEEPEST = 20_000
"""Nodes below this depth are not looked at: a cursor counts depth in 16 bits, and takes for ever beyond them."""


@frozen(eq=False)
class Dialect:
    """One grammar with its query. The grammar is loaded when the first file is read."""

    language: str
    """What the facts call it: `javascript`, `typescript`."""
    package: str
    """The module that holds the compiled grammar."""
    function: str
    """The function of that module which gives the grammar."""
    queries: tuple[tuple[str, str], ...]
    """Packages and the files in them whose text, one after another, is the query."""
    handlers: Mapping[str, Callable[[File, Node], None]]
    """Kinds of nodes, and who takes a definition of that kind apart."""
    mend: Callable[[bytes], bytes]
    """Gives a text of the same length, for what is right and the grammar does not take."""

    def load(self) -> Grammar:
        """Raises: UserError where the grammar is missing or does not fit."""
        return _load(self.package, self.function, self.queries)


@frozen(eq=False)
class Grammar:
    """What is compiled of a dialect."""

    parser: Parser
    everything: QueryCursor
    objects: QueryCursor
    errors: QueryCursor

    def parse(self, source: bytes) -> Node:
        """The root of the tree. Raises: TooIntricate."""
        return parsed(self.parser, source)

    def parse_mended(self, source: bytes, mend: Callable[[bytes], bytes]) -> Node:
        """As `parse`; where that finds errors, of the mended text, if it has fewer."""
        root = self.parse(source)
        if root.has_error:
            mended = mend(source)
            if mended != source:
                again = self.parse(mended)
                if not again.has_error or self._broken(again) < self._broken(root):
                    return again
        return root

    def _broken(self, root: Node) -> int:
        """How much of a text, in bytes, stands in errors. One that is missing counts as one."""
        return sum(max(node.end_byte - node.start_byte, 1) for node in self.errors.captures(root).get("error", []))


@cache
def _load(package: str, function: str, queries: tuple[tuple[str, str], ...]) -> Grammar:
    try:
        from tree_sitter import Language, Parser

        language = Language(getattr(importlib.import_module(package), function)())
        return Grammar(
            Parser(language),
            _cursor(language, "\n".join(_text(where, name) for where, name in queries)),
            _cursor(language, _text(_HERE, "objects.scm")),
            _cursor(language, _text(_HERE, "errors.scm")),
        )
    except (ImportError, AttributeError, ValueError) as error:
        name = package.replace("_", "-")
        raise UserError(
            f"the grammar {name} cannot be loaded ({error}); install it again: pip install {name}"
        ) from error


def _cursor(language: Language, query: str) -> QueryCursor:
    from tree_sitter import Query, QueryCursor

    cursor = QueryCursor(Query(language, query))
    cursor.set_max_start_depth(_DEEPEST)
    return cursor


def _text(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")
