"""Templates of the program that kept a folder of notes so far: patterns to copy, which are no notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

__all__ = ["template_rules"]

_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
    (".obsidian/plugins/quickadd/data.json", "templateFolderPath"),
    (".obsidian/daily-notes.json", "template"),
)
"""Files of settings, with the key that names a folder or a note."""
_NAME = "templates"
_SPECIAL = re.compile(r"[\\*?\[\]!#]")


def template_rules(root: Path) -> tuple[str, ...]:
    """What to leave out, in the form of .gitignore; the folder `templates` beside the notes in whatever case."""
    found: dict[str, None] = {}
    try:
        folders = sorted(root.iterdir())
    except OSError:
        return ()  # Whoever reads it next tells so.
    for folder in folders:
        if folder.name.casefold() == _NAME and folder.name != _NAME and folder.is_dir():
            found[_rule(folder.name, is_folder=True)] = None
    if (root / "logseq" / "config.edn").is_file():
        found["/logseq/"] = None  # Settings, and copies of pages as they were.
    for named in _named(root):
        if (root / named).is_dir():
            found[_rule(named, is_folder=True)] = None
        elif (root / f"{named}.md").is_file() or (root / named).is_file():
            name = named if (root / named).is_file() else f"{named}.md"
            parents = (_rule(str(one), is_folder=True) for one in PurePosixPath(name).parents)
            if not any(rule in found for rule in parents):
                found[_rule(name, is_folder=False)] = None
    found.pop(f"/{_NAME}/", None)
    return tuple(found)


def _named(root: Path) -> Iterator[str]:
    for file, key in _SETTINGS:
        try:
            settings = json.loads((root / file).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue  # That program's file, which it may write as it likes: nothing is known from it then.
        named = settings.get(key) if isinstance(settings, dict) else None
        if isinstance(named, str):
            parts = [part for part in named.replace("\\", "/").split("/") if part.strip()]
            # The whole vault is no folder of templates, and what is hidden or elsewhere is left out anyway.
            if parts and not any(part.startswith(".") for part in parts) and named.isprintable():
                yield "/".join(parts)


def _rule(path: str, *, is_folder: bool) -> str:
    return f"/{_SPECIAL.sub(lambda found: chr(92) + found[0], path)}{'/' if is_folder else ''}"
