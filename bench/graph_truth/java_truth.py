"""Java: the types that files name against the compiler of the JDK, symbols beside universal-ctags.

    python bench/graph_truth/java_truth.py FOLDER...

needs `java` and `ctags` on the path. Each folder is a source tree; what it needs from elsewhere may be missing.
"""

from __future__ import annotations

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

from aries_kernel.contracts import Target

HERE = Path(__file__).resolve().parent


def truth(root: Path, files: list[str]) -> set[tuple[str, str]]:
    """Pairs of a file and another one whose types it names."""
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch) / "files"
        listed.write_text("\n".join(files) + "\n", encoding="utf-8")
        done = subprocess.run(
            ["java", str(HERE / "Mentions.java"), str(root), str(listed)],
            capture_output=True, text=True, timeout=900, check=True,
        )  # fmt: skip
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {(one, other) for one, other in rows}


def mentions(project: Folder) -> set[tuple[str, str]]:
    """Imports of single names, and names that are bound by imports of everything and within the package."""
    resolver = project.packs[project.files[0]].resolver(project)
    exports = {
        path: {one.name for one in facts.exports if one.symbol < 0 or facts.symbols[one.symbol].parent < 0}
        for path, facts in project.facts.items()
    }
    edges = set()
    for path, facts in project.facts.items():
        seen: list[str] = []
        for item in facts.imports:
            found = resolver.resolve(path, item)
            if isinstance(found, Target):
                if item.name == "*":
                    seen += found.files
                else:
                    edges |= {(path, other) for other in found.files}
        seen = [*resolver.ambient(path), *seen]
        bare = {one.root for one in facts.references if one.symbol < 0 and one.binding < 0}
        # And what a class may inherit or see without it.
        bare |= {one.root for one in facts.references if one.symbol >= 0 and one.path.partition(".")[0] == one.root}
        for root in bare:
            other = next((one for one in seen if root in exports[one]), None)
            if other is not None:
                edges.add((path, other))
    return {pair for pair in edges if pair[0] != pair[1]}


def _why(project: Folder, side: str, edge: tuple[str, ...]) -> str:
    line = project.facts[edge[0]].error_line
    return "behind a line that the grammar cannot read" if side == "theirs" and line else "other"


def measure(root: Path) -> dict[str, Any]:
    """All figures of one tree."""
    project = Folder(root, [pack("java")])
    names = {(path, one.name) for path, facts in project.facts.items() for one in facts.symbols}
    tags = [(path, tag) for path, tag in definitions(root, project.files, "Java") if tag.kind != "package"]
    ours, expected = mentions(project), truth(root, project.files)
    return {
        "files": len(project.files),
        "edges": score(ours, expected),
        "edges_explained": pairs(ours, expected, lambda side, edge: _why(project, side, edge)),
        "names_beside_ctags": score(names, {(path, tag.name) for path, tag in tags}),
        "names_explained": explaining.names(root, project, project.files, by_file(tags)),
        "speed": ratio("java", root, project.files),
    }


if __name__ == "__main__":
    write("java", {Path(name).name: measure(Path(name).resolve()) for name in sys.argv[1:]})
