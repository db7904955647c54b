"""The language pack of Go."""

from __future__ import annotations

from typing import ClassVar

from aries_kernel.contracts import FileFacts, Lexis, Project, Resolver
from aries_language_go.lexis import LEXIS

__all__ = ["Go"]


class Go:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "go"
    family: ClassVar[str] = "go"
    suffixes: ClassVar[tuple[str, ...]] = (".go",)
    version: ClassVar[str] = "1"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """Go is UTF-8 by its specification."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: UserError where the grammar cannot be loaded."""
        from aries_language_go.reading import read

        return read(source)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree."""
        from aries_language_go.resolving import GoResolver

        return GoResolver(project)

    def is_test(self, path: str) -> bool:
        """As `go test` finds them, and the data that they read."""
        return path.endswith("_test.go") or "testdata" in path.split("/")[:-1]
