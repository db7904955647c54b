"""Python: import edges against grimp, symbols against the interpreter's own tree and beside universal-ctags.

    uv run --with grimp python bench/graph_truth/python_truth.py FOLDER=SOURCE:PACKAGE[,PACKAGE] ...

Each folder is a source tree; SOURCE is the folder within it that is put on the path (empty for the folder itself), and
the packages are those that grimp is asked about. The edges are those that the body keeps, read through its operations.

Where a name is both a submodule and an attribute of its package, grimp says the submodule and the interpreter hands out
the attribute: such an edge counts as right when it leads to the package or to the submodule. All of them are listed.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ctags import definitions
from floor import ratio
from scoring import score, write

from aries_body.operations.codebase import Codebase

Edge = tuple[str, str]


def grimp_edges(root: Path, source: str, packages: list[str], files: set[str]) -> tuple[set[Edge], set[str]]:
    """Edges between files, and the files that grimp looked at."""
    import grimp

    sys.path.insert(0, str(root / source))
    graph = grimp.build_graph(*packages, cache_dir=None)

    def file_of(module: str) -> str | None:
        place = "/".join([part for part in (source,) if part] + module.split("."))
        return next((one for one in (f"{place}/__init__.py", f"{place}.py") if one in files), None)

    edges = set()
    for module in graph.modules:
        importer = file_of(module)
        for other in graph.find_modules_directly_imported_by(module):
            imported = file_of(other)
            if importer and imported and importer != imported:
                edges.add((importer, imported))
    return edges, {file for module in graph.modules if (file := file_of(module))}


def our_edges(codebase: Codebase, files: set[str]) -> set[Edge]:
    """Where each import of each file leads."""
    return {
        (file, target)
        for file in files
        for row in codebase.imports_of(file)
        for target in row.files
        if target in files and target != file
    }


def both_ways(ours: set[Edge], truth: set[Edge]) -> set[Edge]:
    """Edges of ours that lead to a package where grimp says its submodule: the attribute of that name is meant."""
    extra, missing = ours - truth, truth - ours
    return {
        (importer, imported)
        for importer, imported in extra
        if imported.endswith("/__init__.py")
        and any(one == importer and other.startswith(imported[: -len("__init__.py")]) for one, other in missing)
    }


def defined_names(tree: ast.AST) -> Iterator[str]:
    """Qualified names of classes, functions, and variables of modules and classes."""
    waiting: list[tuple[ast.AST, tuple[str, ...], bool]] = [(tree, (), True)]
    while waiting:
        node, outer, is_open = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield ".".join((*outer, child.name))
                waiting.append((child, (*outer, child.name), isinstance(child, ast.ClassDef)))
                continue
            if is_open:
                targets = child.targets if isinstance(child, ast.Assign) else [getattr(child, "target", None)]
                if isinstance(child, ast.Assign | ast.AnnAssign):
                    yield from (".".join((*outer, name)) for target in targets for name in _bound(target))
            if not isinstance(child, ast.Lambda):
                waiting.append((child, outer, is_open))


def _bound(target: ast.AST | None) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for one in target.elts:
            yield from _bound(one)
    elif isinstance(target, ast.Starred):
        yield from _bound(target.value)


def measure(root: Path, source: str, packages: list[str]) -> dict[str, Any]:
    """All figures of one tree."""
    codebase = Codebase.open(root, cache_folder=None)
    files = {path for path in codebase.list_files() if path.endswith(".py")}
    truth, looked_at = grimp_edges(root, source, packages, files)
    ours = our_edges(codebase, looked_at)
    attributes = both_ways(ours, truth)
    ambiguous = {
        (importer, other)
        for importer, other in truth - ours
        if any(importer == one and other.startswith(package[: -len("__init__.py")]) for one, package in attributes)
        or (importer, f"{other.rpartition('/')[0]}/__init__.py") in ours
    }
    symbols, expected = set(), set()
    for path in files:
        try:
            tree = ast.parse((root / path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        expected |= {(path, name) for name in defined_names(tree)}
        symbols |= {(path, row.name) for row in codebase.get_file_summary(path).symbols}
    codebase.close()
    found = definitions(root, sorted(files), "Python")
    tags = {(path, tag.name) for path, tag in found if tag.kind not in ("module", "namespace", "unknown")}
    return {
        "files": len(files),
        "edges": score(ours, truth),
        "edges_where_attributes_count": score(ours - attributes, truth - ambiguous),
        "symbols_against_ast": score(symbols, expected),
        "names_beside_ctags": score({(path, name.rpartition(".")[2]) for path, name in symbols}, tags),
        "speed": ratio("python", root, sorted(files)),
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    rows = {}
    for argument in sys.argv[1:]:
        folder, _, rest = argument.partition("=")
        source, _, names = rest.partition(":")
        rows[Path(folder).name] = measure(Path(folder).resolve(), source, names.split(","))
    write("python", rows)
