"""What a server says of itself when a client connects: who the agent is, and how to use this memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aries_kernel.errors import AriesError
from ori_memory.operations.orienting import ONBOARDING
from ori_memory.operations.own_files import own_path, read_own
from ori_memory.operations.visible_lines import visible_lines
from ori_memory.operations.waking import is_first_run

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["instructions"]

_MOST_IDENTITY = 1_000
_USE = """This is your long-term memory: markdown notes in a folder that belongs to the person you work with.
- Begin a session with ori_orient.
- Before you answer what may be known, ask ori_query_ranked, or ori_explore where it takes several notes. An answer
  says how sure it is: with "nothing relevant", say that you do not know it from memory.
- Read a note with ori_read before you rely on it. Only reading counts as use, and use keeps notes findable.
- Keep what will matter later with ori_add, as it comes up: decisions with their reasons, preferences, what was learned,
  what blocks. One thing a note, its title a sentence that says it, [[links]] to what it belongs to.
- What changed takes the place of the old: give `supersedes`. Keep no secrets.
- What waits in the inbox: ori_promote. Your goals, day and reminders: ori_update."""
_FIRST = "This memory is new: nobody has said yet who you are. Before anything else, get to know each other:"
_MADE = "There was no vault, so a new one was made at {}."


def instructions(vault: Vault, *, is_made: bool = False) -> str:
    """The text. `is_made`: the vault was made a moment ago, since there was none."""
    parts = [_MADE.format(vault.root)] if is_made else []
    if is_first_run(vault):
        steps = [f"{number}. {step}" for number, step in enumerate(ONBOARDING, 1)]
        return "\n\n".join([*parts, "\n".join([_FIRST, *steps, "Save it with ori_update."]), _USE])
    return "\n\n".join([*parts, _USE, *_identity(vault)])


def _identity(vault: Vault) -> list[str]:
    try:
        text = "\n".join(visible_lines(read_own(vault, "identity")))
    except AriesError as error:
        return [f"Who you are cannot be told: {error}"]
    cut = text if len(text) <= _MOST_IDENTITY else text[: _MOST_IDENTITY - 1].rstrip() + "…"
    return [f"Who you are ({own_path(vault, 'identity')}):\n{cut}"] if cut else []
