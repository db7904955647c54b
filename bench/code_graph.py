"""What the code graph costs: `python bench/code_graph.py [--trees FOLDER]` writes `bench/results/code_graph.json`.

CPU seconds and ratios, medians of three; every step runs in a process of its own. The trees are pinned releases,
fetched into FOLDER by pip and npm where they are not there yet. Beside it, on the same trees: the floor (parsing,
captures, names and lines in Python), universal-ctags and ripgrep where they are installed, and aider's repository map
where `--aider` names an interpreter that has aider-chat. Ends by writing the table into the README.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from code_graph_costs import cpu, peak_mb, timed
from code_graph_made import large_graph, many_files
from code_graph_table import README, RESULTS, with_table

RUNS = 3
EDITS = 15
TREES = {
    "flask": ("pip", "flask==3.1.2"),
    "pytest": ("pip", "pytest==9.0.1"),
    "django": ("pip", "django==5.2.8"),
    "sympy": ("pip", "sympy==1.14.0"),
    "express": ("npm", "express@5.1.0"),
    "eslint": ("npm", "eslint@9.39.1"),
    "vite": ("npm", "vite@7.2.2"),
}
FLOOR_QUERIES = {
    "py": """
        (function_definition name: (identifier) @name) @def (class_definition name: (identifier) @name) @def
        (call function: [(identifier) @call (attribute attribute: (identifier) @call)])
        (import_statement name: (_) @import) (import_from_statement module_name: (_) @import)
    """,
    "js": """
        (function_declaration name: (identifier) @name) @def (class_declaration name: (identifier) @name) @def
        (method_definition name: (_) @name) @def (import_statement source: (string) @import)
        (call_expression function: [(identifier) @call (member_expression property: (_) @call)])
    """,
}
FLOOR_QUERIES["ts"] = FLOOR_QUERIES["js"].replace(
    "(class_declaration name: (identifier)", "(class_declaration name: (type_identifier)"
)
FLOOR_QUERIES["tsx"] = FLOOR_QUERIES["ts"]
FLOOR_QUERIES |= {
    "go": """
        (function_declaration name: (identifier) @name) @def (method_declaration name: (field_identifier) @name) @def
        (type_spec name: (type_identifier) @name) @def (import_spec path: (_) @import)
        (call_expression function: [(identifier) @call (selector_expression field: (field_identifier) @call)])
    """,
    "rust": """
        (function_item name: (identifier) @name) @def (struct_item name: (type_identifier) @name) @def
        (enum_item name: (type_identifier) @name) @def (trait_item name: (type_identifier) @name) @def
        (use_declaration argument: (_) @import) (call_expression function: [
            (identifier) @call (scoped_identifier name: (identifier) @call)
            (field_expression field: (field_identifier) @call)])
    """,
    "java": """
        (method_declaration name: (identifier) @name) @def (class_declaration name: (identifier) @name) @def
        (interface_declaration name: (identifier) @name) @def (import_declaration (_) @import)
        (method_invocation name: (identifier) @call) (object_creation_expression type: (_) @call)
    """,
    "c": """
        (function_declarator declarator: (identifier) @name) @def (preproc_include path: (_) @import)
        (struct_specifier name: (type_identifier) @name) @def
        (call_expression function: [(identifier) @call (field_expression field: (field_identifier) @call)])
    """,
}
FLOOR_QUERIES["cpp"] = FLOOR_QUERIES["c"] + "(class_specifier name: (type_identifier) @name) @def"
SUFFIXES = {
    "py": "py",
    "pyi": "py",
    "js": "js",
    "jsx": "js",
    "mjs": "js",
    "cjs": "js",
    "ts": "ts",
    "tsx": "tsx",
    "mts": "ts",
    "cts": "ts",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "c": "c",
    "h": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
}
GRAMMARS = {"py": "python", "js": "javascript"}
"""Packages of grammars by what they are called above, where that is something else."""


# Steps: each runs alone in a process and prints one document.


def floor(tree: Path, cache: Path) -> dict[str, Any]:
    """Parsing, captures, names and lines in Python, of the files that the graph has."""
    languages: dict[str, Any] = {}
    paths = json.loads((cache / "files.json").read_text(encoding="utf-8"))
    sources = [
        (SUFFIXES[path.rpartition(".")[2].lower()], (tree / path).read_bytes())
        for path in paths
        if path.rpartition(".")[2].lower() in SUFFIXES
    ]
    for language in {language for language, _ in sources}:
        languages[language] = _prepared(language)

    def run() -> None:
        for language, source in sources:
            parser, query = languages[language]
            from tree_sitter import QueryCursor

            captures = QueryCursor(query).captures(parser.parse(source).root_node)
            for nodes in captures.values():
                for node in nodes:
                    (node.text or b"").decode("utf-8", "replace")
                    _ = node.start_point[0] + 1

    return {"seconds": timed(run), "files": len(sources), "mb": round(sum(len(s) for _, s in sources) / 1e6, 2)}


def _prepared(language: str) -> tuple[Any, Any]:
    from tree_sitter import Language, Parser, Query

    if language in ("ts", "tsx"):
        import tree_sitter_typescript

        plain, with_jsx = tree_sitter_typescript.language_typescript, tree_sitter_typescript.language_tsx
        made = Language(with_jsx() if language == "tsx" else plain())
    else:
        made = Language(importlib.import_module(f"tree_sitter_{GRAMMARS.get(language, language)}").language())
    return Parser(made), Query(made, FLOOR_QUERIES[language])


def _load_all(folder: Path, packs: Any) -> None:
    """Index a file of each kind and settings of each kind, so that every pack has loaded what it needs.

    Nothing of it is kept: what is found in a cache loads nothing.
    """
    from aries_body.index.project import Project

    code = 'import { a } from "y";\nexport const b = a;\n'
    texts = {"py": "import x\n\n\ndef f():\n    return x\n", "pyi": "import x\n"}
    texts |= dict.fromkeys(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), code)
    texts |= dict.fromkeys(("vue", "svelte"), f"<script>\n{code}</script>\n<b>x</b>\n")
    texts |= {"astro": f"---\n{code}---\n<b>x</b>\n"}
    for suffix in packs.places:
        (folder / f"x.{suffix}").write_text(texts.get(suffix, "int x = 1;\n"), encoding="utf-8")
    settings = {".gitignore": "*.pyc\n", "pyproject.toml": "[project]\n", "setup.cfg": "", "package.json": "{}"}
    settings |= {"tsconfig.json": "{}", "pnpm-workspace.yaml": "packages: [x]\n"}
    for name, text in settings.items():
        (folder / name).write_text(text, encoding="utf-8")
    Project.open(folder, cache_folder=None, packs=packs, processes=1).close()


def cold(tree: Path, cache: Path) -> dict[str, Any]:
    """A first build in one process; loading of libraries and grammars is not counted, the writing of the cache is."""
    from aries_body.index.packs import Packs
    from aries_body.index.project import Project
    from aries_body.operations.codebase import Codebase

    packs = Packs.installed()
    with tempfile.TemporaryDirectory() as small:
        _load_all(Path(small), packs)
    before = peak_mb()
    shutil.rmtree(cache / "index", ignore_errors=True)
    start = cpu()
    project = Project.open(tree, cache_folder=cache / "index", packs=packs, processes=1)
    project.close()
    seconds = cpu() - start
    (cache / "files.json").write_text(json.dumps(list(project.sources)), encoding="utf-8")
    codebase = Codebase.open(tree, cache_folder=cache / "index")
    stats = codebase.stats()
    database = sum(file.stat().st_size for file in (cache / "index" / "graph").iterdir())
    return {
        "seconds": seconds, "peak_mb": peak_mb(), "libraries_mb": before, "files": stats.file_count,
        "symbols": stats.symbol_count,
        "references": stats.reference_count, "edges": stats.edge_count, "cache_mb": round(database / 1e6, 1),
    }  # fmt: skip


def cores(tree: Path, cache: Path) -> dict[str, Any]:
    """A first build with a process for each core: seconds of all together."""
    from aries_body.index.project import Project

    shutil.rmtree(cache / "parallel", ignore_errors=True)
    start, wall = cpu(), time.perf_counter()
    Project.open(tree, cache_folder=cache / "parallel").close()
    return {"seconds": cpu() - start, "wall_seconds": time.perf_counter() - wall}


def warm(tree: Path, cache: Path) -> dict[str, Any]:
    """Opening with nothing changed: walk, stat, load."""
    from aries_body.index.packs import Packs
    from aries_body.index.project import Project

    packs = Packs.installed()
    start, wall = cpu(), time.perf_counter()
    project = Project.open(tree, cache_folder=cache / "index", packs=packs)
    found = {"seconds": cpu() - start, "wall_seconds": time.perf_counter() - wall, "peak_mb": peak_mb()}
    project.store.close()
    return found


def questions(tree: Path, cache: Path) -> dict[str, Any]:
    """Operations in an open project, in milliseconds; first calls apart."""
    from aries_body.operations.codebase import Codebase

    codebase = Codebase.open(tree, cache_folder=cache / "index")
    first = {
        "communities": timed(codebase.communities),
        "search": timed(lambda: codebase.search("zqxjv")),
        "gathering": timed(lambda: codebase.search("zqxjv")),
        "find_symbol": timed(lambda: codebase.find_symbol("zqxjv")),
    }
    top = [one.path for one in codebase.top_files(30)]
    names = [one.name for path in top[:10] for one in codebase.get_file_summary(path).symbols][:200]
    buffer = codebase._texts._buffer
    lines = "\n".join(codebase.project.text(path) for path in top)
    pair = Counter(re.findall(r"\b[a-z]{2,} [a-z]{2,}\b", lines)).most_common(1)[0][0]
    seldom = min(
        (one for one in names if re.fullmatch(r"\w{6,}", one)), key=lambda one: (codebase.search(one).total, one)
    )
    # The second search and those behind it pay for the gathering of places; a definition that is shown is read once.
    asked = {
        "absent": "zqxjv",
        "common": "import",
        "rare": seldom,
        "several_words": pair,
        "part": seldom[1:-1],
        "accent": "é",
    }
    searches = {name: timed(partial(codebase.search, text), 7) for name, text in asked.items()}
    searches["word"] = timed(lambda: codebase.search("import", word=True), 7)
    searches["expression"] = timed(lambda: codebase.search(r"def \w+_set\(|zqx\w+", regex=True), 3)
    searches["expression_with_text"] = timed(lambda: codebase.search(r"zqx\w+\(", regex=True), 7)
    found = {
        **{f"search_{name}": value for name, value in searches.items()},
        "floor_of_search": timed(lambda: buffer.find(b"zqxjv"), 7),
        "find_symbol": timed(lambda: [codebase.find_symbol(name) for name in names], 5) / max(1, len(names)),
        "show_dependents": timed(lambda: [codebase.show_dependents(path) for path in top], 5) / len(top),
        "show_dependencies": timed(lambda: [codebase.show_dependencies(path) for path in top], 5) / len(top),
        "get_context": timed(lambda: [codebase.get_context(path, [1]) for path in top], 5) / len(top),
    }
    result: dict[str, Any] = {f"{name}_ms": round(value * 1000, 3) for name, value in found.items()}
    result |= {f"first_{name}_ms": round(value * 1000, 1) for name, value in first.items()}
    return {**result, "text_mb": round(len(buffer) / 1e6, 1), "pair": pair, "seldom": seldom, "peak_mb": peak_mb()}


def edits(tree: Path, cache: Path) -> dict[str, Any]:
    """One edit that is named, until dependents and symbols are right again; files chosen with a seed, of any size."""
    from aries_body.operations.codebase import Codebase

    copy = cache / "copy"
    if not copy.exists():
        shutil.copytree(tree, copy, symlinks=True)
    codebase = Codebase.open(copy, cache_folder=cache / "copy-index")
    paths = random.Random(0).sample(list(codebase.list_files()), min(EDITS, len(codebase.list_files())))
    codebase.find_symbol("warmed"), codebase.show_dependents(paths[0])
    seconds, whole = [], []
    for number, path in enumerate(paths):
        before = (copy / path).read_bytes()
        mark = "#" if path.endswith((".py", ".pyi")) else "//"
        (copy / path).write_bytes(before + f"\n{mark} {number}\n".encode())
        start = cpu()
        codebase.refresh_files([path])
        codebase.show_dependents(path), codebase.find_symbol("warmed")
        seconds.append(cpu() - start)
        (copy / path).write_bytes(before)
        start = cpu()
        codebase.refresh_files()
        whole.append(cpu() - start)
    codebase.close()
    shutil.rmtree(copy)
    return {
        "named_ms": round(statistics.median(seconds) * 1000, 1), "worst_named_ms": round(max(seconds) * 1000, 1),
        "found_ms": round(statistics.median(whole) * 1000, 1),
    }  # fmt: skip


STEPS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    one.__name__: one for one in (cold, floor, cores, warm, questions, edits, many_files, large_graph)
}


# The whole.


def run_step(name: str, tree: Path, cache: Path, runs: int = 1) -> dict[str, Any]:
    """A step in processes of its own; numbers are medians of the runs."""
    found = []
    for _ in range(runs):
        command = [sys.executable, __file__, "--step", name, str(tree), str(cache)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=3_000)
        found.append(json.loads(done.stdout))
    return {
        key: value if isinstance(value, str) else round(statistics.median(one[key] for one in found), 4)
        for key, value in found[0].items()
    }


def program(command: list[str], tree: Path) -> float | None:
    """CPU seconds of another program; None where it is not installed."""
    if shutil.which(command[0]) is None:
        return None

    def run() -> None:
        subprocess.run(command, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    return round(timed(run, RUNS), 4)


def repository_map(tree: Path, cache: Path, python: str) -> dict[str, Any] | None:
    """CPU seconds of aider's map of the same files, cold and warm; None where it does not end."""
    copy = shutil.copytree(tree, cache / "aider", symlinks=True)
    paths = json.loads((cache / "files.json").read_text(encoding="utf-8"))
    try:
        done = subprocess.run(
            [python, str(Path(__file__).with_name("repo_map.py")), str(copy)],
            input="\n".join(paths), capture_output=True, text=True, timeout=900, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    finally:
        shutil.rmtree(copy)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measure(tree: Path, cache: Path, aider: str) -> dict[str, Any]:
    """Everything about one tree."""
    cache.mkdir(parents=True, exist_ok=True)
    built = run_step("cold", tree, cache, RUNS)
    least = run_step("floor", tree, cache, RUNS)
    row = {
        "cold": built,
        "floor": least,
        "cold_by_floor": round(built["seconds"] / least["seconds"], 2),
        "all_cores": run_step("cores", tree, cache),
        "warm": run_step("warm", tree, cache, RUNS),
        "questions": run_step("questions", tree, cache),
        "edit": run_step("edits", tree, cache),
        "ctags_seconds": program(["ctags", "-R", "-f", os.devnull, "."], tree),
        "ripgrep_seconds": program(["rg", "-i", "zqxjv"], tree),
        "aider": repository_map(tree, cache, aider) if aider else None,
    }
    row["mb_per_1000_files"] = round((built["peak_mb"] - built["libraries_mb"]) / built["files"] * 1_000, 1)
    return row


def fetched(name: str, trees: Path) -> Path | None:
    """The unpacked release; None where the client that fetches it is missing or finds nothing."""
    folder = trees / name
    if folder.is_dir():
        return folder
    client, what = TREES[name]
    with tempfile.TemporaryDirectory() as temporary:
        if client == "pip":
            command = ["uv", "run", "--no-project", "--with", "pip", "python", "-m", "pip", "download", "--no-deps"]
            command += ["--no-binary", ":all:", what]
        else:
            command = ["npm", "pack", what]
        if shutil.which(command[0]) is None or subprocess.run(command, cwd=temporary, check=False).returncode:
            return None
        for archive in Path(temporary).glob("*.t*gz"):
            with tarfile.open(archive) as opened:
                opened.extractall(folder, filter="data")
    return folder if folder.is_dir() else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=Path, default=Path.home() / ".cache" / "aries-bench" / "trees")
    parser.add_argument("--only", nargs="*", choices=sorted(TREES), help="these trees alone")
    parser.add_argument("--also", nargs="*", type=Path, default=[], help="further trees, as they are on the disk")
    parser.add_argument("--aider", default="", help="an interpreter that has aider-chat")
    parser.add_argument("--step", nargs=3, metavar=("STEP", "TREE", "CACHE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        name, tree, cache = given.step
        json.dump(STEPS[name](Path(tree).resolve(), Path(cache)), sys.stdout)
        return
    from aries_body.index.packs import Packs

    known = Packs.installed().places
    results: dict[str, Any] = {"cores": os.cpu_count(), "trees": {}}
    with tempfile.TemporaryDirectory() as temporary:
        for name in given.only or TREES:
            needed = "py" if TREES[name][0] == "pip" else "js"
            tree = fetched(name, given.trees) if needed in known else None
            if tree is None:
                print(f"{name}: left out", file=sys.stderr)
                continue
            print(name, file=sys.stderr)
            results["trees"][name] = measure(tree.resolve(), Path(temporary) / name, given.aider)
        for tree in given.also:
            print(tree.name, file=sys.stderr)
            results["trees"][tree.name] = measure(tree.resolve(), Path(temporary) / tree.name, given.aider)
        nowhere = Path(temporary)
        results["many_files"] = run_step("many_files", nowhere, Path(temporary) / "many", 1)
        results["large_graph"] = run_step("large_graph", nowhere, nowhere)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
