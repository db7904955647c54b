"""The stable prefix of a session, and the volatile block of a message."""

from __future__ import annotations

import datetime
import importlib.resources
import platform
from collections.abc import Sequence
from pathlib import Path

from aries_kernel.broker.secrets import holds_secrets
from aries_kernel.broker.workspace import Workspace
from aries_kernel.errors import ToolFailed
from aries_kernel.model.messages import AssistantMessage, Message
from aries_kernel.model.session import PromptSection
from aries_kernel.settings.schema import Instructions

__all__ = ["folder_line", "read_instructions", "system_prompt", "volatile_block"]


def system_prompt(cwd: Path, hidden_tools: Sequence[str], sections: Sequence[PromptSection]) -> str:
    """The text that stands first in every request. Nothing in it may change within a session."""
    rules = importlib.resources.files("aries_kernel.prompts").joinpath("system.md").read_text(encoding="utf-8")
    parts = [rules.strip(), f"{folder_line(cwd)}System: {platform.system()}"]
    if hidden_tools:
        parts.append(f"Further tools, by name only: {', '.join(hidden_tools)}. `Tools` describes them.")
    parts += [f"# {section.title}\n\n{section.text.strip()}" for section in sections if section.text.strip()]
    return "\n\n".join(parts) + "\n"


def folder_line(cwd: Path) -> str:
    """The line of the prefix that says where the session works."""
    return f"Folder: {cwd}\n"


def read_instructions(workspace: Workspace, settings: Instructions) -> tuple[list[PromptSection], list[str]]:
    """The project's instruction files, outermost folder first, and warnings about those that were left out or cut."""
    sections, warnings = [], []
    for folder in _folders(workspace.root):
        for name in settings.files:
            try:
                text, warning = _read(Workspace(folder), name, settings.max_chars)
            except FileNotFoundError:
                continue
            except (OSError, ToolFailed) as error:
                warnings.append(f"{folder / name}: cannot be read: {error}")
                continue
            warnings += [warning] if warning else []
            if text.strip():
                where = folder.relative_to(workspace.root).as_posix() if folder == workspace.root else str(folder)
                title = name if where == "." else f"{name} of {where}"
                sections.append(PromptSection(title, text))
            break
    return sections, warnings


def _folders(root: Path) -> list[Path]:
    """From the top of the repository down to `root`; `root` alone outside a repository."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            between = [parent for parent in root.parents if parent == folder or folder in parent.parents]
            return [*reversed(between), root]
    return [root]


def _read(folder: Workspace, name: str, limit: int) -> tuple[str, str]:
    place = folder.locate(name)
    # A strange repository may name any file here, or make the usual name a link to one.
    if not place.is_inside or holds_secrets(place.real) or holds_secrets(Path(name)):
        if place.real.exists():
            raise ToolFailed("it leads outside the project or to a file of secrets")
        raise FileNotFoundError(name)
    with place.real.open("rb") as file:
        raw = file.read(limit * 4 + 4)
    text = raw.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    if text.strip().startswith("@") and "\n" not in text.strip():
        return _read(folder, text.strip()[1:], limit)
    if len(text) > limit:
        return text[:limit], f"{place.real}: only the first {limit:,} characters are used."
    return text, ""


def volatile_block(
    now: datetime.datetime, messages: Sequence[Message], window: int | None, notes: Sequence[str]
) -> str:
    """What is true only now: it goes with the newest message and stays there."""
    lines = [f"Date: {now:%Y-%m-%d}"]
    used = next((one.usage.total for one in reversed(messages) if isinstance(one, AssistantMessage)), 0)
    if used and window:
        lines.append(f"Context: {100 * used / window:.0f}% of {window:,} tokens used")
    return "<context>\n" + "\n".join([*lines, *(note.strip() for note in notes if note.strip())]) + "\n</context>"
