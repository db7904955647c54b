"""What judgements are worth: `python bench/judgement.py [--trees FOLDER]` writes `bench/results/judgement.json`.

Functions of real projects are changed as people change what they copy (`judgement_cases.py`), or write it anew
(`judgement_rewrites.py`), and the original is looked for. False hits: functions of one project are looked for in
another one. Places: functions are taken out of a copy of the tree, and the file they came from is looked for by their
first line of documentation and by their code. Customs: functions are held against their own file. The trees are
releases in folders of these names; those that pip and npm can fetch are. CPU milliseconds, caches warm unless it is
said. `--fit` prints the weights of `aries_body.judgement.duplicates` anew.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from code_graph import TREES, fetched
from judgement_cases import EDITS, Case, cases_of, plain_text
from judgement_fit import weights_of
from judgement_rewrites import REWRITES, merged
from judgement_table import BOUNDS, README, RESULTS, with_table

from aries_body.judgement.comparing import Evidence, Likeness, Piece, Weights, evidence, read_pieces
from aries_body.judgement.duplicates import (
    LEAST_WORDS,
    THRESHOLD,
    AtHand,
    find_duplicates,
    pieces_of,
    similarity_of,
)
from aries_body.judgement.library import Library, Unit
from aries_body.judgement.snippets import read_snippet
from aries_body.operations.codebase import Codebase

FUNCTIONS, STRANGERS, HELD_AGAINST, TAKEN_OUT = 24, 400, 100, 25
PROJECTS: dict[str, tuple[str, str]] = {
    "flask": ("python", "pytest"),
    "pytest": ("python", "flask"),
    "django": ("python", "sympy"),
    "express": ("javascript", "eslint"),
    "eslint": ("javascript", "express"),
    "vite": ("typescript", "vuecore"),
    "restic-0.14.0": ("go", "golang-google-grpc-1.33.3"),
    "rust-ripgrep-13.0.0": ("rust", "ruff-0.6.9"),
    "libuv1-1.44.2": ("c", "curl-7.88.1"),
    "leveldb-1.23": ("cpp", "fmtlib-9.1.0+ds1"),
    "libcommons-lang3-java-3.12.0": ("java", "jsoup-1.15.3"),
    "sqlalchemy-2.0.30": ("python", "rich-15.0.0"),
    "webpack-5.113.0": ("javascript", "fastify-5.12.8"),
    "rxjs-7.8.2": ("typescript", "vuecore"),
    "prometheus-2.42.0": ("go", "etcd-3.4.23"),
    "ruff-0.6.9": ("rust", "rust-bat-0.22.1"),
    "redis-7.0.15": ("c", "curl-7.88.1"),
    "re2-20220601": ("cpp", "spdlog-1.10.0"),
    "jsoup-1.15.3": ("java", "commons-io-2.11.0"),
}
PLACED = ("flask", "pytest", "vite", "restic-0.14.0")


class Function(NamedTuple):
    """One that is worth looking for."""

    unit: Unit
    text: str


def functions(library: Library, language: str, count: int, chance: random.Random) -> list[Function]:
    """Some functions of a project, by chance."""
    project, found = library.project, []
    for path, profile in sorted(library.profiles().items()):
        if project.language(path) == language:
            for place, span, size in zip(profile.places, profile.spans, profile.sizes, strict=True):
                if size >= LEAST_WORDS:
                    found.append(Unit(path, place, *span, size))
    chance.shuffle(found)
    chosen = []
    for unit in found:
        if project.facts(unit.path).symbols[unit.place].kind in ("function", "method"):
            source = project.text(unit.path).encode("utf-8")
            chosen.append(Function(unit, source[unit.start : unit.end].decode("utf-8", "replace")))
        if len(chosen) == count:
            break
    return chosen


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and its CPU milliseconds."""
    start = time.process_time()
    found = function()
    return found, (time.process_time() - start) * 1_000


def edits(codebase: Codebase, language: str, chance: random.Random) -> dict[str, Any]:
    """Changed copies: where the original is among what is found, and how sure the answer is."""
    library, spent, sure = codebase._library, [], []
    ranks: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    chosen = functions(library, language, FUNCTIONS + 1, chance)
    for one, other in itertools.pairwise(chosen):
        for case in _cases(one, other, library, language, chance):
            if read_snippet(library, case.text, None).pieces()[0][1].size < LEAST_WORDS:
                continue
            found, ms = timed(lambda text=case.text: codebase.detect_duplication(text, 0.0, 3))
            spent.append(ms)
            first, last = _lines(codebase, one.unit)
            mine = [
                row.similarity
                for row in found
                if row.path == one.unit.path and (row.line == first or row.end_line == last)
            ]
            sure += mine[:1]
            ranks[case.edit].append((bool(mine), any(similarity >= THRESHOLD for similarity in mine)))
    return {
        "edits": {
            name: {
                "cases": len(rows),
                "first_three": round(sum(is_found for is_found, _ in rows) / len(rows), 3),
                "told": round(sum(is_told for _, is_told in rows) / len(rows), 3),
            }
            for name, rows in sorted(ranks.items())
        },
        "sure": _counted(sure),
        "median_ms": round(statistics.median(spent), 1),
        "p95_ms": round(sorted(spent)[int(0.95 * len(spent))], 1),
    }


