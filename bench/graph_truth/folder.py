"""A folder on disk as language packs see a project, and what a pack reads there."""

from __future__ import annotations

import importlib
import time
from pathlib import Path

from aries_kernel.contracts import FileFacts, Import, LanguagePack, OtherLanguage, Target

CLASSES = {"go": "Go", "rust": "Rust", "java": "Java", "c": "C", "cpp": "Cpp", "python": "Python"}


def pack(language: str) -> LanguagePack:
    """The pack of a language."""
    module = importlib.import_module(f"aries_language_{language}.pack")
    made: LanguagePack = getattr(module, CLASSES[language])()
    return made


class Folder:
    """All files of some packs below a folder, read once."""

    def __init__(self, root: Path, packs: list[LanguagePack]) -> None:
        self.root = root
        self._all = sorted(
            path.relative_to(root).as_posix()
            for path in root.rglob("*")
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts
        )
        by_suffix = {suffix: one for one in packs for suffix in one.suffixes}
        self.facts: dict[str, FileFacts] = {}
        self.packs: dict[str, LanguagePack] = {}
        self.bytes, self.seconds = 0, 0.0
        for path in self._all:
            owner = by_suffix.get("." + path.rpartition(".")[2].lower())
            if owner is None:
                continue
            source = _source(root / path)
            self.bytes += len(source)
            began = time.process_time()
            try:
                self.facts[path] = owner.read(source, path)
            except OtherLanguage as other:
                owner = by_suffix.get("." + other.suffix, owner)
                self.facts[path] = owner.read(source, path, is_final=True)
            self.seconds += time.process_time() - began
            self.packs[path] = owner
        self.files = sorted(self.facts)

    def has(self, path: str) -> bool:
        return path in self.facts

    def namespace(self, path: str) -> str:
        return self.facts[path].namespace

    def imports(self, path: str) -> tuple[Import, ...]:
        return self.facts[path].imports

    def language(self, path: str) -> str:
        return self.facts[path].language

    def text(self, path: str) -> str | None:
        try:
            return (self.root / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def find(self, name: str) -> list[str]:
        return [path for path in self._all if path.rpartition("/")[2] == name]

    def import_edges(self) -> set[tuple[str, str]]:
        """Which file each import of each file leads to."""
        resolvers = {name: one.resolver(self) for name, one in {p.name: p for p in self.packs.values()}.items()}
        edges = set()
        for path, facts in self.facts.items():
            for item in facts.imports:
                found = resolvers[self.packs[path].name].resolve(path, item)
                if isinstance(found, Target):
                    edges |= {(path, other) for other in found.files if other != path}
        return edges


def _source(path: Path) -> bytes:
    text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").encode()
