"""Rust: edges against what rustc resolves, modules against the files that rustc reads, symbols against its own list.

    python bench/graph_truth/rust_truth.py [--registry FOLDER] [--workspace FOLDER] CRATE...

A CRATE is a folder in the registry folder (default: where Debian's librust-*-dev packages put their sources). It is
checked in a copy by Debian's `cargo` and `rustc` 1.63 with save-analysis, which later compilers no longer have. A
workspace is a tree with several crates; `rustc --emit dep-info` of each library names its files, and needs no
dependencies. Beside both stands universal-ctags.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
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

KINDS = {"Function", "Method", "Struct", "Enum", "Trait", "Union", "Type", "Const", "Static", "Macro", "Mod", "Field",
         "TupleVariant", "StructVariant"}  # fmt: skip
"""Kinds of definitions in the compiler's list. Of modules, those with a body in the same file are compared."""


def analysis(crate: Path) -> dict[str, Any]:
    """What rustc says of the library of a crate."""
    settings = crate / "Cargo.toml"
    sections = re.split(r"(?m)^(?=\[)", settings.read_text(encoding="utf-8"))
    kept = [
        one for one in sections if not re.match(r"\[+(dev-dependencies|target\..*dev-dependencies|bench|test\])", one)
    ]
    settings.write_text("".join(kept), encoding="utf-8")
    environment = {**os.environ, "RUSTC": "/usr/bin/rustc", "RUSTC_BOOTSTRAP": "1", "RUSTFLAGS": "-Zsave-analysis"}
    subprocess.run(
        ["/usr/bin/cargo", "check", "--offline", "--lib"], cwd=crate, env=environment, check=True, timeout=900
    )
    name = crate.name.rpartition("-")[0].replace("-", "_")
    found = next((crate / "target").rglob(f"save-analysis/lib{name}-*.json"))
    said: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    return said


def led_to(said: dict[str, Any]) -> dict[tuple[str, int], set[str]]:
    """The files that names on a line of a file lead to; all lines that were compiled have an entry."""
    place = {}
    for one in said["defs"]:
        is_module = one["kind"] == "Mod"
        place[one["id"]["krate"], one["id"]["index"]] = one["value"] if is_module else one["span"]["file_name"]
    found: dict[tuple[str, int], set[str]] = {}
    for one in [*said["imports"], *said["refs"]]:
        target, span = one.get("ref_id"), one["span"]
        files = found.setdefault((span["file_name"], span["line_start"]), set())
        if target and (target["krate"], target["index"]) in place:
            files.add(place[target["krate"], target["index"]])
    return found


def brought(said: dict[str, Any]) -> set[tuple[str, str]]:
    """Pairs of a file and another one that a `use` leads to."""
    lines = {(one["span"]["file_name"], one["span"]["line_start"]) for one in said["imports"]}
    return {(where[0], file) for where, files in led_to(said).items() if where in lines for file in files - {where[0]}}


def expected_names(said: dict[str, Any], project: Folder) -> set[tuple[str, str]]:
    """Definitions of the compiler's list that are written as such: not type parameters, not made by macros."""
    names = set()
    for one in said["defs"]:
        span, name = one["span"], one["name"].strip('"')
        if one["kind"] not in KINDS or name.isdigit() or (one["kind"] == "Mod" and span["byte_start"] == 0):
            continue
        line = (project.text(span["file_name"]) or "").split("\n")[span["line_start"] - 1]
        if re.search(rf"\b(fn|struct|enum|trait|union|type|const|static|mod|macro_rules!)\s+{re.escape(name)}\b", line):
            names.add((span["file_name"], name))
    return names


def measure_crate(source: Path) -> dict[str, Any]:
    """All figures of one crate. Of ours, what stands on lines that were compiled is compared."""
    with tempfile.TemporaryDirectory() as scratch:
        crate = Path(shutil.copytree(source, Path(scratch) / source.name))
        (crate / ".cargo").mkdir(exist_ok=True)
        (crate / ".cargo" / "config.toml").write_text(
            f'[source.crates-io]\nreplace-with = "here"\n[source.here]\ndirectory = "{source.parent}"\n',
            encoding="utf-8",
        )
        said = analysis(crate)
    project = Folder(source, [pack("rust")])
    resolver, leads = project.packs[project.files[0]].resolver(project), led_to(said)
    handed = handed_on(project)
    ours, right, reached = set(), set(), set()
    for path, facts in project.facts.items():
        for item in facts.imports:
            found = resolver.resolve(path, item)
            if not isinstance(found, Target) or (path, item.line) not in leads or item.kind == "module":
                continue
            for file in found.files:
                ours.add((path, item.line, file))
                ends = closure(file, handed)
                reached |= {(path, end) for end in ends}
                if file == path or ends & leads[path, item.line]:
                    right.add((path, item.line, file))
    truth = {pair for pair in brought(said) if pair not in module_edges(project)}
    names = {(path, one.name) for path, facts in project.facts.items() for one in facts.symbols}
    listed = expected_names(said, project)
    return {
        "files": len(project.files),
        "edges": {
            "ours": len(ours),
            "truth": len(truth),
            "precision": round(len(right) / len(ours), 4),
            "recall": round(len(truth & reached) / len(truth), 4),
            "only_ours": sorted(map(str, ours - right))[:25],
            "explained": pairs({(one, str(line), other) for one, line, other in ours - right}, (), _why),
            "only_truth": sorted(map(str, truth - reached))[:25],
        },
        "names": {
            "truth": len(listed),
            "recall": round(len(listed & names) / len(listed), 4),
            "only_truth": sorted(map(str, listed - names))[:25],
        },
    }