def _cases(one: Function, other: Function, library: Library, language: str, chance: random.Random) -> Iterator[Case]:
    lexer = library.lexer(one.unit.path)
    yield from cases_of(one.text, lexer, language, chance, EDITS | REWRITES)
    both = merged(plain_text(one.text), plain_text(other.text), lexer, language, chance)
    if both is not None:
        yield Case("two functions merged", both)


def _counted(similarities: Sequence[float]) -> list[int]:
    """How many lie from each bound on."""
    return [sum(low <= one < high for one in similarities) for low, high in itertools.pairwise((*BOUNDS, 1.1))]


def _lines(codebase: Codebase, unit: Unit) -> tuple[int, int]:
    symbol = codebase.project.facts(unit.path).symbols[unit.place]
    return symbol.line, symbol.end_line


def false_hits(codebase: Codebase, strangers: Codebase, language: str, chance: random.Random) -> dict[str, Any]:
    """Functions of another project that are taken for duplicates of something here."""
    chosen = functions(strangers._library, language, STRANGERS, chance)
    sure = []
    for one in chosen:
        piece = read_pieces([one.text], strangers._library.lexer(one.unit.path))[0]
        family = strangers._library.family(one.unit.path)
        found = find_duplicates(AtHand(codebase._library), piece, family, THRESHOLD, lambda unit: True)
        sure += [found[0].similarity] if found else []
    return {
        "functions": len(chosen),
        "share": round(len(sure) / max(1, len(chosen)), 4),
        "sure": _counted(sure),
    }


def customs(codebase: Codebase, language: str, chance: random.Random) -> dict[str, Any]:
    """Functions against their own file, and against another file of their folder."""
    own = other = beside = 0
    chosen = functions(codebase._library, language, HELD_AGAINST, chance)
    sources = codebase.list_files()
    for one in chosen:
        own += not codebase.is_consistent_with(one.text, one.unit.path).is_consistent
        folder = one.unit.path.rpartition("/")[0]
        near = [
            path
            for path in sources
            if path.rpartition("/")[0] == folder
            and path != one.unit.path
            and codebase.project.language(path) == language
        ]
        if near:
            beside += 1
            other += not codebase.is_consistent_with(one.text, chance.choice(near)).is_consistent
    return {
        "functions": len(chosen),
        "own_file": round(own / max(1, len(chosen)), 4),
        "other_file": round(other / max(1, beside), 4),
    }


