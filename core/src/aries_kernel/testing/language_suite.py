"""The contract of a language pack as tests: subclass `LanguageSuite`, name the pack and a small tree that works.

class TestLua(LanguageSuite):
    edges = frozenset({("app.lua", "lib/util.lua")})

    @pytest.fixture
    def pack(self) -> LanguagePack:
        return Lua()

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        return {"app.lua": 'local util = require("lib.util")\\nutil.run()\\n', "lib/util.lua": "..."}
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import pytest
from attrs import field, frozen

from aries_kernel.contracts.language import (
    FileFacts,
    Import,
    LanguagePack,
    Missing,
    OtherLanguage,
    Target,
    TooIntricate,
)
from aries_kernel.contracts.lexis import Lexis

__all__ = ["LanguageSuite", "TreeProject"]

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}\Z")
_SUFFIX = re.compile(r"\.[a-z0-9+]{1,12}\Z")
_SYMBOLS = {
    "class",
    "constant",
    "enum",
    "field",
    "function",
    "interface",
    "macro",
    "member",
    "method",
    "namespace",
    "property",
    "struct",
    "trait",
    "type",
    "variable",
}
_IMPORTS = {"dynamic", "import", "include", "module", "reexport", "require", "type"}
_REFERENCES = {"base", "call", "decorator", "jsx", "new", "type", "use"}
_REASONS = {"asset", "dynamic", "external", "not found"}
_NESTING = (
    b"(" * 1500,
    b"x = " + b"1 + " * 3000 + b"1\n",
    b"[" * 1500 + b"]" * 1500,
    b"{" * 1500,
    b"a" + b".b()" * 1200,
)
_WITHOUT_END = (b"(" * 250_000, b"*" * 250_000, b"case a: " * 12_000, b"`${" * 60_000, b"a<" * 60_000)
"""What costs a parser, or a query, time that grows with the square of it: minutes where nobody stops that."""


@frozen
class TreeProject:
    """A tree in memory, as a resolver sees it."""

    texts: Mapping[str, str]
    facts: Mapping[str, FileFacts] = field(factory=dict)
    """Of the source files: the others are settings."""

    @property
    def files(self) -> Sequence[str]:
        """Sorted."""
        return sorted(self.facts)

    def has(self, path: str) -> bool:
        """Whether it is a source file of the tree."""
        return path in self.facts

    def namespace(self, path: str) -> str:
        """What its facts say."""
        return self.facts[path].namespace

    def imports(self, path: str) -> Sequence[Import]:
        """What its facts say."""
        return self.facts[path].imports

    def language(self, path: str) -> str:
        """What its facts say."""
        return self.facts[path].language

    def text(self, path: str) -> str | None:
        """None where the tree has no such file."""
        return self.texts.get(path)

    def find(self, name: str) -> Sequence[str]:
        """Sorted."""
        return sorted(path for path in self.texts if path.rpartition("/")[2] == name)


class LanguageSuite:
    """What every language pack must keep; see the module for how to use it."""

    edges: ClassVar[frozenset[tuple[str, str]]] = frozenset()
    """Which file of `tree` imports which, all of them."""

    @pytest.fixture
    def pack(self) -> LanguagePack:
        """The pack under test."""
        raise NotImplementedError("override the fixture `pack`")

    @pytest.fixture
    def tree(self) -> dict[str, str]:
        """Paths and texts of a small tree whose files define, import and use something, settings included."""
        raise NotImplementedError("override the fixture `tree`")

    @pytest.fixture
    def project(self, pack: LanguagePack, tree: dict[str, str]) -> TreeProject:
        """The tree, read."""
        facts = {
            path: pack.read(text.encode(), path, is_final=True) for path, text in tree.items() if _is_of(pack, path)
        }
        return TreeProject(tree, facts)

    def test_it_has_a_plain_name_a_family_a_version_and_suffixes(self, pack: LanguagePack) -> None:
        assert _NAME.match(pack.name) and _NAME.match(pack.family)
        assert pack.version
        assert pack.suffixes and all(_SUFFIX.match(one) for one in pack.suffixes)

    def test_a_lexis_names_contexts_that_can_be_parsed(self, pack: LanguagePack) -> None:
        lexis = getattr(pack, "lexis", None)
        assert lexis is None or isinstance(lexis, Lexis)
        for before, after in lexis.contexts if lexis is not None else ():
            assert "\n" not in before, "lines would move"
            facts = pack.read(f"{before}\n{after}\n".encode(), f"a{pack.suffixes[0]}", is_final=True)
            assert facts.error_line == 0, before

    def test_the_tree_has_symbols_imports_and_references(self, project: TreeProject) -> None:
        facts = project.facts.values()
        assert any(one.symbols for one in facts)
        assert any(one.imports for one in facts)
        assert any(one.references for one in facts)

    def test_symbols_lie_in_the_file_and_in_their_parents(self, tree: dict[str, str], project: TreeProject) -> None:
        for path, facts in project.facts.items():
            source = tree[path].encode()
            for place, one in enumerate(facts.symbols):
                assert one.kind in _SYMBOLS
                assert 0 <= one.start < one.end <= len(source)
                assert one.line == source.count(b"\n", 0, one.start) + 1
                assert one.line <= one.end_line <= source.count(b"\n") + 1
                assert one.parent < place
                assert one.qualified.rpartition(".")[2].endswith(one.name.rpartition(".")[2])
                assert "\n" not in one.signature + one.doc

    def test_rows_point_to_rows_of_the_file(self, project: TreeProject) -> None:
        for facts in project.facts.values():
            symbols, imports = range(-1, len(facts.symbols)), range(-1, len(facts.imports))
            for one in facts.references:
                assert one.kind in _REFERENCES
                assert one.symbol in symbols and one.inside in symbols and one.binding in imports
                assert one.root and (one.symbol < 0 or one.binding < 0)
            for export in facts.exports:
                assert export.symbol in symbols and export.binding in imports
                assert (export.symbol < 0) != (export.binding < 0)
            for item in facts.imports:
                assert item.kind in _IMPORTS
                assert item.module or item.kind == "dynamic"

    def test_imports_lead_to_the_files_they_name(self, pack: LanguagePack, project: TreeProject) -> None:
        resolver = pack.resolver(project)
        found: set[tuple[str, str]] = set()
        for path, facts in project.facts.items():
            for item in facts.imports:
                target = resolver.resolve(path, item)
                if isinstance(target, Missing):
                    assert target.reason in _REASONS
                    continue
                assert isinstance(target, Target) and target.files
                assert all(project.has(file) for file in target.files)
                found.update((path, file) for file in target.files if file != path)
        assert found == self.edges

    def test_neighbours_of_a_file_are_files_of_the_tree(self, pack: LanguagePack, project: TreeProject) -> None:
        resolver = pack.resolver(project)
        for path in project.files:
            assert all(project.has(one) for one in (*resolver.ambient(path), *resolver.definitions(path)))
            assert resolver.member(path, "no_such_name") is None

    def test_reading_twice_gives_the_same_and_it_can_be_sent_to_another_process(
        self, pack: LanguagePack, tree: dict[str, str], project: TreeProject
    ) -> None:
        for path, facts in project.facts.items():
            assert pack.read(tree[path].encode(), path, is_final=True) == facts
            assert pickle.loads(pickle.dumps(facts)) == facts

    def test_only_the_suffix_of_the_path_matters_or_its_name_where_the_pack_says_so(
        self, pack: LanguagePack, tree: dict[str, str], project: TreeProject
    ) -> None:
        for path, facts in project.facts.items():
            is_named = getattr(pack, "reads_names", False)
            other = f"elsewhere/{path.rpartition('/')[2] if is_named else 'other.' + path.rpartition('.')[2]}"
            assert pack.read(tree[path].encode(), other, is_final=True) == facts

    def test_a_broken_file_gives_what_could_be_read(self, pack: LanguagePack, tree: dict[str, str]) -> None:
        for path, text in tree.items():
            source = text.encode()
            if not _is_of(pack, path):
                continue
            for part in range(8):
                place = len(source) * part // 8
                _check(pack, source[:place], path)
                _check(pack, source[place:], path)
                _check(pack, source[:place] + b"\x00\xff}{)(" + source[place:], path)

    def test_depth_costs_no_error(self, pack: LanguagePack) -> None:
        for source in _NESTING:
            _check(pack, source, f"deep{pack.suffixes[0]}")

    def test_a_text_that_would_take_minutes_is_read_at_once_or_refused(self, pack: LanguagePack) -> None:
        for source in _WITHOUT_END:
            try:
                _check(pack, source, f"endless{pack.suffixes[0]}")
            except TooIntricate as error:
                assert str(error)

    def test_an_empty_file_has_nothing(self, pack: LanguagePack) -> None:
        facts = pack.read(b"", f"empty{pack.suffixes[0]}", is_final=True)
        assert (facts.symbols, facts.imports, facts.exports, facts.references) == ((), (), (), ())


def _is_of(pack: LanguagePack, path: str) -> bool:
    return path.lower().endswith(pack.suffixes)


def _check(pack: LanguagePack, source: bytes, path: str) -> None:
    try:
        facts = pack.read(source, path)
    except OtherLanguage as other:
        assert other.suffix
        facts = pack.read(source, path, is_final=True)
    for one in facts.symbols:
        assert 0 <= one.start <= one.end <= len(source)
