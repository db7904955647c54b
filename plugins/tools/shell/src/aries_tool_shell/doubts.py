"""Where a command stands, and what in its words, variables and folder puts it in doubt."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve, frozen

from aries_kernel.broker.effects import Effect, RunCommand
from aries_tool_shell.powers import doubt_about_variable
from aries_tool_shell.words import Word

__all__ = [
    "Place",
    "doubt_of_folder",
    "doubt_of_variables",
    "doubt_of_words",
    "doubted",
    "in_doubt",
    "real",
    "shown",
]


@frozen
class Place:
    """Where a command stands."""

    folder: Path | None
    depth: int = 0
    through: tuple[str, ...] = ()
    doubt: str | None = None
    code_input: tuple[Word, ...] = ()
    """Here-documents and here-strings that feed it."""


def doubt_of_words(words: tuple[Word, ...]) -> str | None:
    """Why an option may hide in the words: one is computed, and not a single word after `--`."""
    is_after_end = False
    for word in words[1:]:
        if word.may_be_option and (word.is_split or not is_after_end):
            return f"the word {word.text} is computed and may be an option"
        is_after_end = is_after_end or word.text == "--"
    return None


def doubt_of_folder(program: str, folder: Path | None, root: Path) -> str | None:
    """Why `program` may not be what it is in the workspace's root."""
    if folder is None:
        return "the folder it runs in is not known"
    if folder != root and "/" in program and not program.startswith(("/", "~")):
        return f"{program} is looked up in another folder"
    place = real(folder)
    if place != root and root not in place.parents:
        return f"it runs in {folder}"
    return None


def doubt_of_variables(assignments: tuple[str, ...]) -> str | None:
    """Why one of these assignments, or names, makes commands do something else."""
    names = (re.split(r"[+=\[]", assignment, maxsplit=1)[0] for assignment in assignments)
    return next(filter(None, map(doubt_about_variable, names)), None)


def real(folder: Path) -> Path:
    """The folder with its links followed, as far as that can be done."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return folder


def shown(words: tuple[Word, ...]) -> str:
    """The words as a person reads them."""
    return " ".join(word.text for word in words)


def in_doubt(script: str, doubt: str) -> RunCommand:
    """A script of which nothing is known."""
    return RunCommand((script.split(maxsplit=1)[0] if script.split() else ":",), script[:500], doubt)


def doubted(effect: Effect, doubt: str) -> Effect:
    """The same effect, in doubt."""
    if isinstance(effect, RunCommand) and effect.doubt is None:
        return evolve(effect, doubt=doubt)
    return effect
