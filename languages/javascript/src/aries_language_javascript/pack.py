"""The driver `javascript`: JavaScript with and without JSX, as modules and as CommonJS."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from aries_language_javascript.dialects import SCRIPT
from aries_language_javascript.lexis import LEXIS
from aries_language_javascript.places import is_test

if TYPE_CHECKING:
    from aries_kernel.contracts import Lexis
    from aries_kernel.contracts.language import FileFacts, Project, Resolver

__all__ = ["JavaScript"]


class JavaScript:
    """Reads `.js`, `.jsx`, `.mjs` and `.cjs`."""

    name: ClassVar[str] = "javascript"
    family: ClassVar[str] = "ecmascript"
    rules: ClassVar[str] = "ecmascript"
    suffixes: ClassVar[tuple[str, ...]] = (".js", ".jsx", ".mjs", ".cjs")
    version: ClassVar[str] = "7"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """None: the language has no such declaration, its files are UTF-8."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """Raises: UserError where the grammar cannot be loaded."""
        from aries_language_javascript.reader import read

        return read(source, SCRIPT)

    def resolver(self, project: Project) -> Resolver:
        """By the rules of Node, of bundlers, and of a `jsconfig.json` or `tsconfig.json` above the file."""
        from aries_language_javascript.resolver import EcmaScriptResolver

        return EcmaScriptResolver(project)

    def is_test(self, path: str) -> bool:
        """Whether the test runners of the language take it for a test by its name or its folder."""
        return is_test(path)
