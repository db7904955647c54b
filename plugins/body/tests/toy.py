"""A language of a line each, so that tests of the graph need no grammar.

import a.b [as c]        from a.b import x [as y]      from a import *      dynamic [a.b]
def name    class C(B)   .member   (of the class above)   _private names are not exported by a star
use x.y.z   call x.y     inside the definition above; `use!` stands in the file itself
from via import x        from what the first import of a.toy names
    @package p               the namespace; files of one see each other
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from aries_kernel.contracts import Export, FileFacts, Import, Missing, OtherLanguage, Project, Reference, Symbol, Target

IMPORT = re.compile(r"import ([\w.]+)(?: as (\w+))?$")
FROM = re.compile(r"from ([\w.]+) import (\*|\w+)(?: as (\w+))?$")


class Toy:
    """The pack of `.toy` and `.toi`."""

    name: ClassVar[str] = "toy"
    family: ClassVar[str] = "toys"
    suffixes: ClassVar[tuple[str, ...]] = (".toy", ".toi")
    version: ClassVar[str] = "1"

    def encoding(self, head: bytes) -> str | None:
        found = re.match(rb"# coding: ([\w-]+)", head)
        return found[1].decode() if found else None

    def read(self, source: bytes, path: str, *, is_final: bool = False) -> FileFacts:
        if source.startswith(b"die"):
            raise SystemExit(3)
        if source.startswith(b"fail"):
            raise ValueError("toy breaks")
        if source.startswith(b"other") and not is_final:
            raise OtherLanguage("other")
        return _Reader(source.decode()).facts(self.name)

    def resolver(self, project: Project) -> ToyResolver:
        return ToyResolver(project)

    def is_test(self, path: str) -> bool:
        return path.rpartition("/")[2].startswith("test_")


class Brick(Toy):
    """The pack of `.brick`: another family."""

    name: ClassVar[str] = "brick"
    family: ClassVar[str] = "bricks"
    suffixes: ClassVar[tuple[str, ...]] = (".brick",)


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.references: list[Reference] = []
        self.top: dict[str, tuple[int, int]] = {}
        self.stars: list[int] = []
        self.namespace = ""
        self.error = 0

    def facts(self, language: str) -> FileFacts:
        start = 0
        uses: list[tuple[int, str, str, int]] = []
        owner, inside = -1, -1
        for number, line in enumerate(self.lines, 1):
            text = line.strip()
            word, _, rest = text.partition(" ")
            if self._import(number, text):
                pass
            elif word in ("def", "class"):
                name, _, base = rest.rstrip(")").partition("(")
                kind = "function" if word == "def" else "class"
                inside = self._define(name, name, kind, number, start, line, -1)
                owner = inside if word == "class" else -1
                self.top.setdefault(name, (inside, -1))
                if base:
                    uses.append((number, "base", base, inside))
            elif text.startswith(".") and owner >= 0:
                name = text[1:]
                inside = self._define(name, f"{self.symbols[owner].name}.{name}", "method", number, start, line, owner)
            elif word in ("use", "call", "use!"):
                uses.append((number, word.rstrip("!"), rest, -1 if word.endswith("!") else inside))
            elif word == "@package":
                self.namespace = rest
            elif text and not text.startswith("#") and not self.error:
                self.error = number
            start += len(line.encode()) + 1
        for use in uses:
            self._refer(*use)
        exports = [
            Export(name, symbol, binding, not name.startswith("_")) for name, (symbol, binding) in self.top.items()
        ]
        exports += [Export("*", -1, place) for place in self.stars]
        return FileFacts(
            language, tuple(self.symbols), tuple(self.imports), tuple(exports), tuple(self.references),
            namespace=self.namespace, error_line=self.error,
        )  # fmt: skip

    def _import(self, number: int, text: str) -> bool:
        if found := IMPORT.match(text):
            row = Import(number, "import", found[1], "", found[2] or found[1].rpartition(".")[2])
        elif found := FROM.match(text):
            local = "" if found[2] == "*" else found[3] or found[2]
            row = Import(number, "import", found[1], found[2], local)
        elif text.startswith("dynamic"):
            module = text[8:]
            row = Import(number, "dynamic", module, text="" if module else text)
        else:
            return False
        self.imports.append(row)
        if row.local:
            self.top.setdefault(row.local, (-1, len(self.imports) - 1))
        if row.name == "*":
            self.stars.append(len(self.imports) - 1)
        return True

    def _define(self, name: str, qualified: str, kind: str, number: int, start: int, line: str, parent: int) -> int:
        end = start + len(line.encode())
        self.symbols.append(
            Symbol(name, qualified, kind, number, number, start, end, parent, line.strip(), "", name[0] != "_")
        )
        return len(self.symbols) - 1

    def _refer(self, number: int, kind: str, text: str, inside: int) -> None:
        root, _, path = text.partition(".")
        symbol, binding = self.top.get(root, (-1, -1))
        self.references.append(Reference(number, kind, root, path, symbol, binding, inside))


class ToyResolver:
    """`a.b` is `a/b.toy` below the folder that `toy.cfg` names, or `a/b/__init__.toy`."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._base = (project.text("toy.cfg") or "").strip()

    def _file(self, module: str) -> str | None:
        stem = f"{self._base}/{module.replace('.', '/')}".strip("/")
        for path in (f"{stem}.toy", f"{stem}/__init__.toy", f"{stem}.brick"):
            if self._project.has(path):
                return path
        return None

    def resolve(self, path: str, item: Import) -> Target | Missing:
        if not item.module:
            return Missing("dynamic")
        if item.module == "via":
            return self._via(item)
        inner = self._file(f"{item.module}.{item.name}") if item.name not in ("", "*") else None
        if inner is not None:
            return Target((inner,), is_whole=True)
        file = self._file(item.module)
        if file is None:
            return Missing("external" if item.module.startswith("ext") else "not found")
        return Target((file,), is_whole=not item.name)

    def _via(self, item: Import) -> Target | Missing:
        """What the first import of `a.toy` names."""
        first = self._project.imports("a.toy")[:1] if self._project.has("a.toy") else ()
        file = self._file(first[0].module) if first else None
        return Target((file,), is_whole=not item.name) if file is not None else Missing("not found")

    def member(self, path: str, name: str) -> str | None:
        folder, _, last = path.rpartition("/")
        if last != "__init__.toy":
            return None
        inner = f"{folder}/{name}.toy"
        return inner if self._project.has(inner) else None

    def ambient(self, path: str) -> Sequence[str]:
        own = self._project.namespace(path)
        if not own:
            return ()
        return [one for one in self._project.files if self._project.namespace(one) == own and one != path]

    def definitions(self, path: str) -> Sequence[str]:
        body = path.removesuffix(".toi") + ".toy"
        return (body,) if path.endswith(".toi") and self._project.has(body) else ()


def answers(project: Any) -> Any:
    """Everything that is bound in a project, as plain data."""
    links = project.linker.links
    return {
        path: (
            links[path].edges,
            links[path].stars,
            project.linker.where(path),
            project.linker.leads(path),
            project.linker.uses(path),
        )
        for path in sorted(links)
    }
