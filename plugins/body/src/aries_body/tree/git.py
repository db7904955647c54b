"""What git says about a repository: its files, its ignore rules, which files changed together."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, field

__all__ = ["GitRefused", "Listed", "belongs", "list_files", "run_git"]

# Nothing that a stranger's repository can set may run a program, page, ask, or write into the repository.
_SAFE = (
    "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c",
    f"core.hooksPath={os.devnull}", "-c", "core.quotePath=false", "-c", "protocol.allow=never", "-c",
    "log.showSignature=false",
)  # fmt: skip


class GitRefused(Exception):
    """There is no git, no repository, or no answer. `is_worth_saying`: somebody expects git to work here."""

    def __init__(self, reason: str, *, is_worth_saying: bool = True) -> None:
        super().__init__(reason)
        self.is_worth_saying = is_worth_saying


@define
class Listed:
    """Paths that git counts as part of the project."""

    paths: list[str] = field(factory=list)
    nested: list[str] = field(factory=list)
    """Folders of repositories that are no submodules."""


def run_git(folder: Path, arguments: Sequence[str], seconds: float) -> bytes:
    """Standard output of git in `folder`.

    Raises: GitRefused.
    """
    program = shutil.which("git")
    if program is None:
        raise GitRefused("git is not installed", is_worth_saying=False)
    environ = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    environ |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, *_SAFE, *arguments], cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=seconds,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GitRefused(str(error)) from error
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        raise GitRefused(lines[0] if lines else f"exit code {done.returncode}")
    return done.stdout


def list_files(folder: Path, seconds: float) -> Listed:
    """Tracked files and those that no rule ignores, relative to `folder`. A submodule is listed as one path.

    Raises: GitRefused, also where `folder` itself is ignored: who asks for an ignored folder means what is in it.
    """
    if not _is_in_repository(folder):
        raise GitRefused("there is no repository", is_worth_saying=False)
    listed = Listed()
    for path in _listed(folder, seconds):
        if path.endswith("/"):
            listed.nested.append(path.rstrip("/"))
        else:
            listed.paths.append(path)
    if not listed.paths and _is_ignored(folder, seconds):
        raise GitRefused("the folder is ignored by its repository", is_worth_saying=False)
    return listed


def belongs(root: Path, paths: Sequence[str], seconds: float) -> set[str]:
    """Those of `paths` that git counts as part of the project.

    Raises: GitRefused, also where one of them is no file of the repository itself: then all has to be listed.
    """
    if not _is_in_repository(root):
        raise GitRefused("there is no repository", is_worth_saying=False)
    found = set(_listed(root, seconds, ["--", *paths]))
    if not found <= set(paths):
        raise GitRefused("a folder or a repository of its own", is_worth_saying=False)
    return found


def _listed(folder: Path, seconds: float, more: Sequence[str] = ()) -> Iterator[str]:
    output = run_git(
        folder, ["--literal-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *more], seconds
    )
    return (os.fsdecode(name) for name in output.split(b"\0") if name)


def _is_in_repository(root: Path) -> bool:
    return any(os.path.lexists(folder / ".git") for folder in (root, *root.parents))


def _is_ignored(root: Path, seconds: float) -> bool:
    try:
        run_git(root, ["check-ignore", "-q", "."], seconds)
    except GitRefused:
        return False
    return True
