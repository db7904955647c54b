"""What learning costs a question with many credits in the store: the stage, and reading them for the first time.

    uv run python bench/learning/speed.py --data DIR [--credits 10000]

Words and notes are those of HotpotQA. Writes into `bench/results/learning.json`.
"""

from __future__ import annotations

import contextlib
import json
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from proof import options_of, parser_of
from taught import empty_store, taught

from ori_memory.evaluation.dataset import read_dataset
from ori_memory.evaluation.haystack import Opened, trial_of
from ori_memory.evaluation.storing import compact_json
from ori_memory.learned.crediting import Credit
from ori_memory.learned.store import LearnedStore
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.asking import ask
from ori_memory.retrieval.question import content_words

NOTES_A_QUESTION = 2
READ = 30
"""Questions that are timed."""
TIMES = 5
"""The least of so many counts: other programs share the processor's caches."""
LISTED = 50


def read(opened: Opened, store: LearnedStore, text: str, ids: Sequence[str]) -> float:
    """What the stage asks of the store for one question, in milliseconds of the processor.

    Of a store that nobody has read from, as a command has it, or a server after something was learned.
    """
    words, found = content_words(text), []
    for _ in range(TIMES):
        with (
            contextlib.closing(LearnedStore(store.path, clock=opened.memory.now)) as fresh,
            taught(opened, fresh) as memory,
        ):
            began = time.process_time()
            before = memory.taught.asked_before(words)
            _ = before.sharing(words) if before is not None else ()
            memory.taught.uses(ids[:LISTED])
            memory.taught.experience()
            found.append((time.process_time() - began) * 1000)
    return min(found)


def answered(memory: Memory, text: str, without: tuple[str, ...]) -> float:
    began = time.process_time()
    ask(memory, Asked(text, explores=False, without=without))
    return (time.process_time() - began) * 1000


def main() -> None:
    parser = parser_of("Measure what learning costs a question.")
    parser.add_argument("--credits", type=int, default=10_000)
    options = options_of(parser)
    dataset = read_dataset(Path(options.data) / "hotpotqa", "turn", "hotpotqa")
    haystack = trial_of(dataset, folder=options.keep).haystacks[0]
    drawn = random.Random(0)
    asked = [query.text for query in haystack.queries]
    words = sorted({word for text in asked for word in content_words(text)})
    with haystack.opening() as opened:
        ids = [opened.memory.index.note(path).id for path in opened.ids]
        with empty_store(opened) as store, taught(opened, store) as memory:
            store.record_credits(
                Credit(note, question, 1.0, "citation")
                for _ in range(options.credits // NOTES_A_QUESTION)
                for question in [tuple(drawn.sample(words, 6))]
                for note in drawn.sample(ids, NOTES_A_QUESTION)
            )
            for text in asked:
                store.record_credits([Credit(drawn.choice(ids), content_words(text), 1.0, "citation")])
            # By the processor's clock, which other programs do not stretch.
            reading = [read(opened, store, text, ids) for text in asked[:READ]]
            began = time.process_time()
            memory.taught.keep_experience()
            comparing = (time.process_time() - began) * 1000
            kept = [read(opened, store, text, ids) for text in asked[:READ]]
            spent: dict[tuple[str, ...], list[float]] = {(): [], ("qvalue",): []}
            for text in asked[:READ]:
                ask(memory, Asked(text, explores=False))  # So that the question's vector is kept.
                for without, of in spent.items():
                    of.append(min(answered(memory, text, without) for _ in range(TIMES)))
            took = [whole - less for whole, less in zip(*spent.values(), strict=True)]
    row = {
        "credits": options.credits + len(asked),
        "notes": haystack.size,
        "stage_ms": {"median": round(statistics.median(took), 2), "p95": round(sorted(took)[int(len(took) * 0.95)], 2)},
        "reading_ms": {"compared": round(statistics.median(kept), 2), "not_yet": round(statistics.median(reading), 2)},
        "comparing_ms": round(comparing, 1),
    }
    document = json.loads(options.out.read_text(encoding="utf-8")) if options.out.exists() else {}
    options.out.write_text(compact_json({**document, "speed": row}), encoding="utf-8")
    print(row)


if __name__ == "__main__":
    main()
