"""Paths within a project: joined and normalised as text, with `/` on every system."""

from __future__ import annotations

__all__ = ["chain", "folder_of", "join"]


def folder_of(path: str) -> str:
    """The folder of a file; empty for the root."""
    return path.rpartition("/")[0]


def join(folder: str, path: str) -> str | None:
    """Where a relative path leads; None for what is outside the project."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def chain(folder: str) -> list[str]:
    """A folder and those above it, the root last."""
    found = [folder]
    while found[-1]:
        found.append(folder_of(found[-1]))
    return found
