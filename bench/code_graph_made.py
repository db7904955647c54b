"""The code graph on what no repository is: very many small files, and a very large graph."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from code_graph_costs import cpu, timed

__all__ = ["large_graph", "many_files"]


def many_files(tree: Path, cache: Path) -> dict[str, Any]:
    """17,500 small files under git: opening with nothing changed."""
    root = cache / "many"
    for number in range(17_500):
        folder = root / f"pkg{number % 70}" / f"sub{number % 7}"
        folder.mkdir(parents=True, exist_ok=True)
        other = number * 3 % 17_500
        text = (
            f"from pkg{other % 70}.sub{other % 7} import m{other}\n\ndef f{number}():\n    return m{other}.f{other}()\n"
        )
        (folder / f"m{number}.py").write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    from aries_body.index.project import Project

    Project.open(root, cache_folder=cache / "many-index").close()
    time.sleep(2.5)  # Files are trusted by their times once they are two seconds old.
    Project.open(root, cache_folder=cache / "many-index").close()
    start, wall = cpu(), time.perf_counter()
    project = Project.open(root, cache_folder=cache / "many-index")
    found = {"files": len(project.sources), "seconds": cpu() - start, "wall_seconds": time.perf_counter() - wall}
    shutil.rmtree(root)
    return found


def large_graph(tree: Path, cache: Path) -> dict[str, Any]:
    """10,000 nodes and 50,000 edges in 100 planted groups, in milliseconds."""
    from aries_body.graph.communities import communities_of
    from aries_body.graph.files import FileGraph, Tie
    from aries_body.graph.ranking import betweenness, hits, pagerank
    from aries_body.graph.structure import cycles, layers

    chance = random.Random(0)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < 50_000:
        one = chance.randrange(10_000)
        group = one // 100 if chance.random() < 0.8 else chance.randrange(100)
        other = group * 100 + chance.randrange(100)
        if one != other:
            pairs.add((one, other))
    ties = {pair: Tie({"import": 1}, {}, 0.5 + chance.random()) for pair in sorted(pairs)}
    graph = FileGraph.from_ties([f"g{n // 100}/f{n}" for n in range(10_000)], ties, frozenset())
    _ = graph.directed, graph.voting, graph.undirected_weights
    found = {
        "pagerank": timed(lambda: pagerank(graph), 5), "hits": timed(lambda: hits(graph), 5),
        "communities": timed(lambda: communities_of(graph), 5), "cycles": timed(lambda: cycles(graph), 3),
        "layers": timed(lambda: layers(graph), 3), "betweenness": timed(lambda: betweenness(graph)),
    }  # fmt: skip
    return {f"{name}_ms": round(value * 1000, 1) for name, value in found.items()}
