"""The folders of a project, as resolvers ask for them."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["folder_of", "group_by_folder", "joined"]


def folder_of(path: str) -> str:
    """The folder of a file; empty for the root."""
    return path.rpartition("/")[0]


def joined(folder: str, path: str) -> str | None:
    """A path relative to a folder, points resolved; None where it leads out of the project."""
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def group_by_folder(files: Iterable[str], suffixes: tuple[str, ...]) -> dict[str, list[str]]:
    """Files with one of the suffixes by their folders, in the order given."""
    folders: dict[str, list[str]] = {}
    for path in files:
        if path.endswith(suffixes):
            folders.setdefault(folder_of(path), []).append(path)
    return folders
