"""A vault of Obsidian, or any folder of markdown: notes and attachments, each at its own place."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, ClassVar

from aries_kernel.contracts.importer import ImportedFile, ImportedNote, Loss
from aries_kernel.errors import UserError
from ori_memory.importers.export_files import problem_of
from ori_memory.scanning.ignoring import Rules, read_rules
from ori_memory.vault.foreign_templates import template_rules

__all__ = ["Obsidian"]

_NOTE_ENDINGS = (".md", ".markdown")


class Obsidian:
    """Everything that is not hidden, below one folder, so that links by name and by relative path keep working."""

    name: ClassVar[str] = "obsidian"
    description: ClassVar[str] = "a vault of Obsidian, or any folder of markdown notes"
    into: ClassVar[str] = "notes/{source}"

    def read(self, source: Path) -> Iterator[ImportedNote | ImportedFile | Loss]:
        """See the contract. Links of the file system are not followed: what they lead to may be anywhere."""
        if not source.is_dir():
            raise UserError(f"{source} is no folder. Give the folder of the vault.")
        own = read_rules((*template_rules(source), "/templates/"), "", None)
        yield from _walk(source, "", own)


def _walk(folder: Path, base: str, own: Rules) -> Iterator[ImportedFile | Loss]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Loss(base.rstrip("/") or folder.name, f"the folder cannot be read: {problem_of(error)}")
        return
    for entry in entries:
        path = base + entry.name
        problem = _problem(entry)
        if problem:
            yield Loss(_shown(path), problem)
        elif own.leaves_out(path, is_folder=entry.is_dir(follow_symlinks=False)):
            yield Loss(path, "templates or settings of the program that kept the folder, which are no notes")
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), path + "/", own)
        else:
            yield ImportedFile(path, partial(_open, Path(entry.path)), path.lower().endswith(_NOTE_ENDINGS))


def _problem(entry: os.DirEntry[str]) -> str:
    """Why this is left out; empty where it is not."""
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"it cannot be looked at: {problem_of(error)}"
    is_note = stat.S_ISREG(mode) and entry.name.lower().endswith(_NOTE_ENDINGS)
    if entry.name.startswith((".#", "._")) or (entry.name.startswith(".") and not is_note):
        return "a hidden folder" if stat.S_ISDIR(mode) else "a hidden file"
    if stat.S_ISLNK(mode):
        return "a link of the file system"
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        return "no regular file"
    return "" if _shown(entry.name) == entry.name else "its name is not UTF-8"


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _open(path: Path) -> IO[bytes]:
    return path.open("rb")
