"""A filling that is killed at any moment loses its last step at most, and never leaves half a vector."""

from __future__ import annotations

import math
import os
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ori_memory.vectors.filling import fill
from ori_memory.vectors.rows import PATTERN

WORKER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from hashed_words import HashedWords
from ori_memory.vault.finding import open_vault
from ori_memory.vectors.filling import fill

class Gated(HashedWords):
    def embed_passages(self, texts):
        sys.stdin.readline()  # One line for each step: the kill then comes while what was made is kept.
        print("STEP", flush=True)
        for text in texts:
            print(repr(text), flush=True)
        return super().embed_passages(texts)

report = fill(open_vault(Path(sys.argv[2])), Gated())
print("END", report.left, flush=True)
"""
STEP = 16


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_a_killed_filling_goes_on_where_it_was(place: Any) -> None:
    for number in range(40):
        text = " ".join(f"Sentence {one} of {number}." for one in range(1 + 60 * number % 400))
        place.write(f"notes/{number}.md", text)
    chance = random.Random(4)
    asked: list[str] = []
    kills = 0
    for _ in range(30):
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(Path(__file__).parent), str(place.vault.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        assert process.stdin is not None and process.stdout is not None
        steps = chance.randint(1, 6)
        process.stdin.write("\n" * steps)
        process.stdin.flush()
        seen: list[str] = []
        while seen.count("STEP\n") < steps and not "".join(seen[-1:]).startswith("END"):
            seen.append(process.stdout.readline())
            assert seen[-1], process.stderr and process.stderr.read()
        sum(range(chance.randrange(500_000)))  # So that it is hit at another place each time.
        process.kill()
        out, err = process.communicate()
        assert "Traceback" not in err and "locked" not in err, err
        lines = [*seen, *out.splitlines(keepends=True)]
        asked += [line for line in lines if line.startswith(("'", '"')) and line.endswith("\n")]
        check(place)
        if any(line.startswith("END") for line in lines):
            break
        kills += 1
    fill(place.vault, place.embedder)
    asked += map(repr, place.asked())
    assert kills > 3
    assert len(asked) - len({line.strip() for line in asked}) <= kills * STEP
    assert place.load().covered == len(place.vectors()) and place.load().stale == 0
    assert len(list(place.vault.state_folder.glob(PATTERN))) == 1


def check(place: Any) -> None:
    """What can be read at this moment are whole vectors."""
    found = place.load()
    if isinstance(found, str):
        assert found == "no note is embedded yet"
        return
    width, data = 4 * found.dimensions, bytes(found.rows)
    for row, note in enumerate(found.owners):
        numbers = struct.unpack(f"<{found.dimensions}f", data[row * width : (row + 1) * width])
        assert note < 0 or math.isclose(sum(one * one for one in numbers), 1, abs_tol=1e-5)
