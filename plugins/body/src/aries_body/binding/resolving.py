"""The resolvers of language packs, one a family and state of the tree, and what their answers rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

from attrs import define, field

from aries_body.binding.interface import Resolved, resolved
from aries_body.index.packs import Packs
from aries_body.tree.listing import Signature
from aries_kernel.contracts import Import, Missing, Resolver, Target
from aries_kernel.discovery.report import described_error

__all__ = ["Asked", "Resolving", "Tree", "kept", "restored"]

_MOST_LINKS = 40
"""One after another, as systems have it: a link to a folder above itself would go on for ever."""


class Tree(Protocol):
    """The state of the project that resolvers see."""

    @property
    def sources(self) -> Sequence[str]: ...
    @property
    def links(self) -> Mapping[str, str]: ...
    def is_source(self, path: str) -> bool: ...
    def namespace(self, path: str) -> str: ...
    def language(self, path: str) -> str: ...
    def imports(self, path: str) -> Sequence[Import]: ...
    def settings_text(self, path: str) -> str | None: ...
    def settings_signature(self, path: str) -> Signature | None: ...
    def named(self, name: str) -> Sequence[str]: ...


@define
class Asked:
    """What the resolvers of a family wanted to know: while the answers stay the same, so do theirs."""

    texts: dict[str, Signature | None] = field(factory=dict)
    names: dict[str, tuple[str, ...]] = field(factory=dict)
    imports: dict[str, bytes] = field(factory=dict)
    """By file: a digest of what it imports."""
    members: dict[tuple[str, str], str | None] = field(factory=dict)
    ambient: dict[str, tuple[str, ...]] = field(factory=dict)
    definitions: dict[str, tuple[str, ...]] = field(factory=dict)
    given: dict[tuple[str, str], tuple[str, str] | None] = field(factory=dict)
    links: dict[str, str] = field(factory=dict)

    def is_outdated(self, tree: Tree) -> bool:
        """Whether a settings file or a link changed, came or went."""
        if self.links != tree.links:
            return True
        return any(tree.settings_signature(path) != was for path, was in self.texts.items()) or any(
            tuple(tree.named(name)) != was for name, was in self.names.items()
        )

    def rests_on_imports_of(self, path: str, tree: Tree) -> bool:
        """Whether it matters that a file changed: its imports were asked for, and are others now."""
        return path in self.imports and self.imports[path] != _digest(tree.imports(path))


@define
class _View:
    """The contract `Project` for one pack; notes what it is asked."""

    _tree: Tree
    _asked: Asked
    _folders: dict[str, str] = field(factory=dict, init=False)
    """Where folders lead that were asked about, in a tree with links."""

    @property
    def files(self) -> Sequence[str]:
        return self._tree.sources

    def has(self, path: str) -> bool:
        return self._tree.is_source(self._behind(path))

    def namespace(self, path: str) -> str:
        return self._tree.namespace(self._behind(path))

    def language(self, path: str) -> str:
        return self._tree.language(self._behind(path))

    def imports(self, path: str) -> Sequence[Import]:
        path = self._behind(path)
        found = self._tree.imports(path)
        if path not in self._asked.imports:
            self._asked.imports[path] = _digest(found)
        return found

    def text(self, path: str) -> str | None:
        path = self._behind(path)
        # The signature first: a change in between is then seen as one.
        if path not in self._asked.texts:
            self._asked.texts[path] = self._tree.settings_signature(path)
        return self._tree.settings_text(path)

    def find(self, name: str) -> Sequence[str]:
        found = tuple(self._tree.named(name))
        self._asked.names.setdefault(name, found)
        linked = tuple(path for path in self._tree.links if path.rpartition("/")[2] == name)
        return found + linked if linked else found

    def _behind(self, path: str) -> str:
        links = self._tree.links
        if not links:
            return path
        folder, slash, name = path.rpartition("/")
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = behind(folder, links)
        path = found + slash + name
        return behind(path, links) if path in links else path


def behind(path: str, links: Mapping[str, str]) -> str:
    """Where a path leads whose file, or a folder above it, is a link."""
    for _ in range(_MOST_LINKS):
        head, tail = path, ""
        while head and head not in links:
            head = head.rpartition("/")[0]
            tail = path[len(head) :]
        if not head:
            break
        path = links[head] + tail
    return path


def _digest(imports: Sequence[Import]) -> bytes:
    """Lines do not count: they say nothing of where a module is."""
    return blake2b(repr([one[1:] for one in imports]).encode("utf-8", "surrogatepass"), digest_size=12).digest()


@define
class Resolving:
    """Asks resolvers, and keeps their answers about members, neighbours and bodies by family."""

    tree: Tree
    packs: Packs
    asked: dict[str, Asked] = field(factory=dict)
    """By family."""
    problems: dict[str, str] = field(factory=dict)
    """By language: what its resolver raised."""
    _resolvers: dict[tuple[str, str], Resolver | None] = field(factory=dict, init=False)
    """By family and rules."""
    _rules: dict[str, tuple[str, str]] = field(factory=dict, init=False)
    """By language: its key in `_resolvers`."""
    _answers: dict[tuple[str, str], dict[int, tuple[Target | Missing, Resolved]]] = field(factory=dict, init=False)
    """What the answers of resolvers come to, by their ids: many imports get one and the same."""

    def renew(self, family: str) -> None:
        """The tree or its settings changed: forget the resolvers of a family and what they rested on."""
        for rules in [one for one in self._resolvers if one[0] == family]:
            del self._resolvers[rules]
        self._answers.clear()
        before = self.asked.get(family)
        if before is not None:
            self.asked[family] = Asked(
                members=before.members,
                ambient=before.ambient,
                definitions=before.definitions,
                given=before.given,
                links=dict(self.tree.links),
            )

    def imports(self, path: str, items: Sequence[Import]) -> tuple[Resolved, ...]:
        """Where the imports of a file lead."""
        if not items:
            return ()
        resolver = self._resolver(path)
        if resolver is None:
            return (Resolved(reason="not found"),) * len(items)
        known = self._answers.setdefault(self._rules_of(self.tree.language(path)), {})
        return tuple([self._resolve(resolver, path, item, known) for item in items])

    def member(self, path: str, name: str) -> str | None:
        """The file that is called `name` inside the module `path`."""
        answers = self._asked(path).members
        if (path, name) not in answers:
            answers[path, name] = self.ask_member(path, name)
        return answers[path, name]

    def ambient(self, path: str) -> tuple[str, ...]:
        """Files that `path` sees without an import."""
        answers = self._asked(path).ambient
        if path not in answers:
            answers[path] = self.ask_ambient(path)
        return answers[path]

    def definitions(self, path: str) -> tuple[str, ...]:
        """Files with the bodies of what `path` declares."""
        answers = self._asked(path).definitions
        if path not in answers:
            answers[path] = self.ask_definitions(path)
        return answers[path]

    def given(self, path: str, name: str) -> tuple[str, str] | None:
        """The file, and what of its exports, that `name` means in `path` without an import."""
        answers = self._asked(path).given
        if (path, name) not in answers:
            answers[path, name] = self.ask_given(path, name)
        return answers[path, name]

    def ask_member(self, path: str, name: str) -> str | None:
        """As `member`, asked anew."""
        try:
            resolver = self._resolver(path)
            found = resolver.member(path, name) if resolver is not None else None
            found = None if found is None else self._file(found)
            return found if found is not None and self._is_relative(path, found) else None
        except Exception as error:  # A stranger's code.
            self._blame(path, error)
            return None

    def ask_ambient(self, path: str) -> tuple[str, ...]:
        """As `ambient`, asked anew."""
        return self._several(path, "ambient")

    def ask_definitions(self, path: str) -> tuple[str, ...]:
        """As `definitions`, asked anew."""
        return self._several(path, "definitions")

    def ask_given(self, path: str, name: str) -> tuple[str, str] | None:
        """As `given`, asked anew."""
        try:
            ask = getattr(self._resolver(path), "given", None)
            found = ask(path, name) if ask is not None else None
            if found is None:
                return None
            file, wanted = self._file(found[0]), str(found[1])
            return (file, wanted) if file != path and self._is_relative(path, file) else None
        except Exception as error:  # A stranger's code.
            self._blame(path, error)
            return None

    def offered(self) -> list[tuple[str, str]]:
        """Files and names in them (`*`: all) that settings of the project hand out to others."""
        found: list[tuple[str, str]] = []
        for path in {self._rules_of(self.tree.language(path)): path for path in self.tree.sources}.values():
            try:
                ask = getattr(self._resolver(path), "offered", None)
                said = [(self._file(file), str(name)) for file, name in (ask() if ask is not None else ())]
                found += [one for one in said if self._is_relative(path, one[0])]
            except Exception as error:  # A stranger's code.
                self._blame(path, error)
        return sorted(set(found))

    def _several(self, path: str, question: str) -> tuple[str, ...]:
        try:
            resolver = self._resolver(path)
            if resolver is None:
                return ()
            found = resolver.ambient(path) if question == "ambient" else resolver.definitions(path)
            return tuple(one for one in map(self._file, found) if one != path and self._is_relative(path, one))
        except Exception as error:  # A stranger's code.
            self._blame(path, error)
            return ()

    def _resolve(
        self, resolver: Resolver, path: str, item: Import, known: dict[int, tuple[Target | Missing, Resolved]]
    ) -> Resolved:
        try:
            answer = resolver.resolve(path, item)
            before = known.get(id(answer))
            if before is not None:
                return before[1]
            found = resolved(answer)
            files = tuple(file for file in map(self._file, found.files) if self._is_relative(path, file))
        except Exception as error:  # A stranger's code: what it raises costs this import.
            self._blame(path, error)
            return Resolved(reason="not found")
        if found.files:
            found = found._replace(files=files) if files else Resolved(reason="not found")
        # The answer is kept with it, so that no other one gets its id.
        known[id(answer)] = answer, found
        return found

    def _file(self, path: str) -> str:
        """The file of the tree that an answer names, by its own path or through a link."""
        return behind(path, self.tree.links) if self.tree.links else path

    def _is_relative(self, path: str, other: str) -> bool:
        """No edge leads to what is no source, or to another family of languages."""
        if not self.tree.is_source(other):
            return False
        one, two = self.tree.language(path), self.tree.language(other)
        return one == two or self._family(one) == self._family(two)

    def _resolver(self, path: str) -> Resolver | None:
        language = self.tree.language(path)
        rules = self._rules_of(language)
        if rules not in self._resolvers:
            pack = self.packs.named(language)
            resolver: Resolver | None = None
            if pack is not None:
                try:
                    resolver = pack.resolver(_View(self.tree, self._asked(path)))
                except Exception as error:  # A stranger's code: the other languages work.
                    self._blame(path, error)
            self._resolvers[rules] = resolver
        return self._resolvers[rules]

    def _rules_of(self, language: str) -> tuple[str, str]:
        """What languages share that one resolver serves: family and rules, which are a language's own by default."""
        found = self._rules.get(language)
        if found is None:
            pack = self.packs.named(language)
            found = self._family(language), str(getattr(pack, "rules", "") or f"of {language}")
            if pack is not None:
                self._rules[language] = found
        return found

    def _asked(self, path: str) -> Asked:
        family = self._family(self.tree.language(path))
        found = self.asked.get(family)
        if found is None:
            found = self.asked[family] = Asked(links=dict(self.tree.links))
        return found

    def _family(self, language: str) -> str:
        pack = self.packs.named(language)
        return pack.family if pack is not None else language

    def family_of(self, path: str) -> str:
        """The family of the language of a file."""
        return self._family(self.tree.language(path))

    def _blame(self, path: str, error: Exception) -> None:
        self.problems.setdefault(self.tree.language(path), f"its resolver fails: {described_error(error)}")


def restored(state: Mapping[str, tuple[object, ...]]) -> dict[str, Asked]:
    """What was kept of `Asked`, by family."""
    found: dict[str, Asked] = {}
    for family, (texts, names, imports, members, ambient, definitions, given, links) in state.items():
        signatures = {path: None if one is None else Signature(*one) for path, one in texts.items()}  # type: ignore[attr-defined]
        found[family] = Asked(signatures, names, imports, members, ambient, definitions, given, links)  # type: ignore[arg-type]
    return found


def kept(asked: Mapping[str, Asked]) -> dict[str, tuple[object, ...]]:
    """`Asked` as plain data."""
    return {
        family: (
            {path: None if sign is None else tuple(sign) for path, sign in one.texts.items()},
            one.names,
            one.imports,
            one.members,
            one.ambient,
            one.definitions,
            one.given,
            one.links,
        )
        for family, one in asked.items()
    }
