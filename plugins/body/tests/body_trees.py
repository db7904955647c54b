"""Trees of files in the toy languages."""

from __future__ import annotations

from pathlib import Path

__all__ = ["TOYS", "write"]

TOYS = {"toy": "toy:Toy", "toi": "toy:Toy", "brick": "toy:Brick"}


def write(root: Path, files: dict[str, str | bytes]) -> None:
    """Write every file, with the folders it needs."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
