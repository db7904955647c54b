"""The linear algebra is held to the threads that the settings name, and given back."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
import json, os, sys, threading
from pathlib import Path
if sys.argv[1] == "numpy first":
    import numpy
from aries_kernel.contracts.embedder import EmbedderContext
from ori_embedder_minilm import MiniLm, Options

def threads():
    from threadpoolctl import threadpool_info
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

before = threads() if sys.argv[1] == "numpy first" else None
embedder = MiniLm(EmbedderContext(Options(), Path(sys.argv[2]), {}))
vector = embedder.embed_query("tea")
workers = [threading.Thread(target=embedder.embed_passages, args=(["green tea " * 100] * 5,)) for _ in range(3)]
for one in workers: one.start()
seen = set()
while any(one.is_alive() for one in workers):
    seen.update(threads())
    workers[0].join(0.001)
for one in workers: one.join()
print(json.dumps([before, sorted(seen), threads(), os.environ.get("OPENBLAS_NUM_THREADS"), vector.hex()]))
"""


Run = Callable[[str, str | None], Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What the program prints; a case runs once."""

    @functools.cache
    def run(case: str, given: str | None) -> Any:
        environ = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
        environ |= {"OPENBLAS_NUM_THREADS": given} if given else {}
        command = [sys.executable, "-c", PROGRAM, case, str(tmp_path_factory.mktemp("cache"))]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, encoding="utf-8", timeout=240)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("given", [None, "3"])
def test_a_process_that_meets_numpy_here_has_one_thread_and_its_variable_as_before(run: Run, given: str | None) -> None:
    _, seen, after, variable, _ = run("numpy later", given)
    assert set(seen + after) <= {1} and variable == given


def test_a_process_that_has_numpy_gets_its_threads_back_whichever_thread_asks(run: Run) -> None:
    before, seen, after, _, _ = run("numpy first", None)
    assert before == after
    assert 1 in seen or not before


def test_when_numpy_came_changes_no_vector(run: Run) -> None:
    assert run("numpy first", None)[4] == run("numpy later", None)[4]
