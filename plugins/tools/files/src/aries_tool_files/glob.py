"""The tool Glob."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from attrs import frozen

from aries_kernel.broker.effects import Effect, ReadPath
from aries_kernel.broker.workspace import Located
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.output import escape_controls
from aries_kernel.tools.schema import described
from aries_tool_files._patterns import glob_regex
from aries_tool_files._places import Places, in_thread, missing
from aries_tool_files._walk import Walk

__all__ = ["Glob", "GlobArguments"]

_SECONDS = 30
_NOTE_ROOM = 400
_MAGIC = frozenset("*?[{\\")


@frozen
class GlobArguments:
    """Arguments of Glob."""

    pattern: str = described("such as src/**/*.{ts,tsx}; * lists one folder")
    path: str = described("folder to start in", default=".")


class Glob:
    """Lists paths that match a pattern."""

    name: ClassVar[str] = "Glob"
    description: ClassVar[str] = (
        "Find files by pattern, sorted by path. ** is any depth. Ignored files (.gitignore) are left out; "
        "folders end in / and are listed only without **."
    )
    arguments: ClassVar[type[GlobArguments]] = GlobArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._places = Places(context.workspace)

    def effects(self, arguments: GlobArguments) -> Sequence[Effect]:
        """The tree that is listed."""
        return [ReadPath(self._places.judge(_split(arguments)[0]).real)]

    async def run(self, arguments: GlobArguments) -> ToolOutput:
        """Raises: ToolFailed for a malformed pattern or a path that is no folder."""
        base, pattern = _split(arguments)
        located = self._places.locate(base)
        regex = glob_regex(pattern)
        if not located.real.is_dir():
            if located.real.exists():
                raise ToolFailed(f"{located.shown} is a file, not a folder.")
            raise missing(located)
        with_folders = "**" not in pattern

        def work(stop: threading.Event) -> str:
            walk = Walk(located.real, self._context.workspace.root, stop)
            found = [
                _shown(located, entry.path) + ("/" if entry.is_folder else "")
                for entry in walk
                if (with_folders or not entry.is_folder) and regex.fullmatch(entry.path)
            ]
            return self._answer(found, located, pattern, walk.unreadable)

        try:
            async with asyncio.timeout(_SECONDS):
                return ToolOutput(await in_thread(work))
        except TimeoutError as error:
            raise ToolFailed(
                f"Listing took more than {_SECONDS} s and was stopped; start in a smaller folder."
            ) from error

    def _answer(self, found: list[str], base: Located, pattern: str, unreadable: list[tuple[str, str]]) -> str:
        limits = self._context.limits
        room, shown = limits.max_bytes - _NOTE_ROOM, 0
        for path in found[: max(limits.max_lines - 3, 1)]:
            room -= len(path.encode(errors="replace")) + 1
            if room < 0:
                break
            shown += 1
        lines = found[:shown]
        if not found:
            hint = f" **/{pattern} looks in all folders below." if "/" not in pattern and "**" not in pattern else ""
            lines.append(f"[nothing in {escape_controls(base.shown)} matches.{hint}]")
        elif shown < len(found):
            lines.append(f"[{shown:,} of {len(found):,} shown; narrow the pattern or path for the rest]")
        if unreadable:
            where, why = unreadable[0]
            lines.append(f"[{len(unreadable):,} could not be listed, such as {escape_controls(where)[:100]}: {why}]")
        return "\n".join(lines)


def _shown(base: Located, path: str) -> str:
    if base.shown in ("", "."):
        return escape_controls(path).replace("\n", "\\n")
    return escape_controls(f"{base.shown.rstrip('/')}/{path}").replace("\n", "\\n")


def _split(arguments: GlobArguments) -> tuple[str, str]:
    """The folder to start in and the pattern below it: parts without magic go to the folder."""
    if not arguments.pattern.strip():
        raise ToolFailed("The pattern is empty; ** lists every file.")
    parts = arguments.pattern.split("/")
    plain = 0
    while plain < len(parts) - 1 and not _MAGIC.intersection(parts[plain]):
        plain += 1
    rest = "/".join(part for part in parts[plain:] if part not in ("", "."))
    if ".." in rest.split("/"):
        raise ToolFailed("'..' cannot stand behind a wildcard.")
    if not rest:
        raise ToolFailed("The pattern names a folder; add /* to list it.")
    before = "/".join(parts[:plain]) or ("/" if plain else "")
    return str(Path(arguments.path or ".", before)) if before else arguments.path, rest
