"""The tree of folders and files, as deep and as long as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from aries_body.operations.results import TreeEntry

__all__ = ["tree_of"]


def tree_of(
    paths: Iterable[str],
    top: str,
    max_depth: int,
    max_entries: int,
    describe: Callable[[str], tuple[float | None, str]],
) -> list[TreeEntry]:
    """Depth first, folders before files, hidden folders behind the others; what is cut off is counted.

    `describe` gives rank and language of a file.
    """
    folders: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    prefix = f"{top}/" if top else ""
    for path in paths:
        if not path.startswith(prefix):
            continue
        parts = path[len(prefix) :].split("/")
        folder = ""
        for depth in range(len(parts)):
            counts[folder] = counts.get(folder, 0) + 1
            inner = "/".join(parts[: depth + 1])
            entries = folders.setdefault(folder, [])
            if depth < len(parts) - 1:
                if inner not in counts:
                    entries.append(inner)
                    counts[inner] = 0
                folder = inner
            else:
                entries.append(inner)
    found: list[TreeEntry] = []
    _add(found, "", 0, prefix, folders, counts, max_depth, max_entries, describe)
    return found


def _add(
    found: list[TreeEntry], folder: str, depth: int, prefix: str, folders: dict[str, list[str]], counts: dict[str, int],
    max_depth: int, max_entries: int, describe: Callable[[str], tuple[float | None, str]],
) -> None:  # fmt: skip
    def place_of(entry: str) -> tuple[bool, bool, str]:
        is_file = entry not in folders
        return is_file, not is_file and entry.rpartition("/")[2].startswith("."), entry

    entries = sorted(folders.get(folder, ()), key=place_of)
    for place, entry in enumerate(entries):
        if len(found) >= max_entries:
            rest = sum(counts[one] if one in folders else 1 for one in entries[place:])
            found.append(TreeEntry(prefix + folder, "truncated", depth, rest))
            return
        if entry not in folders:
            rank, language = describe(prefix + entry)
            found.append(TreeEntry(prefix + entry, "file", depth, 1, rank, language))
            continue
        found.append(TreeEntry(prefix + entry, "dir", depth, counts[entry]))
        if depth + 1 < max_depth:
            _add(found, entry, depth + 1, prefix, folders, counts, max_depth, max_entries, describe)
