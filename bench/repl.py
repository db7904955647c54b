"""What the body costs: the overhead of an execution, its start and restart, and a long run of code that misbehaves.

    uv run python bench/repl.py [--executions 1000] [--confinement bubblewrap]

Overhead is what the host waits for an execution that does nothing. A restart is measured from the death of a process
that held variables until the next one has them again. Results go to `bench/results/repl.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aries_body.confinement.choosing import ORDER, choose
from aries_body.confinement.plan import Kind, Limits
from aries_body.process.body import Body
from aries_body.process.starting import Launch
from aries_body.services.providers import groups_with

sys.path.insert(0, str(Path(__file__).parents[1] / "plugins" / "body" / "tests"))

from torture import Remains, torture

RESULTS = Path(__file__).parent / "results" / "repl.json"
PAGE = Path(__file__).parents[1] / "plugins" / "body" / "docs" / "repl.md"
START, END = "<!-- figures -->", "<!-- end of figures -->"
EXECUTIONS, STARTS = 1000, 11
VARIABLES = "\n".join(
    f"value_{n} = {{'n': {n}, 'rows': list(range(50))}}\ndef f_{n}(x):\n    return x + {n}" for n in range(50)
)


def make(folder: Path, kind: Kind) -> Body:
    """A body in an empty project."""
    return Body(
        Launch(folder, choose(os.environ, (kind,)), os.environ, groups_with(()), Limits(memory=400, processes=40))
    )


def milliseconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def spread(values: list[float]) -> dict[str, float]:
    """Median and the slow end."""
    ordered = sorted(values)
    return {"p50": round(statistics.median(ordered), 3), "p95": round(ordered[int(len(ordered) * 0.95)], 3)}


def overhead(body: Body) -> dict[str, Any]:
    """Of executions that do nothing, in a namespace that is empty and in one with a hundred names."""
    empty = [milliseconds(lambda: body.execute("None")) for _ in range(EXECUTIONS)]
    body.execute(VARIABLES)
    full = [milliseconds(lambda: body.execute("None")) for _ in range(EXECUTIONS // 4)]
    return {"empty": spread(empty), "hundred_names": spread(full)}


def restarts(body: Body) -> dict[str, float]:
    """From the death of the process to the answer that names what came back."""
    return spread([milliseconds(lambda: body.execute("import os; os._exit(1)")) for _ in range(STARTS)])


def starts(folder: Path, kind: Kind) -> dict[str, float]:
    """From nothing to the first answer."""
    found = []
    for _ in range(STARTS):
        body = make(folder, kind)
        found.append(milliseconds(lambda: body.execute("1")))  # noqa: B023 - run at once
        body.close()
    return spread(found)


def long_run(folder: Path, kind: Kind, count: int) -> dict[str, Any]:
    """Random misbehaviour, and what is left of it."""
    before = Remains.now()
    body = make(folder, kind)
    start = time.perf_counter()
    tally = torture(body, count, random.Random(6))
    is_well = body.execute("40 + 2").value == "42"
    body.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "executions": count,
        "answered": sum(tally.statuses.values()),
        "statuses": dict(sorted(tally.statuses.items())),
        "restarts": tally.restarts,
        "unexpected": tally.unexpected,
        "is_well_afterwards": is_well,
        "leaves_nothing": Remains.now() == before,
        "seconds": round(time.perf_counter() - start, 1),
        "host_megabytes_at_most": memory,
    }


def with_figures(page: str, figures: dict[str, Any]) -> str:
    """The page about the REPL with these figures."""
    rows = ["| milliseconds, median | bubblewrap | Landlock | none |", "| --- | ---: | ---: | ---: |"]
    kinds = [figures["confinement"][kind] for kind in ORDER]
    for name, of in (
        ("an execution that does nothing", lambda one: one["overhead_milliseconds"]["empty"]),
        (
            "the same with a hundred variables and functions to keep",
            lambda one: one["overhead_milliseconds"]["hundred_names"],
        ),
        ("from the death of a process to its answer, variables back", lambda one: one["restart_milliseconds"]),
        ("from nothing to the first answer", lambda one: one["start_milliseconds"]),
    ):
        rows.append(f"| {name} | {' | '.join(str(of(one)['p50']) for one in kinds)} |")
    run = figures["torture"]
    text = (
        f"{run['executions']:,} executions that loop, sleep, die, fork, print 100 MB or hoard memory, killed and "
        f"interrupted at random: {run['answered']:,} answers, {run['restarts']} restarts, nothing left behind, "
        f"{run['host_megabytes_at_most']} MB of memory in the host at most."
    )
    before, _, rest = page.partition(START)
    table = "\n".join(rows)
    return f"{before}{START}\n{table}\n\n{text}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--executions", type=int, default=1000)
    parser.add_argument("--confinement", choices=ORDER, default="bubblewrap")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        tempfile.tempdir = name
        figures: dict[str, Any] = {"confinement": {}}
        for kind in ORDER:
            body = make(folder, kind)
            if body.launch.confinement.kind != kind:
                continue
            figures["confinement"][kind] = {
                "overhead_milliseconds": overhead(body),
                "restart_milliseconds": restarts(body),
                "start_milliseconds": starts(folder, kind),
            }
            body.close()
        figures["torture"] = {"confinement": given.confinement, **long_run(folder, given.confinement, given.executions)}
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
