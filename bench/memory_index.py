"""What the memory index costs: a build, one edit, nothing changed, and a search; beside parsing alone.

    uv run python bench/memory_index.py [--large]

copies the vaults that lie in `../shared/data/vaults` (or ORI_BENCH_VAULTS, a folder of vaults), builds their index with
one process and writes `bench/results/memory_index.json`. `--large` adds 40,000 notes made of the same texts. Processor
time is given beside the wall clock, since the machine may be shared.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "memory_index.json"
LARGE = 40_000
QUERIES = ("garden", "knowledge graph", "flancian agora", "C++", "部署", "serNam", "the of a and to", '"open')

# Python before 3.11.4 knows no filters.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def vaults(folder: Path) -> Iterator[Path]:
    named = os.environ.get("ORI_BENCH_VAULTS")
    if named:
        for source in sorted(Path(named).iterdir()):
            yield Path(shutil.copytree(source, folder / source.name))
        return
    places = (up / "shared/data/vaults" for up in Path(__file__).resolve().parents)
    data = next((place for place in places if place.is_dir()), None)
    if data is None:
        raise SystemExit("no vaults: set ORI_BENCH_VAULTS to a folder of vaults")
    for archive in sorted(data.glob("*.tar.gz")):
        target = folder / archive.name.removesuffix(".tar.gz")
        with tarfile.open(archive) as file:
            file.extractall(target, **SAFELY)
        inner = list(target.iterdir())
        yield inner[0] if len(inner) == 1 and inner[0].is_dir() else target


def enlarged(source: Path, folder: Path) -> Path:
    """Notes of real text under new names: each copy's links lead to notes of its own copy."""
    files = sorted(source.rglob("*.md"))
    target = folder / "large"
    for number in range(LARGE):
        file = files[number % len(files)]
        place = target / f"copy{number // len(files)}" / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)
    return target


def clocked(work: Callable[[], object]) -> tuple[float, float]:
    wall, own = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - own


def milliseconds(work: Callable[[], object], times: int) -> dict[str, float]:
    rows = [clocked(work) for _ in range(times)]
    return {
        "wall_ms": round(statistics.median(row[0] for row in rows) * 1000, 2),
        "cpu_ms": round(statistics.median(row[1] for row in rows) * 1000, 2),
    }


def measure(root: Path) -> dict[str, Any]:
    """In a process of its own, so that the memory is this vault's."""
    from ori_memory.index.index import Index
    from ori_memory.notes.parsing import parse_note
    from ori_memory.notes.text import read_note
    from ori_memory.scanning.walk import scan_notes
    from ori_memory.vault.making import adopt_vault

    vault = adopt_vault(root).vault
    files = scan_notes(root, vault.config.index.skip).files
    scan = milliseconds(lambda: scan_notes(root, vault.config.index.skip), 7)

    def parse_all() -> None:
        for file in files:
            path = root / file.path
            parse_note(read_note(path).text, path.stem)

    floor_wall, floor_cpu = clocked(parse_all)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Index(vault) as index:
        build_wall, build_cpu = clocked(index.sync)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        counts = index.counts()
        unchanged = milliseconds(index.sync, 9)
        edited = root / files[len(files) // 2].path
        text = edited.read_text(encoding="utf-8", errors="replace")
        edits = []
        for number in range(9):
            edited.write_text(f"{text}\nedit {number} [[new {number}]]\n", encoding="utf-8")
            edits.append(clocked(index.sync))
        searches = {query: milliseconds(lambda query=query: index.search_words(query), 5) for query in QUERIES}
        size = index.status().size
    return {
        "vault": root.name,
        "notes": counts.notes,
        "links": counts.links,
        "dangling": counts.dangling,
        "suggested": counts.suggested,
        "text_mb": round(sum(file.size for file in files) / 1e6, 2),
        "index_mb": round(size / 1e6, 2),
        "parsing_alone": {"wall_s": round(floor_wall, 2), "cpu_s": round(floor_cpu, 2)},
        "build": {
            "wall_s": round(build_wall, 2),
            "cpu_s": round(build_cpu, 2),
            "notes_per_cpu_second": round(counts.notes / build_cpu),
            "peak_rss_mb": round(peak / 1024),
            "rss_before_mb": round(before / 1024),
        },
        "stat_pass": scan,
        "nothing_changed": unchanged,
        "one_edit": {
            "wall_ms": round(statistics.median(row[0] for row in edits) * 1000, 2),
            "cpu_ms": round(statistics.median(row[1] for row in edits) * 1000, 2),
        },
        "search": searches,
    }


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(Path(sys.argv[2])), ensure_ascii=False))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        roots = list(vaults(folder))
        if "--large" in sys.argv:
            roots.append(enlarged(max(roots, key=lambda root: sum(1 for _ in root.rglob("*.md"))), folder))
        rows = []
        for root in roots:
            command = [sys.executable, __file__, "--measure", str(root)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=900, check=True)
            rows.append(json.loads(done.stdout))
            row = rows[-1]
            print(f"{row['vault']}: {row['build']}, one edit {row['one_edit']}, unchanged {row['nothing_changed']}")
    load = [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None
    machine = {"cores": os.cpu_count(), "load_at_the_end": load, "python": sys.version.split()[0]}
    RESULTS.write_text(
        json.dumps({"machine": machine, "vaults": rows}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