def places(tree: Path, language: str, chance: random.Random, cache: Path) -> dict[str, Any]:
    """Functions that were taken out of a copy of the tree, and the file each came from."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "copy"
        shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns("node_modules", ".git"))
        with _opened(copy, cache) as codebase:
            chosen = [
                (one, codebase.project.facts(one.unit.path).symbols[one.unit.place].doc)
                for one in functions(codebase._library, language, 12 * TAKEN_OUT, chance)
                if not codebase.project.is_test(one.unit.path)
            ]
        documented = [one for one in chosen if len(one[1].split()) >= 4]
        taken = (documented or chosen)[:TAKEN_OUT]
        for path in {one.unit.path for one, _ in taken}:
            source = (copy / path).read_bytes()
            for unit in sorted((one.unit for one, _ in taken if one.unit.path == path), key=lambda unit: -unit.start):
                source = source[: unit.start] + b"pass" * (language == "python") + source[unit.end :]
            (copy / path).write_bytes(source)
        with _opened(copy, cache) as codebase:
            by_code = [_rank(codebase, one.text, one.unit.path) for one, _ in taken]
            by_text = [_rank(codebase, doc, one.unit.path) for one, doc in taken if len(doc.split()) >= 4]
    return {"code": _ranked(by_code), "description": _ranked(by_text)}


def _rank(codebase: Codebase, asked: str, path: str) -> tuple[int, bool]:
    rows = [row.path for row in codebase.suggest_location(asked, 10)]
    folder = path.rpartition("/")[0]
    return (rows.index(path) if path in rows else 99), folder in {one.rpartition("/")[0] for one in rows[:3]}


def _ranked(rows: list[tuple[int, bool]]) -> dict[str, Any] | None:
    if not rows:
        return None
    count = len(rows)
    return {
        "cases": count,
        "first": round(sum(rank == 0 for rank, _ in rows) / count, 3),
        "first_three": round(sum(rank < 3 for rank, _ in rows) / count, 3),
        "folder_in_three": round(sum(is_near for _, is_near in rows) / count, 3),
    }


class _Opened:
    def __init__(self, tree: Path, cache: Path) -> None:
        self._codebase = Codebase.open(tree.resolve(), cache_folder=cache)

    def __enter__(self) -> Codebase:
        return self._codebase

    def __exit__(self, *_: object) -> None:
        self._codebase.close()


def _opened(tree: Path, cache: Path) -> _Opened:
    return _Opened(tree, cache)


def measure(name: str, trees: Path, cache: Path) -> dict[str, Any]:
    """Everything about one project; each part has its own chance, so that it can be repeated alone."""
    language, stranger = PROJECTS[name]
    row: dict[str, Any] = {"language": language} | first_question(trees / name, cache)
    with _opened(trees / name, cache) as codebase:
        codebase.stats()
        _, again = timed(lambda: codebase.detect_duplication("x = 1\n" * LEAST_WORDS, 0.99, 1, language))
        row |= {"first_question_ms": round(again)} | edits(codebase, language, random.Random(f"{name} edits"))
        row["customs"] = customs(codebase, language, random.Random(f"{name} customs"))
        if (trees / stranger).is_dir():
            row["false_hits"] = against(codebase, name, trees, cache)
    if name in PLACED:
        row["places"] = places(trees / name, language, random.Random(f"{name} places"), cache)
    with _opened(trees / name, cache) as codebase:
        _, row["signature_ms"] = timed(lambda: codebase.signature("lean"))
    row["signature_ms"] = round(row["signature_ms"], 1)
    return row


def first_question(tree: Path, cache: Path) -> dict[str, Any]:
    """What the first judgement of a project costs that was indexed before."""
    with _opened(tree, cache) as codebase:
        codebase.project.store._connection.execute("DELETE FROM profiles")
        _, ms = timed(codebase._library.profiles)
        return {"files": len(codebase.list_files()), "profiles_ms": round(ms)}


def against(codebase: Codebase, name: str, trees: Path, cache: Path) -> dict[str, Any]:
    """The functions of another project of the same language."""
    language, stranger = PROJECTS[name]
    with _opened(trees / stranger, cache) as strangers:
        return false_hits(codebase, strangers, language, random.Random(f"{name} strangers"))


def labelled(name: str, trees: Path, cache: Path) -> Iterator[tuple[bool, Evidence]]:
    """What the weights are fitted to: copies and their originals; what strangers have in common with functions here."""
    language, stranger = PROJECTS[name]
    chance = random.Random(name)
    with _opened(trees / name, cache) as codebase:
        library = codebase._library
        for one in functions(library, language, FUNCTIONS, chance):
            lexer, family = library.lexer(one.unit.path), library.family(one.unit.path)
            for case in cases_of(one.text, lexer, language, chance, EDITS | REWRITES):
                piece = read_pieces([case.text], lexer)[0]
                yield from ((True, both) for unit, both in _near(library, piece, family) if unit == one.unit)
        if not (trees / stranger).is_dir():
            return
        with _opened(trees / stranger, cache) as others:
            for one in functions(others._library, language, STRANGERS, chance):
                piece = read_pieces([one.text], others._library.lexer(one.unit.path))[0]
                family = others._library.family(one.unit.path)
                yield from ((False, both) for _, both in _near(library, piece, family))


def _near(library: Library, piece: Piece, family: str) -> Iterator[tuple[Unit, Evidence]]:
    near = {one.unit: one.stretches for one in library.candidates(piece, family, 32)}
    for unit, other in pieces_of(library, [unit for unit in near if min(unit.size, piece.size) >= LEAST_WORDS]):
        yield unit, evidence(piece, other, near[unit], Weights(library.rarity))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=Path, default=Path.home() / ".cache" / "aries-bench" / "trees")
    parser.add_argument("--cache", type=Path, help="keep indexes here; a temporary folder if not given")
    parser.add_argument("--only", nargs="*", choices=sorted(PROJECTS), help="these projects alone")
    parser.add_argument("--output", type=Path, default=RESULTS, help="another place for what was measured")
    parser.add_argument("--fit", action="store_true", help="print the weights anew and write nothing")
    given = parser.parse_args()
    for name in TREES:
        fetched(name, given.trees)
    wanted = [name for name in given.only or PROJECTS if (given.trees / name).is_dir()]
    with tempfile.TemporaryDirectory() as temporary:
        cache = given.cache or Path(temporary)
        if given.fit:
            rows = [row for name in wanted for row in labelled(name, given.trees, cache)]
            print(weights_of(rows))
            return
        results: dict[str, Any] = {}
        for name in wanted:
            print(name, file=sys.stderr)
            results[name] = measure(name, given.trees, cache)
    certain = similarity_of(Evidence(Likeness(1.0, 1.0, 1.0, 0.0), 2.0, 0.0, 0.0))
    written = {"threshold": THRESHOLD, "least_words": LEAST_WORDS, "renamed_is": round(certain, 3), "projects": results}
    given.output.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    if given.output == RESULTS:
        README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
