"""What a ranked question costs: cold as a process and warm in one, with and without meaning, in CPU and wall time.

    uv run python bench/retrieval_speed.py --data DIR [--sizes 1500 100000] [--vault ARCHIVE ...] [--update]

DIR (otherwise ORI_BENCH_DATA) holds data sets; vaults of the given sizes are made of their sentences, shuffled with a
seed, under titles of their words and with links between them. `--vault` adds real vaults (`.tar.gz`). Passages are cut
as always, but their vectors are drawn at random: what a search costs does not depend on their values, and embedding
100,000 notes takes hours. Questions are embedded by the real model. A vault has been in use: what the questions found
first was credited, and warmed what it is linked with. Each vault is measured in processes of its own, so that the peak
of memory is its own. Writes `bench/results/retrieval_speed.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "retrieval_speed.json"
SEED = 0
QUESTIONS = 40
COLD_QUESTIONS = 7
WARM_UP = 3
USED = 3
"""Notes of an answer that were of use."""
MODES: dict[str, dict[str, Any]] = {
    "fast": {"is_fast": True},
    "without meaning": {"without": ("semantic",)},
    "with meaning": {},
}
COLD = {
    "fast": ("--fast",),
    "without meaning": ("--without", "semantic"),
    "with meaning": (),
}
SENTENCE = re.compile(r"(?<=[.!?])\s+")
# Python before 3.11.4 knows no filters.
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def sentences(data: Path) -> list[str]:
    from ori_memory.evaluation.json_lines import read_rows

    files = sorted(data.rglob("corpus.jsonl*"))
    if not files:
        raise SystemExit(f"{data} holds no data set: no folder below it has corpus.jsonl or corpus.jsonl.gz")
    texts = (row.optional("text") for file in files for row in read_rows(file))
    found = [one for text in texts for one in SENTENCE.split(text) if 4 <= len(one.split()) <= 60]
    random.Random(SEED).shuffle(found)
    return found


def make_notes(folder: Path, size: int, pool: Sequence[str]) -> Path:
    """Notes of about 130 words with three links each; the same for the same sentences, size and seed."""
    generator = random.Random(SEED + size)
    titles = [f"{' '.join(generator.choice(pool).split()[:4]).strip('.,;:')} {number}" for number in range(size)]
    titles = [" ".join(re.sub(r"[^\w\s-]", " ", title).split())[-60:].strip() for title in titles]
    root = folder / f"made-{size}"
    for number, title in enumerate(titles):
        body = " ".join(generator.choices(pool, k=6))
        links = " ".join(f"See [[{titles[generator.randrange(size)]}]]." for _ in range(3))
        place = root / f"{number % 100:02d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{title}.md").write_text(f"{body}\n\n{links}\n", encoding="utf-8")
    return root


def unpacked(archive: Path, folder: Path) -> Path:
    target = folder / archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(target, **SAFELY)
    inner = list(target.iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else target


class RandomVectors:
    """The real model but for passages, whose vectors are drawn."""

    def __init__(self, real: Any) -> None:
        import numpy

        self._real, self._generator = real, numpy.random.default_rng(SEED)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def embed_passages(self, texts: Sequence[str]) -> bytes:
        import numpy

        rows = self._generator.standard_normal((len(texts), self._real.dimensions), dtype=numpy.float32)
        return (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4").tobytes()


def prepare(root: Path) -> dict[str, Any]:
    """Index and vectors, and the questions: a part of a sentence of some notes each."""
    from ori_memory.memory import Memory
    from ori_memory.vault.making import adopt_vault
    from ori_memory.vectors.filling import fill

    vault = adopt_vault(root).vault
    with Memory.open(vault) as memory:
        index = clocked(lambda: memory.index)  # Built when it is first asked for.
        counts = memory.index.counts()
        asked = list(questions(memory))
        embedder = memory.embedder
    vectors, reason = None, embedder if isinstance(embedder, str) else ""
    if not reason:
        vectors = clocked(lambda: fill(vault, RandomVectors(embedder)))
    warm = used(vault, asked)
    state = {file.name: file.stat().st_size for file in vault.state_folder.iterdir() if file.is_file()}
    return {
        "notes": counts.notes,
        "links": counts.links,
        "index": index,
        "vectors": vectors,
        "no_vectors_because": reason,
        "warm_notes": warm,
        "state_mb": round(sum(state.values()) / 1e6, 1),
        "questions": asked,
    }


def used(vault: Any, asked: Sequence[str]) -> int:
    """Credit the first notes of every answer, as somebody's use of them would; how many notes are warm then."""
    from ori_memory.learned.crediting import Credit
    from ori_memory.memory import Memory
    from ori_memory.retrieval.answer import Asked
    from ori_memory.retrieval.question import content_words

    with Memory.open(vault) as memory:
        for text in asked:
            hits = memory.answer(Asked(text, limit=USED)).hits
            memory.record_use({hit.path: 1.0 for hit in hits}, session=text)
            memory.learned.record_credits(Credit(hit.id, content_words(text), 1.0, "citation") for hit in hits)
        memory.taught.keep_experience()
        return len(memory.learned.boosts())


