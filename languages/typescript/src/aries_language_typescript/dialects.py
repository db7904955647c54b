"""The dialects of typed files: with JSX and without."""

from __future__ import annotations

from aries_language_javascript.dialect import Dialect
from aries_language_javascript.mending import mended_types
from aries_language_typescript.definitions import HANDLERS

__all__ = ["JSX", "PLAIN"]

PLAIN = Dialect(
    language="typescript",
    package="tree_sitter_typescript",
    function="language_typescript",
    queries=(("aries_language_typescript", "typescript.scm"),),
    handlers=HANDLERS,
    mend=mended_types,
)
JSX = Dialect(
    language="typescript",
    package="tree_sitter_typescript",
    function="language_tsx",
    queries=(("aries_language_typescript", "typescript.scm"), ("aries_language_typescript", "jsx.scm")),
    handlers=HANDLERS,
    mend=mended_types,
)
