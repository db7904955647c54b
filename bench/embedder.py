"""What vectors cost: a question in a fresh process, one in a warm one, and passages in bulk; beside onnxruntime.

    uv run python bench/embedder.py

runs the embedder `minilm` and the same model through an onnxruntime session, one thread each, in processes of their
own, and writes the medians to `bench/results/embedder.json`. The texts are this repository's own documents. Processor
time is given beside the wall clock, since the machine may be shared.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results" / "embedder.json"
PROCESSES = 7
QUESTION = "how do we keep the water for green tea at the right temperature before we pour it"
"""20 word pieces, with the two that frame them."""
LENGTHS = (20, 60, 120, 200, 254)
PADDED = 4_096

Embed = Callable[[Sequence[str]], Any]
"""Texts to an array of vectors."""


def ours(cache: Path) -> Embed:
    from aries_kernel.contracts.embedder import EmbedderContext
    from ori_embedder_minilm import MiniLm, Options

    embedder = MiniLm(EmbedderContext(Options(), cache, {}))

    def embed(texts: Sequence[str]) -> Any:
        data = embedder.embed_passages(texts)
        import numpy

        return numpy.frombuffer(data, "<f4").reshape(-1, embedder.dimensions)

    return embed


def session(cache: Path) -> Embed:
    """What one would write with onnxruntime: batches sorted by length, padded to at most 4,096 tokens."""
    import numpy
    import onnxruntime
    from tokenizers import Tokenizer

    from ori_embedder_minilm.files import MODEL, TOKENIZER, verify

    tokenizer = Tokenizer.from_file(str(verify(TOKENIZER, cache)))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = onnxruntime.InferenceSession(str(verify(MODEL, cache)), options, providers=["CPUExecutionProvider"])

    def batches(pieces: list[list[int]]) -> Iterator[list[int]]:
        batch: list[int] = []
        for place in sorted(range(len(pieces)), key=lambda place: len(pieces[place])):
            if batch and (len(batch) + 1) * len(pieces[place]) > PADDED:
                yield batch
                batch = []
            batch.append(place)
        yield batch

    def embed(texts: Sequence[str]) -> Any:
        pieces = [tokenizer.encode(text).ids for text in texts]
        rows = numpy.empty((len(texts), 384), "f4")
        for places in batches(pieces):
            width = max(len(pieces[place]) for place in places)
            ids = numpy.array([pieces[place] + [0] * (width - len(pieces[place])) for place in places])
            mask = (ids != 0).astype("i8")
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            (hidden,) = model.run(None, inputs)
            sums = (hidden * mask[:, :, None].astype("f4")).sum(axis=1)
            rows[places] = sums / numpy.linalg.norm(sums, axis=1, keepdims=True)
        return rows

    return embed


WAYS: dict[str, Callable[[Path], Embed]] = {"minilm": ours, "onnxruntime": session}


def clocked(work: Callable[[], object]) -> dict[str, float]:
    wall, own = time.perf_counter(), time.process_time()
    work()
    return {
        "wall_ms": round((time.perf_counter() - wall) * 1000, 2),
        "cpu_ms": round((time.process_time() - own) * 1000, 2),
    }


def medians(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {key: round(statistics.median(row[key] for row in rows), 2) for key in rows[0]}


def passages(cache: Path) -> dict[int, list[str]]:
    """Passages of our documents by their number of word pieces."""
    from aries_kernel.contracts.embedder import EmbedderContext
    from ori_embedder_minilm import MiniLm, Options

    embedder = MiniLm(EmbedderContext(Options(), cache, {}))
    files = sorted(path for path in ROOT.rglob("*.md") if not any(part.startswith(".") for part in path.parts[-6:]))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    spans = list(embedder.token_spans(text))
    found: dict[int, list[str]] = {}
    start = 0
    for length in LENGTHS:
        count = max(1, 4_000 // length)
        cuts = [spans[(start + one * length) % (len(spans) - length) :][:length] for one in range(count)]
        found[length] = [text[cut[0][0] : cut[-1][1]] for cut in cuts]
        start += count * length
    return found


def measure_bulk(cache: Path) -> dict[str, Any]:
    """Both ways in turn, so that what else the machine does meets both."""
    made = {name: way(cache) for name, way in WAYS.items()}
    texts = passages(cache)
    result: dict[str, Any] = {"warm_question": {}, "ms_per_token": {}, "agreement": {}}
    for name, embed in made.items():
        result["warm_question"][name] = medians([clocked(lambda embed=embed: embed([QUESTION])) for _ in range(25)])
    for length, some in texts.items():
        rows: dict[str, list[dict[str, float]]] = {name: [] for name in made}
        for _ in range(3):
            for name, embed in made.items():
                rows[name].append(clocked(lambda embed=embed, some=some: embed(some)))
        tokens = len(some) * (length + 2)
        result["ms_per_token"][length] = {name: round(medians(row)["cpu_ms"] / tokens, 3) for name, row in rows.items()}
    every = [text for some in texts.values() for text in some]
    first, second = (embed(every) for embed in made.values())
    result["agreement"] = {
        "texts": len(every),
        "largest_difference": float(abs(first - second).max()),
        "smallest_cosine": round(float((first * second).sum(axis=1).min()), 7),
    }
    return result


def measure_cold(name: str, cache: Path) -> dict[str, float]:
    def whole() -> None:
        WAYS[name](cache)([QUESTION])

    return clocked(whole) | {"peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)}


def in_process(*words: str) -> Any:
    command = [sys.executable, __file__, "--measure", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", timeout=900, check=True)
    return json.loads(done.stdout)


def measure(what: str, cache: Path) -> Any:
    if what == "bulk":
        return measure_bulk(cache)
    if what == "numpy alone":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        return clocked(lambda: __import__("numpy")) | {"peak_rss_mb": 0.0}
    return measure_cold(what.removesuffix(", first time"), cache)


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], Path(sys.argv[3]))))
        return
    cold: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(PROCESSES):
            for name in ("numpy alone", "minilm, first time", "minilm", "onnxruntime"):
                cache = f"{folder}/{number}" if name == "minilm, first time" else f"{folder}/cache"
                cold.setdefault(name, []).append(in_process(name, cache))
        result = {"cold_question": {name: medians(rows[1:]) for name, rows in cold.items()}}
        result |= in_process("bulk", f"{folder}/cache")
    load = [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None
    machine = {"cores": os.cpu_count(), "load_at_the_end": load, "python": sys.version.split()[0]}
    text = json.dumps({"machine": machine, "threads": 1, **result}, indent=2)
    RESULTS.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
