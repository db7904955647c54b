"""C and C++: direct includes against where the compiler finds each, symbols beside universal-ctags.

    python bench/graph_truth/c_truth.py c|cpp FOLDER[:INCLUDE,INCLUDE...]...

needs `gcc` and `ctags` on the path. The include folders are those that the project's own build gives to the compiler,
which our resolver has to find by itself. Each include directive is handed to the compiler alone, as if it stood in a
file of its folder, so that conditions do not hide it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import explaining
from ctags import by_file, definitions
from explaining import pairs
from floor import ratio
from folder import Folder, pack
from scoring import score, write

DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*(?:\"[^\"\n]+\"|<[^>\n]+>)", re.MULTILINE)
TAGS = {"c": "C", "cpp": "C++"}
NOT_DEFINED = {"file", "using", "header", "label", "local", "module", "partition", "name"}


def found_by_compiler(root: Path, folder: str, directive: bytes, includes: list[str], language: str) -> str | None:
    """The file of the tree that a directive in a folder leads to."""
    options = [f"-I{root / name}" for name in includes]
    dialect = "c" if language == "c" else "c++"
    done = subprocess.run(
        ["gcc", "-x", dialect, "-M", "-MG", "-H", "-iquote", str(root / folder), *options, "-"],
        input=directive + b"\n", capture_output=True, timeout=60,
    )  # fmt: skip
    for line in done.stderr.decode("utf-8", "replace").splitlines():
        if line.startswith(". "):
            path = Path(line[2:]).resolve()
            return path.relative_to(root).as_posix() if path.is_relative_to(root) else None
    return None


def truth(root: Path, project: Folder, includes: list[str], language: str) -> set[tuple[str, str]]:
    """Pairs of a file and a header that it includes."""
    asked: dict[tuple[str, bytes], list[str]] = {}
    for path in project.files:
        source = re.sub(rb"/\*.*?\*/", b"", (root / path).read_bytes().replace(b"\r", b""), flags=re.DOTALL)
        for found in DIRECTIVE.finditer(source):
            asked.setdefault((path.rpartition("/")[0], found[0].strip()), []).append(path)
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda key: found_by_compiler(root, *key, includes, language), asked)
    rows = zip(asked.values(), answers, strict=True)
    return {(path, answer) for paths, answer in rows if answer for path in paths if path != answer}


def measure(root: Path, includes: list[str], language: str) -> dict[str, Any]:
    """All figures of one tree, for the files of one language."""
    project = Folder(root, [pack("c"), pack("cpp")])
    files = [path for path in project.files if project.packs[path].name == language]
    names = {(path, _tight(one.name)) for path in files for one in project.facts[path].symbols}
    tags = [
        (path, tag)
        for path, tag in definitions(root, files, TAGS[language])
        if tag.kind not in NOT_DEFINED
        and not tag.name.startswith("__anon")
        and not _is_guard(root / path, tag.name, tag.kind)
    ]
    ours = {pair for pair in project.import_edges() if pair[0] in set(files)}
    expected = {pair for pair in truth(root, project, includes, language) if pair[0] in set(files)}
    return {
        "files": dict(Counter(project.packs[path].name for path in project.files)),
        "edges": score(ours, expected),
        "edges_explained": pairs(ours, expected, _why),
        "names_beside_ctags": score(names, {(path, _tight(tag.name)) for path, tag in tags}),
        "names_explained": explaining.names(root, project, files, by_file(tags), _tight),
        "speed": ratio(language, root, files),
    }


def _why(side: str, edge: tuple[str, ...]) -> str:
    return "an include folder of another system's build than the one that was given" if side == "ours" else "other"


def _tight(name: str) -> str:
    """`operator ==` as `operator==`."""
    return re.sub(r"\boperator (?=\W)", "operator", name)


def _is_guard(path: Path, name: str, kind: str) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace") if kind == "macro" else ""
    return bool(
        re.search(
            rf"#\s*if(?:ndef\s+|\s*!defined[\s(]*){re.escape(name)}\b[^\n]*\s+#\s*define\s+{re.escape(name)}\b", text
        )
    )


def main() -> None:
    """All trees that were named."""
    language, rows = sys.argv[1], {}
    for said in sys.argv[2:]:
        folder, _, includes = said.partition(":")
        root = Path(folder).resolve()
        rows[root.name] = measure(root, [name for name in includes.split(",") if name], language)
    write(language, rows)


if __name__ == "__main__":
    main()