def questions(memory: Any) -> Iterator[str]:
    from ori_memory.evaluation.sentences import plain_sentences
    from ori_memory.notes.naming import stem_of
    from ori_memory.notes.parsing import parse_note

    paths = [note.path for note in memory.index.notes()]
    random.Random(SEED).shuffle(paths)
    given = 0
    for path in paths:
        found = [one for one in plain_sentences(parse_note(memory.index.text_of(path), stem_of(path)).body)]
        fit = [one for one in found if len(one.split()) >= 8]
        if fit and given < QUESTIONS:
            given += 1
            yield " ".join(fit[0].split()[:10])


def warm(root: Path, asked: Sequence[str], mode: str) -> dict[str, Any]:
    from ori_memory.memory import Memory
    from ori_memory.retrieval.answer import Asked
    from ori_memory.vault.finding import open_vault

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Memory.open(open_vault(root)) as memory:
        rows, notices = [], set()
        for number, text in enumerate(asked):
            start, cpu = time.perf_counter(), time.process_time()
            answer = memory.ask(Asked(text, **MODES[mode]))
            took = (1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu))
            notices.update(answer.notices)
            if number >= WARM_UP:
                rows.append(took)
    walls = sorted(row[0] for row in rows)
    return {
        "questions": len(rows),
        "wall_ms": round(statistics.median(walls), 2),
        "wall_ms_p95": round(walls[int(0.95 * (len(walls) - 1))], 2),
        "cpu_ms": round(statistics.median(row[1] for row in rows), 2),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "rss_before_mb": round(before / 1024),
        "notices": sorted(notices),
    }


def clocked(work: Callable[[], object]) -> dict[str, float]:
    wall, own = time.perf_counter(), time.process_time()
    work()
    return {"wall_s": round(time.perf_counter() - wall, 2), "cpu_s": round(time.process_time() - own, 2)}


def cold(command: Sequence[str]) -> tuple[float, float, float]:
    """Wall and CPU ms and peak MB of one process."""
    environ = {**os.environ, "ORI_NO_BACKGROUND": "1"}
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environ)
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {told.decode('utf-8', 'replace')}")
    return 1000 * (time.perf_counter() - start), 1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def cold_medians(commands: Sequence[Sequence[str]]) -> dict[str, float]:
    cold(commands[0])  # Files come into the cache of the system, and the model's session into its own.
    rows = [cold(command) for command in commands]
    names = ("wall_ms", "cpu_ms", "peak_rss_mb")
    return {name: round(statistics.median(row[place] for row in rows), 1) for place, name in enumerate(names)}


def asked_by(step: str, root: Path, *more: str) -> Any:
    command = [sys.executable, __file__, "--step", step, str(root), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=36_000, check=True)
    return json.loads(done.stdout)


def measure(root: Path) -> dict[str, Any]:
    prepared = asked_by("prepare", root)
    asked = prepared.pop("questions")
    row: dict[str, Any] = {"vault": root.name, **prepared, "cold": {}, "warm": {}}
    ori = [sys.executable, "-m", "ori_memory", "--vault", str(root), "query", "ranked", "--json"]
    for mode, flags in COLD.items():
        if mode == "with meaning" and prepared["no_vectors_because"]:
            continue
        row["cold"][mode] = cold_medians([[*ori, *flags, "--", text] for text in asked[:COLD_QUESTIONS]])
        row["warm"][mode] = asked_by("warm", root, json.dumps(asked), mode)
    print(json.dumps(row, ensure_ascii=False), flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a ranked question costs.")
    parser.add_argument("--data", type=Path, default=os.environ.get("ORI_BENCH_DATA"), help="or ORI_BENCH_DATA")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_500, 100_000])
    parser.add_argument("--vault", type=Path, nargs="*", default=[], help="archives of real vaults")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--update", action="store_true", help="keep the rows of vaults that are not measured now")
    options = parser.parse_args()
    if options.sizes and options.data is None:
        parser.error("name a folder of data sets with --data or ORI_BENCH_DATA")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pool = sentences(Path(options.data)) if options.sizes else []
        rows = [measure(make_notes(folder, size, pool)) for size in options.sizes]
        rows += [measure(unpacked(archive, folder)) for archive in options.vault]
        floor = cold_medians([[sys.executable, "-c", "pass"]] * COLD_QUESTIONS)
    if options.update and options.out.exists():
        kept = json.loads(options.out.read_text(encoding="utf-8"))["vaults"]
        rows += [row for row in kept if row["vault"] not in {one["vault"] for one in rows}]
    machine = {
        "cores": os.cpu_count(),
        "load_at_the_end": [round(value, 2) for value in os.getloadavg()],
        "python": sys.version.split()[0],
        "python_alone": floor,
    }
    document = {
        "machine": machine,
        "vectors": "random for passages, real for questions: a search costs the same for any values",
        "vaults": sorted(rows, key=lambda row: row["notes"]),
    }
    options.out.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:3] == ["--step", "prepare"]:
        print(json.dumps(prepare(Path(sys.argv[3])), ensure_ascii=False))
    elif sys.argv[1:3] == ["--step", "warm"]:
        print(json.dumps(warm(Path(sys.argv[3]), json.loads(sys.argv[4]), sys.argv[5]), ensure_ascii=False))
    else:
        main()
