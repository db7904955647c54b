"""The five files that tell who an agent is and what it is about: read whole, and written anew with a copy kept."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from aries_kernel.errors import UserError
from ori_memory.notes.block import body_start, find_block
from ori_memory.notes.text import decode_note

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["OWN_FILES", "OwnFile", "Updated", "own_path", "read_own", "update_own"]

OwnFile = Literal["identity", "goals", "methodology", "daily", "reminders"]

OWN_FILES: dict[str, tuple[str, str, str]] = {
    "identity": ("self/identity.md", "identity", "Who the agent is and how it communicates."),
    "goals": ("self/goals.md", "goals", "What is being worked on and what comes next."),
    "methodology": ("self/methodology.md", "", "How the agent works."),
    "daily": ("ops/daily.md", "activity", "What was done and what is pending today."),
    "reminders": ("ops/reminders.md", "due", "What is due when, one a line."),
}
"""Name: where it lies by default, the role by which `wake.sources` may name another place, and what it is for."""
_MOST_BYTES = 1_000_000


@frozen
class Updated:
    """A file that was written."""

    file: str
    path: str
    backed_up: str
    """Where what was there is kept; empty where nothing was."""
    updated: bool
    """False: it says that already."""


def own_path(vault: Vault, name: str) -> str:
    """Where the file lies in the vault, as the settings say."""
    usual, role, _ = OWN_FILES[name]
    named = [source.path for source in vault.config.wake.sources if source.role == role] if role else []
    return named[0] if named else usual


def read_own(vault: Vault, name: str) -> str:
    """The whole text; empty where there is no such file.

    Raises: OutsideVault; UserError for one that cannot be read.
    """
    path = own_path(vault, name)
    try:
        with vault.locate(path).open("rb") as file:
            return decode_note(file.read(_MOST_BYTES)).text
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error


def update_own(vault: Vault, name: str, content: str, now: datetime.datetime) -> Updated:
    """Write `content` as the whole file; what was there is kept in `.history` beside it.

    The properties on top stay where `content` has none: who writes about itself does not think of them.
    Raises: UserError for nothing to write, or a vault that cannot be written; OutsideVault.
    """
    if not content.strip():
        raise UserError(f"There is no content for {name}; nothing was changed.")
    path = own_path(vault, name)
    place = vault.locate(path)
    text = content.rstrip() + "\n"
    from aries_kernel.atomic import replace_bytes
    from ori_memory.operations.writing import writing

    with writing(vault):
        try:
            old = place.read_bytes() if place.exists() else b""
            data = (_head(old, text) + text).encode("utf-8", "replace")
            if old == data:
                return Updated(name, path, "", False)
            kept = _keep(place, old, now) if old.strip() else None
            place.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(place, data)
        except OSError as error:
            raise UserError(f"{path} cannot be written: {error.strerror}. It is as it was.") from error
    return Updated(name, path, vault.relative(kept) if kept else "", True)


def _head(old: bytes, text: str) -> str:
    """The properties of what was there, which `text` goes on with."""
    if find_block(text) is not None:
        return ""
    before = decode_note(old).text
    end = body_start(before)
    return before[:end].removeprefix("\ufeff") + "\n" if end else ""


def _keep(place: Path, old: bytes, now: datetime.datetime) -> Path:
    from aries_kernel.atomic import replace_bytes

    folder = place.parent / ".history"
    folder.mkdir(exist_ok=True)
    stamp = now.isoformat(timespec="milliseconds").replace(":", "-").replace(".", "-")
    kept = folder / f"{place.stem}-{stamp}.md"
    number = 2
    while kept.exists():
        kept, number = folder / f"{place.stem}-{stamp}-{number}.md", number + 1
    replace_bytes(kept, old)
    return kept
