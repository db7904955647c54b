"""Edges and symbols of the JavaScript and TypeScript packs against the compiler, madge and dependency-cruiser.

    python bench/graph_truth/ecmascript.py [NAME ...] [--tree NAME=FOLDER ...]

Trees come from npm at pinned versions; `--tree` takes a checkout instead, of a repository that publishes no sources.
The tools come from npm too and need node. The compiler sees a copy in which packages of the tree are linked into
`node_modules`, as an installation would do, and in which built files that the tree lacks are empty; the others see the
tree as it is, since with links they prefer them to the names that a tsconfig gives. Writes
`bench/results/graph_truth_ecmascript.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tree import Tree, read_all, resolve_all

HERE = Path(__file__).parent
RESULT = HERE.parent / "results" / "graph_truth_ecmascript.json"
PEERS = ("madge", "dependency-cruiser")
TOOLS = ("typescript@5.9.3", "madge@8.0.0", "dependency-cruiser@17.4.3")
PACKED = {
    "express-5.2.1": "express@5.2.1",
    "eslint-10.0.0": "eslint@10.0.0",
    "rxjs-7.8.2": "rxjs@7.8.2",
    "zod-4.1.12": "zod@4.1.12",
    "date-fns-4.1.0": "date-fns@4.1.0",
}
BUILT = {
    # By the inputs of the bundler's configuration in that folder.
    "packages/vite/dist/node/index.js": "packages/vite/src/node/index.ts",
    "packages/vite/dist/node/module-runner.js": "packages/vite/src/module-runner/index.ts",
    "packages/plugin-legacy/dist/index.js": "packages/plugin-legacy/src/index.ts",
    "packages/create-vite/dist/index.js": "packages/create-vite/src/index.ts",
}
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")
SAMPLE = 50
Edge = tuple[str, str]


def main() -> None:
    """Measures every tree and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(PACKED)}")
    parser.add_argument("--tree", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "graph_truth")
    options = parser.parse_args()
    tools = _tools(options.cache)
    results: dict[str, Any] = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
    for name, folder in _trees(options):
        with tempfile.TemporaryDirectory() as work:
            results[name] = _measured(name, folder, Path(work).resolve() / "tree", tools)
        print(name, json.dumps({key: value for key, value in results[name].items() if key != "sample"}, indent=1))
        RESULT.parent.mkdir(exist_ok=True)
        RESULT.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _tools(cache: Path) -> Path:
    folder = cache / "tools"
    if not (folder / "node_modules" / "madge").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", *TOOLS], cwd=folder, check=True, timeout=900)
    return folder


def _trees(options: argparse.Namespace) -> Iterator[tuple[str, Path]]:
    given = dict(one.split("=", 1) for one in options.tree)
    for name in options.names or ([] if given else PACKED):
        folder = options.cache / name
        if not folder.exists():
            options.cache.mkdir(parents=True, exist_ok=True)
            done = subprocess.run(
                ["npm", "pack", "--silent", PACKED[name]],
                cwd=options.cache,
                check=True,
                timeout=600,
                capture_output=True,
                text=True,
                encoding="utf-8",
            )
            with tarfile.open(options.cache / done.stdout.split()[-1]) as archive:
                archive.extractall(folder, filter="data")
        yield name, folder / "package"
    for name, path in given.items():
        yield name, Path(path)


def _measured(name: str, folder: Path, work: Path, tools: Path) -> dict[str, Any]:
    shutil.copytree(folder, work, symlinks=True, ignore=shutil.ignore_patterns("node_modules", ".git"))
    tree = Tree(work)
    started = time.process_time()
    facts = read_all(tree)
    read = time.process_time() - started
    ours: dict[Edge, tuple[int, str, str]] = {}
    missing: Counter[str] = Counter()
    for path, item, found in resolve_all(tree, facts):
        if isinstance(found, str):
            missing[found] += 1
        for file in () if isinstance(found, str) else found:
            if file != path:
                ours.setdefault((path, file), (item.line, item.module, item.kind))
    peers = {tool: dict.fromkeys(_peer(tool, work, tools, set(facts)), (0, "", "")) for tool in PEERS}
    _install(work, set(ours.values()))
    compiler = _compiler(work, list(facts), tools)
    said = {
        "typescript": {(a, b): (line, module, kind) for a, line, module, kind, b in compiler["imports"] if b and a != b}
    }
    said |= peers
    anybody = set().union(*said.values())
    result: dict[str, Any] = {
        "files": len(facts),
        "cpu_seconds_to_read": round(read, 2),
        "edges": len(ours),
        "confirmed_by_any_tool": _share(len(ours.keys() & anybody), len(ours)),
        "unresolved": dict(sorted(missing.items())),
        "symbols": _symbols(facts, compiler["symbols"]),
    }
    differences = [
        ("ours", tool, edge, ours[edge]) for tool in ("typescript",) for edge in sorted(ours.keys() - said[tool])
    ]
    for tool, edges in said.items():
        result[tool] = {
            "edges": len(edges),
            "ours_in_it": _share(len(ours.keys() & edges.keys()), len(ours)),
            "its_in_ours": _share(len(ours.keys() & edges.keys()), len(edges)),
        }
        differences += [("theirs", tool, edge, edges[edge]) for edge in sorted(edges.keys() - ours.keys())]
    explained = []
    for side, tool, edge, at in differences:
        mine, other = ({b for a, b in edges if a == edge[0]} for edges in (ours, said[tool]))
        explained.append((side, tool, edge, at, _reason(side, edge, at[1], mine, other, work)))
    result["differences"] = dict(
        sorted(Counter(f"{side} {tool}: {why}" for side, tool, _, _, why in explained).items())
    )
    chosen = random.Random(5).sample(explained, min(SAMPLE, len(explained)))
    result["sample"] = [[side, tool, *edge, *at, why] for side, tool, edge, at, why in chosen]
    return result


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def _install(work: Path, used: set[tuple[int, str, str]]) -> None:
    """Links the packages of the tree, as a package manager does, and puts empty files where a build would write."""
    for built, source in BUILT.items():
        if (work / source).exists() and not (work / built).exists():
            (work / built).parent.mkdir(parents=True, exist_ok=True)
            (work / built).write_text("", encoding="utf-8")
    is_workspace = any((work / name).exists() for name in ("pnpm-workspace.yaml", "lerna.json")) or (
        (work / "package.json").exists()
        and "workspaces" in json.loads((work / "package.json").read_text(encoding="utf-8"))
    )
    modules = {module for _, module, _ in used}
    for path in sorted(work.rglob("package.json")) if is_workspace else ():
        if "node_modules" in path.parts or path.parent == work or not path.is_file():
            continue
        try:
            name = json.loads(path.read_text(encoding="utf-8")).get("name")
        except (ValueError, AttributeError):
            continue
        link = work / "node_modules" / str(name)
        is_wanted = isinstance(name, str) and any(one == name or one.startswith(f"{name}/") for one in modules)
        if is_wanted and not link.exists():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(os.path.relpath(path.parent, link.parent), target_is_directory=True)


