"""Where the learned store lies, and whether there is one."""

from __future__ import annotations

from pathlib import Path

__all__ = ["backup_path", "is_kept"]


def backup_path(path: Path) -> Path:
    """Where the automatic copy lies."""
    return path.with_name(f"{path.stem}.backup{path.suffix}")


def is_kept(path: Path) -> bool:
    """Whether anything was learned: there is a store at `path`, or its copy."""
    return path.exists() or backup_path(path).exists()
