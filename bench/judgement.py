"""What judgements are worth: `python bench/judgement.py [--trees FOLDER]` writes `bench/results/judgement.json`.

Functions of real projects are changed as people change what they copy (`judgement_cases.py`), and the original is
looked for. False hits: functions of one project are looked for in another one. Places: functions are taken out of a
copy of the tree, and the file they came from is looked for by their first line of documentation and by their code.
Customs: functions are held against their own file. The trees are releases in folders of these names; those that pip
and npm can fetch are. CPU milliseconds, caches warm unless it is said. `--fit` prints the weights of
`aries_body.judgement.duplicates` anew.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from code_graph import TREES, fetched
from judgement_cases import cases_of
from judgement_fit import weights_of
from judgement_table import README, RESULTS, with_table

from aries_body.judgement.comparing import Likeness, Piece, likeness
from aries_body.judgement.duplicates import LEAST_WORDS, THRESHOLD, find_duplicates, piece_of, similarity_of
from aries_body.judgement.library import Library, Unit
from aries_body.judgement.snippets import read_snippet
from aries_body.operations.codebase import Codebase

FUNCTIONS, STRANGERS, HELD_AGAINST, TAKEN_OUT = 40, 400, 100, 25
PROJECTS = {
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
    "libcommons-lang3-java-3.12.0": ("java", None),
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
    library, spent = codebase._library, []
    ranks: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for one in functions(library, language, FUNCTIONS, chance):
        for case in cases_of(one.text, library.lexer(one.unit.path), language, chance):
            if read_snippet(library, case.text, None).pieces()[0][1].size < LEAST_WORDS:
                continue
            found, ms = timed(lambda text=case.text: codebase.detect_duplication(text, 0.0, 3))
            spent.append(ms)
            first, last = _lines(codebase, one.unit)
            at = [row for row in found if (row.path, row.line) == (one.unit.path, first) or row.end_line == last]
            mine = [row for row in at if row.path == one.unit.path]
            ranks[case.edit].append((bool(mine), any(row.similarity >= THRESHOLD for row in mine)))
    return {
        "edits": {
            name: {
                "cases": len(rows),
                "first_three": round(sum(is_found for is_found, _ in rows) / len(rows), 3),
                "told": round(sum(is_told for _, is_told in rows) / len(rows), 3),
            }
            for name, rows in ranks.items()
        },
        "median_ms": round(statistics.median(spent), 1),
        "p95_ms": round(sorted(spent)[int(0.95 * len(spent))], 1),
    }


def _lines(codebase: Codebase, unit: Unit) -> tuple[int, int]:
    symbol = codebase.project.facts(unit.path).symbols[unit.place]
    return symbol.line, symbol.end_line


def false_hits(codebase: Codebase, strangers: Codebase, language: str, chance: random.Random) -> dict[str, Any]:
    """Functions of another project that are taken for duplicates of something here."""
    chosen = functions(strangers._library, language, STRANGERS, chance)
    hits = 0
    for one in chosen:
        piece = Piece.of(one.text, strangers._library.lexer(one.unit.path))
        family = strangers._library.family(one.unit.path)
        hits += bool(find_duplicates(codebase._library, piece, family, THRESHOLD, lambda unit: True))
    return {"functions": len(chosen), "share": round(hits / max(1, len(chosen)), 4)}


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
        if stranger is not None and (trees / stranger).is_dir():
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
    with _opened(trees / str(stranger), cache) as strangers:
        return false_hits(codebase, strangers, language, random.Random(f"{name} strangers"))


def labelled(name: str, trees: Path, cache: Path) -> Iterator[tuple[bool, Likeness]]:
    """What the weights are fitted to: copies and their originals; what strangers and neighbours have in common."""
    language, stranger = PROJECTS[name]
    chance = random.Random(name)
    with _opened(trees / name, cache) as codebase:
        library = codebase._library
        for one in functions(library, language, FUNCTIONS, chance):
            family = library.family(one.unit.path)
            original = Piece.of(one.text, library.lexer(one.unit.path))
            for case in cases_of(one.text, library.lexer(one.unit.path), language, chance):
                piece = read_snippet(library, case.text, language).pieces()[0][1]
                if piece.size >= LEAST_WORDS:
                    yield True, likeness(piece, original)
            for unit, other in _near(library, original, family):
                both = likeness(original, other)
                if unit != one.unit and both.form < 0.55 and max(both.within, both.around) < 0.6:
                    yield False, both
        if stranger is None or not (trees / stranger).is_dir():
            return
        with _opened(trees / stranger, cache) as others:
            for one in functions(others._library, language, STRANGERS, chance):
                piece = Piece.of(one.text, others._library.lexer(one.unit.path))
                for _, other in _near(library, piece, others._library.family(one.unit.path)):
                    yield False, likeness(piece, other)


def _near(library: Library, piece: Piece, family: str) -> Iterator[tuple[Unit, Piece]]:
    for unit, _ in library.candidates(piece, family, 32):
        other = piece_of(library, unit, {}) if unit.size >= LEAST_WORDS else None
        if other is not None:
            yield unit, other


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
    certain = similarity_of(Likeness(1.0, 1.0, 1.0, 0.0))
    written = {"threshold": THRESHOLD, "least_words": LEAST_WORDS, "renamed_is": round(certain, 3), "projects": results}
    given.output.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
