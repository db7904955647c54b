"""The driver `typescript`: TypeScript with and without JSX, and declaration files."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from aries_language_javascript.places import is_test
from aries_language_typescript.dialects import JSX, PLAIN
from aries_language_typescript.lexis import LEXIS

if TYPE_CHECKING:
    from aries_kernel.contracts import Lexis
    from aries_kernel.contracts.language import FileFacts, Project, Resolver

__all__ = ["TypeScript"]


class TypeScript:
    """Reads `.ts`, `.tsx`, `.mts` and `.cts`."""

    name: ClassVar[str] = "typescript"
    family: ClassVar[str] = "ecmascript"
    rules: ClassVar[str] = "ecmascript"
    suffixes: ClassVar[tuple[str, ...]] = (".ts", ".tsx", ".mts", ".cts")
    version: ClassVar[str] = "7"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """None: the language has no such declaration, its files are UTF-8."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """Raises: UserError where the grammar cannot be loaded."""
        from aries_language_javascript.reader import read

        return read(source, JSX if path.lower().endswith(".tsx") else PLAIN)

    def resolver(self, project: Project) -> Resolver:
        """By the rules of the compiler, of Node, and of the `tsconfig.json` that the file belongs to."""
        from aries_language_javascript.resolver import EcmaScriptResolver

        return EcmaScriptResolver(project)

    def is_test(self, path: str) -> bool:
        """Whether the test runners of the language take it for a test by its name or its folder."""
        return is_test(path)
