"""What a language pack says, in rows that a test compares whole."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from aries_kernel.contracts.language import FileFacts, LanguagePack, Missing
from aries_kernel.testing.language_suite import TreeProject

__all__ = ["LanguageView"]


@frozen
class LanguageView:
    """A pack, and the name that a source has when a test gives only its text."""

    pack: LanguagePack
    path: str

    def read(self, source: str) -> FileFacts:
        """The facts of a text."""
        return self.pack.read(source.encode(), self.path)

    def symbols(self, source: str) -> list[tuple[str, str, int, int]]:
        """Kind, full name, first and last line of each definition."""
        return [(one.kind, one.qualified, one.line, one.end_line) for one in self.read(source).symbols]

    def uses(self, source: str) -> list[tuple[int, str, str, str]]:
        """Line, kind, what the root means and the path: a full name, `module:name`, or an open name with `?`."""
        facts = self.read(source)
        rows = []
        for one in facts.references:
            if one.symbol >= 0:
                meaning = facts.symbols[one.symbol].qualified
            elif one.binding >= 0:
                meaning = f"{facts.imports[one.binding].module}:{facts.imports[one.binding].name}"
            else:
                meaning = one.root + "?"
            rows.append((one.line, one.kind, meaning, one.path))
        return rows

    def tree(self, texts: Mapping[str, str]) -> TreeProject:
        """A tree whose sources have been read."""
        sources = {path: text.encode() for path, text in texts.items() if path.endswith(self.pack.suffixes)}
        return TreeProject(texts, {path: self.pack.read(text, path, is_final=True) for path, text in sources.items()})

    def leads(self, texts: Mapping[str, str], path: str) -> dict[str, str]:
        """By each import of a file as it is written: the files it leads to, or the reason why it leads to none."""
        made = self.tree(texts)
        resolver = self.pack.resolver(made)
        found = {}
        for item in made.imports(path):
            target = resolver.resolve(path, item)
            written = f"{item.module}:{item.name}" if item.name not in ("", "*") else item.module or item.text
            found[written] = target.reason if isinstance(target, Missing) else " ".join(target.files)
        return found
