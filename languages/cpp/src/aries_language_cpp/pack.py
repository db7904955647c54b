"""The language pack of C++, on top of that of C."""

from __future__ import annotations

from typing import ClassVar

from aries_kernel.contracts import FileFacts, Lexis, Project, Resolver
from aries_language_c.pack import C
from aries_language_cpp.lexis import LEXIS

__all__ = ["Cpp"]

_KEYWORDS = (
    b"static_cast dynamic_cast reinterpret_cast const_cast typeid noexcept alignof decltype std nullptr override final"
)


class Cpp:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "cpp"
    family: ClassVar[str] = "c"
    rules: ClassVar[str] = "include"
    suffixes: ClassVar[tuple[str, ...]] = (
        ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".txx", ".cppm", ".ixx",
    )  # fmt: skip
    version: ClassVar[str] = "8"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """The compiler is told, not the file."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: UserError where the grammar cannot be loaded."""
        from aries_language_c.dialect import C_DIALECT, Dialect
        from aries_language_c.reading import read
        from aries_language_cpp.definitions import ClassDefinitions

        never = C_DIALECT.never.union(_KEYWORDS.split())
        opens, shared = frozenset({"namespace", "class", "struct", "enum"}), frozenset({"namespace"})
        dialect = Dialect("cpp", "C++", "tree_sitter_cpp", "aries_language_cpp", never, opens, shared, b"::")
        return read(source, path, dialect, ClassDefinitions)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree; includes are those of C."""
        return C().resolver(project)

    def is_test(self, path: str) -> bool:
        """By the folders and names that are usual."""
        return C().is_test(path)
