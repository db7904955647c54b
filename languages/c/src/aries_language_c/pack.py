"""The language pack of C."""

from __future__ import annotations

import re
from typing import ClassVar

from aries_kernel.contracts import FileFacts, Lexis, OtherLanguage, Project, Resolver
from aries_language_c.lexis import LEXIS

__all__ = ["C"]

_TEST = re.compile(r"(?:^|/)(?:tests?|unittests?|testing)/|(?:^|/)test[-_][^/]*$|[-_]tests?\.[^./]+$", re.IGNORECASE)
_COMMENTS = re.compile(rb"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_FOR_CPLUSPLUS = re.compile(
    rb"^[ \t]*#[ \t]*(?:ifdef[ \t]+__cplusplus|if[ \t]+defined[ \t(]*__cplusplus).*?^[ \t]*#[ \t]*(?:else|elif|endif)",
    re.DOTALL | re.MULTILINE,
)
_CPLUSPLUS = re.compile(
    rb"^[ \t]*(?:class[ \t]+\w[^;(\n]*(?:\{|$)|(?:inline[ \t]+)?namespace\b[^;=\n]*(?:\{|$)|template[ \t]*<"
    rb"|using[ \t]+(?:namespace\b|\w+(?:::\w+|[ \t]*=))|(?:public|private|protected)[ \t]*:"
    rb"|#[ \t]*include[ \t]*<[a-z_]+>|static_assert[ \t]*\(|\w[\w \t*&<>]*\b\w+::~?\w+[ \t]*\()",
    re.MULTILINE,
)


class C:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "c"
    family: ClassVar[str] = "c"
    rules: ClassVar[str] = "include"
    suffixes: ClassVar[tuple[str, ...]] = (".c", ".h")
    version: ClassVar[str] = "8"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """The compiler is told, not the file."""
        return None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: OtherLanguage for a header of C++; UserError where the grammar is missing."""
        from aries_language_c.dialect import C_DIALECT
        from aries_language_c.reading import read

        if not is_final and path.lower().endswith(".h") and is_cplusplus(source):
            raise OtherLanguage("cpp")
        return read(source, path, C_DIALECT)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree."""
        from aries_language_c.resolving import IncludeResolver

        return IncludeResolver(project)

    def is_test(self, path: str) -> bool:
        """By the folders and names that are usual."""
        return _TEST.search(path) is not None


def is_cplusplus(source: bytes) -> bool:
    """Whether a header is for C++ alone. What it has for C++ beside C, under `#ifdef __cplusplus`, does not count."""
    bare = _FOR_CPLUSPLUS.sub(b"", _COMMENTS.sub(b"", source))
    return _CPLUSPLUS.search(bare) is not None
