"""The language pack of Rust."""

from __future__ import annotations

from typing import ClassVar

from aries_kernel.contracts import FileFacts, Lexis, Project, Resolver
from aries_language_rust.lexis import LEXIS

__all__ = ["Rust"]

_TEST_FILES = ("tests.rs", "test.rs")


class Rust:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "rust"
    family: ClassVar[str] = "rust"
    suffixes: ClassVar[tuple[str, ...]] = (".rs",)
    version: ClassVar[str] = "5"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """Rust is UTF-8 by its reference."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: UserError where the grammar cannot be loaded."""
        from aries_language_rust.reading import read

        return read(source)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree."""
        from aries_language_rust.resolving import RustResolver

        return RustResolver(project)

    def is_test(self, path: str) -> bool:
        """As cargo finds them, and modules that hold the tests of their parent."""
        *folders, name = path.split("/")
        return name in _TEST_FILES or name.endswith(("_test.rs", "_tests.rs")) or "tests" in folders
