"""Which files changed together, from git's history: a relation of its own that no rank uses unasked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from itertools import combinations
from pathlib import Path

from attrs import frozen

from aries_body.tree.git import GitRefused, run_git

__all__ = ["History", "read_history"]

_COMMITS = 3_000
_LARGEST = 40
"""Files of a commit above which it says nothing of any pair: a rename, a reformatting."""


@frozen
class History:
    """Pairs of files with the number of commits that changed both."""

    pairs: Counter[tuple[str, str]]
    """The smaller path first."""
    changes: Counter[str]
    """Commits that changed a file."""
    commits: int
    skipped: str = ""


def read_history(root: Path, files: Collection[str], seconds: float) -> History:
    """Of the last commits; merges say nothing new. Without git the reason is in `skipped`."""
    known = files if isinstance(files, (set, frozenset, dict)) else set(files)
    try:
        output = run_git(
            root,
            ["log", f"-{_COMMITS}", "--no-merges", "--name-only", "--relative", "--no-renames", "-z", "--format=%x01"],
            seconds,
        )
    except GitRefused as error:
        return History(Counter(), Counter(), 0, str(error))
    pairs: Counter[tuple[str, str]] = Counter()
    changes: Counter[str] = Counter()
    commits = 0
    for commit in output.split(b"\x01")[1:]:
        names = sorted({os.fsdecode(name.strip(b"\n")) for name in commit.split(b"\0") if name.strip(b"\n")})
        commits += 1
        if len(names) <= _LARGEST:
            present = [name for name in names if name in known]
            changes.update(present)
            pairs.update(combinations(present, 2))
    return History(pairs, changes, commits)
