"""A dialect: its grammar, and the query that asks a file everything at once."""

from __future__ import annotations

import importlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Language, Node, Query

    from aries_language_javascript.file import File

__all__ = ["Dialect"]


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

    def load(self) -> tuple[Language, Query]:
        """Raises: UserError where the grammar is missing or does not fit."""
        return _load(self.package, self.function, self.queries)


@cache
def _load(package: str, function: str, queries: tuple[tuple[str, str], ...]) -> tuple[Language, Query]:
    text = "\n".join(resources.files(where).joinpath(name).read_text(encoding="utf-8") for where, name in queries)
    try:
        from tree_sitter import Language, Query

        language = Language(getattr(importlib.import_module(package), function)())
        return language, Query(language, text)
    except (ImportError, AttributeError, ValueError) as error:
        name = package.replace("_", "-")
        raise UserError(
            f"the grammar {name} cannot be loaded ({error}); install it again: pip install {name}"
        ) from error
