"""The folders of a project, as resolvers ask for them."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["chain", "folder_of", "group_by_folder", "joined", "nearest"]


def folder_of(path: str) -> str:
    """The folder of a file; empty for the root."""
    return path.rpartition("/")[0]


def chain(folder: str) -> list[str]:
    """A folder and those above it, the root last."""
    found = [folder]
    while found[-1]:
        found.append(folder_of(found[-1]))
    return found


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


def nearest(path: str, files: Iterable[str], *, in_order: bool = False) -> str:
    """The one of some files that shares most folders with a path; of several, the first by name, or as given."""
    own = path.split("/")

    def shared(file: str) -> int:
        parts = file.split("/")
        return next((place for place, pair in enumerate(zip(own, parts, strict=False)) if pair[0] != pair[1]), len(own))

    if in_order:
        return min(files, key=lambda file: -shared(file))
    return min(files, key=lambda file: (-shared(file), file.count("/"), file))
