"""Trees of files in the toy languages."""

from __future__ import annotations

from pathlib import Path

from aries_body.operations.codebase import Codebase

__all__ = ["TOYS", "leads", "write"]

TOYS = {"toy": "toy:Toy", "toi": "toy:Toy", "brick": "toy:Brick"}


def write(root: Path, files: dict[str, str | bytes]) -> None:
    """Write every file, with the folders it needs."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))


def leads(root: Path, files: dict[str, str], path: str) -> set[str]:
    """Write files, and give those that one of the project leads to."""
    write(root, dict(files))
    codebase = Codebase.open(root, cache_folder=None)
    try:
        return {one.path for one in codebase.show_dependencies(path)}
    finally:
        codebase.close()
