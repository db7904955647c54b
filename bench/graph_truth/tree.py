"""A folder as packs and resolvers of the ecmascript family see it, without the body."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from aries_kernel.contracts.language import FileFacts, Import, LanguagePack, Missing, Resolver
from aries_language_javascript.pack import JavaScript
from aries_language_typescript.pack import TypeScript

__all__ = ["Tree", "read_all", "resolve_all", "source"]

PACKS: dict[str, LanguagePack] = {
    suffix: pack for pack in (JavaScript(), TypeScript()) for suffix in type(pack).suffixes
}


class Tree:
    """The files below a folder; links, `node_modules` and `.git` are left out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._all: list[str] = []
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in ("node_modules", ".git"))
            for path in (Path(folder) / name for name in sorted(names)):
                if not path.is_symlink():
                    self._all.append(path.relative_to(root).as_posix())
        self._known = {path for path in self._all if self.pack(path) is not None}

    @cached_property
    def files(self) -> Sequence[str]:
        return sorted(self._known)

    def pack(self, path: str) -> LanguagePack | None:
        return PACKS.get(Path(path).suffix.lower())

    def has(self, path: str) -> bool:
        return path in self._known

    def text(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def find(self, name: str) -> Sequence[str]:
        return [path for path in self._all if path.rpartition("/")[2] == name]

    def namespace(self, path: str) -> str:
        return ""

    def language(self, path: str) -> str:
        return ""

    def imports(self, path: str) -> Sequence[Import]:
        return ()


def source(path: Path) -> bytes:
    """As the host hands it out: without a byte order mark, lines ended by a line feed."""
    return path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def read_all(tree: Tree) -> dict[str, FileFacts]:
    """The facts of every file that is text."""
    facts = {}
    for path in tree.files:
        text, pack = source(tree.root / path), tree.pack(path)
        if b"\0" not in text and pack is not None:
            facts[path] = pack.read(text, path)
    return facts


def resolve_all(tree: Tree, facts: dict[str, FileFacts]) -> Iterator[tuple[str, Import, Sequence[str] | str]]:
    """Every import with its files, or the reason why there are none."""
    resolvers: dict[str, Resolver] = {}
    for path, one in facts.items():
        pack = tree.pack(path)
        if pack is None:
            continue
        if pack.name not in resolvers:
            resolvers[pack.name] = pack.resolver(tree)
        resolver = resolvers[pack.name]
        for item in one.imports:
            found = resolver.resolve(path, item)
            yield path, item, found.reason if isinstance(found, Missing) else found.files
