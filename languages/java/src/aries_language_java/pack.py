"""The language pack of Java."""

from __future__ import annotations

import re
from typing import ClassVar

from aries_kernel.contracts import FileFacts, Lexis, Project, Resolver
from aries_language_java.lexis import LEXIS

__all__ = ["Java"]

_TEST = re.compile(r"(?:^|/)(?:src/)?tests?/|(?:^|/)Test\w*\.java$|(?:Tests?|TestCase|IT)\.java$")


class Java:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "java"
    family: ClassVar[str] = "java"
    suffixes: ClassVar[tuple[str, ...]] = (".java",)
    version: ClassVar[str] = "6"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """The build says it, not the file."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: UserError where the grammar cannot be loaded."""
        from aries_language_java.reading import read

        return read(source)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree."""
        from aries_language_java.resolving import JavaResolver

        return JavaResolver(project)

    def is_test(self, path: str) -> bool:
        """As Maven and Gradle find them."""
        return _TEST.search(path) is not None
