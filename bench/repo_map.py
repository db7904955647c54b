"""The repository map of aider on one tree: `PYTHON bench/repo_map.py TREE < FILES`, run by an interpreter that has it.

TREE is written to (aider keeps its tags there), so it is a copy. Prints CPU seconds with nothing kept, and again with
its cache on the disk. Only the map is timed, not the start of the program.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any


class _Counting:
    """What the map asks a model for."""

    def token_count(self, text: str) -> int:
        return len(text) // 4


def mapped(root: Path, files: list[str]) -> float:
    """CPU seconds of one map of 1,024 tokens."""
    from aider.io import InputOutput  # type: ignore[import-not-found]  # It is in an environment of its own.
    from aider.repomap import RepoMap  # type: ignore[import-not-found]  # See above.

    model: Any = _Counting()
    console = InputOutput(yes=True, pretty=False)
    start = time.process_time()
    made = RepoMap(map_tokens=1024, root=str(root), main_model=model, io=console, repo_content_prefix="")
    made.get_repo_map([], files)
    return time.process_time() - start


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    files = [str(root / line) for line in sys.stdin.read().splitlines() if line]
    os.chdir(root)
    for kept in root.glob(".aider.tags.cache*"):
        shutil.rmtree(kept)
    # What it prints must not become part of the answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    found = {"cold": round(mapped(root, files), 3), "warm": round(mapped(root, files), 3)}
    json.dump(found, answers)


if __name__ == "__main__":
    main()