def _why(side: str, edge: tuple[str, ...]) -> str:
    return "a path through a module that is written in that file; the compiler's list names where the path ends"


def module_edges(project: Folder) -> set[tuple[str, str]]:
    """From each file to those that its `mod x;` name."""
    resolver = project.packs[project.files[0]].resolver(project)
    edges = set()
    for path, facts in project.facts.items():
        for item in facts.imports:
            found = resolver.resolve(path, item) if item.kind == "module" else None
            if isinstance(found, Target):
                edges |= {(path, other) for other in found.files}
    return edges


def handed_on(project: Folder) -> dict[str, set[str]]:
    """The files that each file hands names on from, by `use` and as its modules."""
    resolver = project.packs[project.files[0]].resolver(project)
    handed: dict[str, set[str]] = {}
    for path, facts in project.facts.items():
        for one in facts.exports:
            found = resolver.resolve(path, facts.imports[one.binding]) if one.binding >= 0 else None
            if isinstance(found, Target):
                handed.setdefault(path, set()).update(found.files)
    return handed


def closure(start: str, handed: dict[str, set[str]]) -> set[str]:
    """A file, and those that it hands names on from, and so on."""
    waiting, seen = [start], {start}
    while waiting:
        for other in handed.get(waiting.pop(), set()) - seen:
            seen.add(other)
            waiting.append(other)
    return seen


def _file_modules(project: Folder) -> set[tuple[str, str]]:
    """`mod x;` is an import here, and a tag for ctags."""
    rows = ((path, item) for path, facts in project.facts.items() for item in facts.imports)
    return {(path, item.local) for path, item in rows if item.kind == "module"}


def measure_workspace(root: Path) -> dict[str, Any]:
    """The files of each library as rustc reads them, against those that our modules reach."""
    project = Folder(root, [pack("rust")])
    inner: dict[str, set[str]] = {}
    for path, other in module_edges(project):
        inner.setdefault(path, set()).add(other)
    ours, expected = set(), set()
    environment = {"RUSTUP_TOOLCHAIN": "stable", **os.environ, "RUSTC_BOOTSTRAP": "1"}
    for path in [path for path in project.files if path.endswith("src/lib.rs")]:
        folder = (root / path).parent.parent
        with tempfile.TemporaryDirectory() as scratch:
            output = Path(scratch) / "x.d"
            command = [
                "rustc",
                "--edition",
                "2021",
                "--crate-type",
                "lib",
                "--cfg",
                "test",
                f"--emit=dep-info={output}",
            ]
            subprocess.run([*command, "src/lib.rs"], cwd=folder, env=environment, capture_output=True, timeout=300)
            if not output.exists():
                continue
            listed = output.read_text(encoding="utf-8").partition("\n")[0].partition(": ")[2].split()
        expected |= {(path, (folder / one).relative_to(root).as_posix()) for one in listed if one.endswith(".rs")}
        waiting, seen = [path], {path}
        while waiting:
            for other in inner.get(waiting.pop(), set()) - seen:
                seen.add(other)
                waiting.append(other)
        ours |= {(path, other) for other in seen}
    names = {(path, one.name) for path, facts in project.facts.items() for one in facts.symbols}
    modules = _file_modules(project)
    tags = [
        (path, tag)
        for path, tag in definitions(root, project.files, "Rust")
        if tag.kind != "implementation" and tag.name != "_" and (path, tag.name) not in modules
    ]
    return {
        "files": len(project.files),
        "files_of_crates": score(ours, expected),
        "files_explained": pairs(ours, expected, lambda side, _: "behind a feature that is off in this build"),
        "names_beside_ctags": score(names, {(path, tag.name) for path, tag in tags}),
        "names_explained": explaining.names(root, project, project.files, by_file(tags)),
        "speed": ratio("rust", root, project.files),
    }


def main() -> None:
    """All crates and workspaces that were named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--registry", type=Path, default=Path("/usr/share/cargo/registry"))
    parser.add_argument("--workspace", type=Path, action="append", default=[])
    parser.add_argument("crates", nargs="*")
    said = parser.parse_args()
    rows = {name: measure_crate(said.registry / name) for name in said.crates}
    rows |= {root.name: measure_workspace(root.resolve()) for root in said.workspace}
    write("rust", rows)


if __name__ == "__main__":
    main()
