"""Go: import edges against `go list` and the parser of the Go distribution, symbols beside universal-ctags.

    python bench/graph_truth/go_truth.py FOLDER...

needs `go` and `ctags` on the path. Each folder is a source tree with its go.mod files; nothing is fetched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import explaining
from ctags import by_file, definitions
from explaining import pairs
from floor import ratio
from folder import Folder, pack
from scoring import score, write

HERE = Path(__file__).resolve().parent


def packages(root: Path, folder: Path) -> dict[str, list[str]]:
    """Files of each package that a module can import, by import path, those of other systems too."""
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off", "GO111MODULE": "on"}
    fields = "-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles"
    done = subprocess.run(
        ["go", "list", "-e", "-deps", "-test", fields, "./..."],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"go list says nothing in {folder}: {done.stderr}")
    found, decoder, place, text = {}, json.JSONDecoder(), 0, done.stdout.strip()
    while place < len(text):
        one, place = decoder.raw_decode(text, place)
        place += len(text[place:]) - len(text[place:].lstrip())
        directory = Path(one.get("Dir") or "/")
        if directory.is_relative_to(root) and " " not in one["ImportPath"]:
            names = one.get("GoFiles", []) + one.get("CgoFiles", []) + one.get("IgnoredGoFiles", [])
            files = [(directory / name).relative_to(root).as_posix() for name in names if _is_source(name)]
            found[one["ImportPath"]] = files
    return found


def _without_strangers(path: Path) -> str:
    done = subprocess.run(
        ["go", "mod", "edit", "-json", str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    said = json.loads(done.stdout)
    lines = [f"module {said['Module']['Path']}", f"go {said.get('Go', '1.16')}"]
    for one in said.get("Replace") or []:
        if "Version" not in one["New"]:
            lines.append(f"require {one['Old']['Path']} v0.0.0")
            lines.append(f"replace {one['Old']['Path']} => {one['New']['Path']}")
    return "\n".join(lines) + "\n"


def _is_source(name: str) -> bool:
    """What is compiled into the package and was not made by cgo in a cache."""
    return not name.endswith("_test.go") and "/" not in name


def truth(tree: Path, scratch: Path) -> set[tuple[str, str]]:
    """Pairs of a file and a folder that it imports, found in a copy.

    There, what lies outside of the tree is taken out of each go.mod, since `go list` would want to fetch it.
    """
    root = Path(shutil.copytree(tree, scratch / "tree", symlinks=True))
    for path in root.rglob("go.mod"):
        path.write_text(_without_strangers(path), encoding="utf-8")
    lines = subprocess.run(
        ["go", "run", str(HERE / "imports.go"), str(root)], capture_output=True, text=True, timeout=600, check=True
    ).stdout.splitlines()
    modules = sorted((path.parent for path in root.rglob("go.mod")), key=lambda path: -len(path.parts))
    known = {module: packages(root, module) for module in modules}
    edges = set()
    for line in lines:
        file, name = line.split("\t")
        module = next((one for one in modules if (root / file).is_relative_to(one)), None)
        files = known[module].get(name, []) if module else []
        if files:
            edges.add((file, files[0].rpartition("/")[0]))
    return edges


def _module(root: Path, path: str) -> Path:
    """The folder of the go.mod that a file belongs to."""
    return next((one for one in (root / path).parents if (one / "go.mod").exists()), root)


def measure(root: Path) -> dict[str, Any]:
    """All figures of one tree."""
    project = Folder(root, [pack("go")])
    with tempfile.TemporaryDirectory() as scratch:
        expected = truth(root, Path(scratch).resolve())
    ours = {(file, other.rpartition("/")[0]) for file, other in project.import_edges()}
    names = {(path, one.name) for path, facts in project.facts.items() for one in facts.symbols}
    tags = [
        (path, tag)
        for path, tag in definitions(root, project.files, "Go")
        if tag.kind not in ("package", "packageName", "unknown", "receiver") and tag.name != "_"
    ]

    def why(side: str, edge: tuple[str, ...]) -> str:
        own, other = (_module(root, path) for path in (edge[0], f"{edge[1]}/x"))
        return "a module of this tree which the file's own go.mod takes from elsewhere" if own != other else "other"

    return {
        "files": len(project.files),
        "edges": score(ours, expected),
        "edges_explained": pairs(ours, expected, why),
        "names_beside_ctags": score(names, {(path, tag.name) for path, tag in tags}),
        "names_explained": explaining.names(root, project, project.files, by_file(tags)),
        "speed": ratio("go", root, project.files),
    }


if __name__ == "__main__":
    write("go", {Path(name).name: measure(Path(name).resolve()) for name in sys.argv[1:]})