def _compiler(work: Path, files: list[str], tools: Path) -> Any:
    known = [*files, *(built for built in BUILT if (work / built).exists())]
    done = subprocess.run(
        ["node", str(HERE / "compiler.mjs"), str(work)],
        input="\n".join(known),
        cwd=tools,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=900,
    )
    found = json.loads(done.stdout)
    found["imports"] = [[a, line, module, kind, BUILT.get(b, b)] for a, line, module, kind, b in found["imports"]]
    return found


def _peer(tool: str, work: Path, tools: Path, known: set[str]) -> set[Edge]:
    settings = [str(work / name) for name in ("tsconfig.json", "jsconfig.json") if (work / name).exists()][:1]
    done = subprocess.run(
        ["node", str(HERE / "peers.mjs"), tool, str(work), *settings],
        cwd=tools,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=900,
    )
    if done.returncode:
        print(f"{tool} failed: {done.stderr[-400:]}", file=sys.stderr)
        return set()
    edges = {(a.replace("\\", "/"), BUILT.get(b, b)) for a, b in json.loads(done.stdout)}
    return {(a, b) for a, b in edges if a in known and b in known and a != b}


def _symbols(facts: dict[str, Any], truth: dict[str, list[list[Any]]]) -> dict[str, Any]:
    hits = total = 0
    missed: Counter[str] = Counter()
    count = sum(len(one.symbols) for one in facts.values())
    for path, one in facts.items():
        left = Counter(symbol.name for symbol in one.symbols)
        for name, _, kind in truth[path]:
            plain = " ".join(name.split())
            total += 1
            if left[plain] > 0:
                left[plain] -= 1
                hits += 1
            else:
                missed[kind] += 1
    return {
        "of_the_compiler": total,
        "recall": _share(hits, total),
        "ours": count,
        "in_the_compiler": _share(hits, count),
        "missed": dict(sorted(missed.items())),
    }


def _reason(side: str, edge: Edge, module: str, ours: set[str], theirs: set[str], work: Path) -> str:
    """Why one side has an edge that the other lacks; `ours` and `theirs` are what the same file imports."""
    source, target = edge
    text = (work / source).read_text(encoding="utf-8", errors="replace")
    if side == "ours":
        is_script = not source.endswith((".ts", ".tsx", ".mts", ".cts"))
        if "?" in module:
            return "a query for the bundler behind the path"
        if is_script and any(one.endswith(DECLARATIONS) or _stem(one) == _stem(target) for one in theirs - ours):
            return "a script: the code, where the compiler takes a declaration or a typed file"
        if not module.startswith("."):
            return "a package or an alias that another package.json or tsconfig names than the one the tool reads"
        return "other"
    if any(_stem(one) == _stem(target) for one in ours - theirs):
        return "the same module: code against declaration, or script against typed file"
    if target.endswith(DECLARATIONS) and ours - theirs:
        return "a declaration where ours is the code of the same package"
    if re.search(rf"new URL\([^)]*{re.escape(Path(target).stem)}", text):
        return "new URL(), which is no import"
    if re.search(rf"{re.escape(Path(target).stem)}[^'\"\n]*\?(?:raw|url)", text):
        return "imported as text"
    if target in BUILT.values():
        return "a built file named by its path"
    if (work / source).is_symlink() or any(parent.is_symlink() for parent in (work / source).parents):
        return "a link, followed"
    if any(one.rpartition("/")[2] == target.rpartition("/")[2] for one in ours - theirs):
        return "another package of the same name"
    return "other"


def _stem(path: str) -> str:
    return re.sub(r"(\.d)?\.[cm]?[jt]sx?$", "", path)


if __name__ == "__main__":
    main()
