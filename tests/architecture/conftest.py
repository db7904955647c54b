"""The sources of all members as syntax trees."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

ROOT = Path(__file__).parents[2]
IMPORTING = ("importlib.import_module", "import_module", "__import__")


@frozen
class Import:
    """One import. `is_at_top`: it runs when the module is imported; `is_typing`: only a type checker sees it."""

    module: str
    line: int
    is_at_top: bool
    is_typing: bool

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


@frozen(eq=False)
class Source:
    """One module of a member."""

    member: str
    """The member's import name."""
    path: Path
    tree: ast.Module
    imports: tuple[Import, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "imports", tuple(_imports(self.tree, is_at_top=True, is_typing=False)))

    @property
    def place(self) -> str:
        """The file below the member's package, with forward slashes."""
        parts = self.path.parts
        return "/".join(parts[parts.index(self.member, parts.index("src")) + 1 :])

    def at(self, line: int) -> str:
        """A place for a message."""
        return f"{self.path.relative_to(ROOT)}:{line}" if self.path.is_relative_to(ROOT) else f"{self.path}:{line}"


def parse(member: str, path: Path) -> Source:
    return Source(member, path, ast.parse(path.read_text(encoding="utf-8"), str(path)))


def _imports(node: ast.AST, *, is_at_top: bool, is_typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _imports(child, is_at_top=False, is_typing=is_typing)
        elif isinstance(child, ast.If) and ast.unparse(child.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            body = ast.Module(child.body, [])
            yield from _imports(body, is_at_top=is_at_top, is_typing=True)
            yield from _imports(ast.Module(child.orelse, []), is_at_top=is_at_top, is_typing=is_typing)
        else:
            for name in _names(child):
                yield Import(name, getattr(child, "lineno", 0), is_at_top, is_typing)
            yield from _imports(child, is_at_top=is_at_top, is_typing=is_typing)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module or ""]
    if isinstance(node, ast.Call) and ast.unparse(node.func) in (
        "importlib.import_module",
        "import_module",
        "__import__",
    ):
        return [str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant)]
    return []


@pytest.fixture(scope="session")
def sources() -> list[Source]:
    """Every module below a member's `src`."""
    found = []
    for pyproject in sorted(ROOT.rglob("pyproject.toml")):
        parts = pyproject.relative_to(ROOT).parts[:-1]
        if parts and not any(part.startswith(".") or part in ("tests", "build", "dist") for part in parts):
            project: dict[str, Any] = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
            member = project["name"].replace("-", "_")
            found += [parse(member, path) for path in sorted((pyproject.parent / "src").rglob("*.py"))]
    assert found
    return found
