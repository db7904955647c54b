"""The language pack of Python."""

from __future__ import annotations

import functools
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from aries_kernel.contracts import FileFacts, Lexis, Project, Resolver
from aries_kernel.errors import UserError
from aries_language_python.lexis import LEXIS

if TYPE_CHECKING:
    from aries_language_python.reading import Reader

__all__ = ["Python"]

_CODING = re.compile(rb"\A(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_BLANK_LINE = re.compile(rb"[ \t\f]*(?:#[^\n]*)?(?:\n|\Z)")
_TEST_FOLDERS = {"test", "tests"}


class Python:
    """See the contract `LanguagePack`."""

    name: ClassVar[str] = "python"
    family: ClassVar[str] = "python"
    suffixes: ClassVar[tuple[str, ...]] = (".py", ".pyi", ".pyw")
    version: ClassVar[str] = "5"
    lexis: ClassVar[Lexis] = LEXIS

    def encoding(self, head: bytes) -> str | None:
        """What a coding line among the first two lines names."""
        found = _CODING.match(head)
        if found is None or (found.start(1) > head.find(b"\n") >= 0 and not _BLANK_LINE.match(head)):
            return None
        return found[1].decode("ascii", "replace")

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        """What the file says. Raises: UserError where the grammar cannot be loaded."""
        return _reader().read(source)

    def resolver(self, project: Project) -> Resolver:
        """For this state of the tree."""
        from aries_language_python.resolving import PythonResolver

        return PythonResolver(project)

    def is_test(self, path: str) -> bool:
        """As pytest and unittest find them, and all that lies in a folder of tests."""
        place = PurePosixPath(path)
        named = place.name.startswith("test_") or place.stem.endswith("_test") or place.name == "conftest.py"
        return named or not _TEST_FOLDERS.isdisjoint(place.parts[:-1])


@functools.cache
def _reader() -> Reader:
    try:
        from aries_language_python.reading import Reader

        return Reader()
    except ImportError as error:
        raise UserError(
            f"Python files cannot be read: {error}. Install the grammar: pip install tree-sitter tree-sitter-python"
        ) from error
