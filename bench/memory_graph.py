"""What the graph of a large vault costs: building it, its figures, its page, and the page's first picture.

    python bench/memory_graph.py [VAULT.tar.gz]

reads the notes of the vault (default: the garden beside the repository, in `shared/data/vaults`) with ori's own parser
and resolver, mentions included, and writes `bench/results/memory_graph.json`. Chromium is used where it is installed.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
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
from pathlib import Path
from typing import Any, TypeVar

from ori_memory.graph.betweenness import betweenness
from ori_memory.graph.communities import communities_of
from ori_memory.graph.edges import SUGGESTED, Edge
from ori_memory.graph.graph import NoteGraph
from ori_memory.graph.page import graph_page
from ori_memory.graph.ranking import pagerank, personalised_pagerank
from ori_memory.graph.structure import structure_of
from ori_memory.graph.warmth import vitalities
from ori_memory.index.record import record_of
from ori_memory.links.mentions import Mentions
from ori_memory.links.resolving import NamedNote, Resolver
from ori_memory.model import NoteRecord, ParsedNote
from ori_memory.notes.parsing import parse_note

RESULTS = Path(__file__).parent / "results" / "memory_graph.json"
ROUNDS = 3
NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

T = TypeVar("T")

# Python before 3.11.4 knows no filters.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def vault_archive() -> Path:
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    for folder in Path(__file__).resolve().parents:
        found = folder.parent / "shared" / "data" / "vaults" / "flancian-garden.tar.gz"
        if found.exists():
            return found
    raise SystemExit("No vault found: name a .tar.gz with notes.")


def read_vault(archive: Path, folder: Path) -> tuple[list[NoteRecord], list[Edge]]:
    with tarfile.open(archive) as tar:
        tar.extractall(folder, **SAFELY)
    parsed: dict[str, ParsedNote] = {}
    for file in sorted(folder.rglob("*.md")):
        path = file.relative_to(folder).as_posix()
        if not any(part.startswith(".") for part in path.split("/")):
            parsed[path] = parse_note(file.read_text(encoding="utf-8", errors="replace"), file.stem)
    named = [NamedNote(path, note.title, note.aliases) for path, note in parsed.items()]
    resolver, mentions = Resolver.of(named), Mentions.of(named)
    times: Counter[tuple[str, str, str]] = Counter()
    for path, note in parsed.items():
        for link in note.links:
            if (target := resolver.resolve(link, path).path) is not None:
                times[path, target, link.kind.value] += 1
        for mention in mentions.find(note.body, path):
            times.update((path, target, SUGGESTED) for target in mention.paths)
    notes = [record_of(note, path, path) for path, note in parsed.items()]
    return notes, [Edge(*key, count) for key, count in times.items()]


def timed(step: Callable[[], T], rounds: int = ROUNDS) -> tuple[float, T]:
    """The median of milliseconds, and the last result."""
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = step()
        spent.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(spent), 1), result


def first_picture(page: Path, program: str) -> float:
    """Milliseconds from navigation to the first frame with all links and notes, as the page itself saw it."""
    command = [program, "--headless", "--no-sandbox", "--enable-unsafe-swiftshader", "--window-size=1400,900"]
    command += ["--timeout=8000", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=90, check=True, encoding="utf-8")
    found = re.search(r'data-milliseconds="(\d+)"', done.stdout)
    if found is None:
        raise SystemExit("The page drew nothing.")
    return float(found[1])


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        notes, edges = read_vault(vault_archive(), folder / "vault")
        row: dict[str, Any] = {"notes": len(notes), "edges": dict(Counter(edge.kind for edge in edges))}
        row["build_ms"], graph = timed(lambda: NoteGraph.build(notes, edges))
        row["first_use_of_rustworkx_ms"], _ = timed(lambda: graph.directed, 1)
        row["pagerank_ms"], _ = timed(lambda: pagerank(graph))
        row["personalised_pagerank_ms"], _ = timed(lambda: personalised_pagerank(graph, {notes[0].path: 1.0}))
        row["structure_ms"], structure = timed(lambda: structure_of(graph))
        row["communities_ms"], communities = timed(lambda: communities_of(graph))
        row["communities"] = len(communities.groups)
        row["modularity"] = round(communities.modularity, 4)
        row["betweenness_ms"], sampled = timed(lambda: betweenness(graph), 1)
        row["betweenness"] = sampled.method
        row["betweenness_exact_ms"], exact = timed(lambda: betweenness(graph, exact_up_to=len(notes)), 1)
        tops = ({path for path, _ in scores.top(50)} for scores in (sampled, exact))
        row["betweenness_top_50_in_common"] = len(set.intersection(*tops))
        row["vitality_ms"], life = timed(lambda: vitalities(graph, NOW, bridge_notes=structure.bridge_notes))
        warmth = {path: vitality.value for path, vitality in life.items()}
        row["page_ms"], page = timed(lambda: graph_page(notes, edges, communities, warmth), 1)
        row["page_kilobytes"] = len(page) // 1000
        row["first_picture_ms"] = None
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if program is not None:
            file = folder / "page.html"
            file.write_text(page, encoding="utf-8")
            row["first_picture_ms"] = statistics.median(first_picture(file, program) for _ in range(ROUNDS))
    row["machine"] = f"{os.cpu_count()} cores, Python {platform.python_version()}, software rendering"
    RESULTS.write_text(json.dumps(row, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(row, indent=2))


if __name__ == "__main__":
    main()
