"""The tool Grep."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, cast

from attrs import field, frozen

from aries_kernel.broker.effects import Effect, ReadPath
from aries_kernel.broker.secrets import holds_secrets
from aries_kernel.broker.workspace import Located
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.output import escape_controls, fit_output
from aries_kernel.tools.schema import described
from aries_tool_files._patterns import glob_regex
from aries_tool_files._places import Places, in_thread, missing, refuse_secrets
from aries_tool_files._prefilter import candidates, for_ripgrep
from aries_tool_files._processes import run_bounded
from aries_tool_files._search import Found, Job
from aries_tool_files._walk import Walk

__all__ = ["Grep", "GrepArguments"]

_SECONDS = 30
_MOST_CONTEXT = 20
_NOTE_ROOM = 1_500
_NOTE_LINES = 6
_START = "import sys; sys.path.append(sys.argv[1]); from aries_tool_files._search import main; main()"


@frozen
class GrepArguments:
    """Arguments of Grep."""

    pattern: str = described("regular expression (Python), matched within single lines")
    path: str = described("file or folder", default=".")
    glob: str | None = described("only these files: *.py, src/**, !*.min.js", default=None)
    ignore_case: bool = described("upper and lower case are the same", default=False)
    context: int = described("lines around each match", default=0)
    files_only: bool = described("only names of files", default=False)


@frozen
class _Selection:
    """The files to search, and what was left out on the way."""

    files: list[tuple[str, str]] = field(factory=list)
    unreadable: list[tuple[str, str]] = field(factory=list)
    secret: int = 0


class Grep:
    """Searches text in files; with ripgrep faster, with the same answer."""

    name: ClassVar[str] = "Grep"
    description: ClassVar[str] = (
        "Search file contents. Lines come as path:line:text. Ignored, binary and secret files are left out."
    )
    arguments: ClassVar[type[GrepArguments]] = GrepArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._places = Places(context.workspace)

    def effects(self, arguments: GrepArguments) -> Sequence[Effect]:
        """The file or tree that is searched."""
        return [ReadPath(self._places.judge(arguments.path).real)]

    async def run(self, arguments: GrepArguments) -> ToolOutput:
        """Raises: ToolFailed for a wrong pattern or path, and when the search takes too long."""
        if not 0 <= arguments.context <= _MOST_CONTEXT:
            raise ToolFailed(f"context is 0 to {_MOST_CONTEXT}.")
        if not arguments.pattern:
            raise ToolFailed("The pattern is empty.")
        located = self._places.locate(arguments.path)
        try:
            async with asyncio.timeout(_SECONDS):
                selection = await in_thread(lambda stop: self._select(located, arguments, stop))
                found = await self._search(arguments, selection.files)
        except TimeoutError as error:
            raise ToolFailed(
                f"The search took more than {_SECONDS} s and was stopped. Use a simpler pattern "
                "(nested repeats such as (a+)+ are slow) or fewer files (path, glob)."
            ) from error
        if found["error"]:
            raise ToolFailed(_explain(arguments.pattern, found["error"]))
        # Escaped control characters may need more room than the search counted.
        return ToolOutput(fit_output(_answer(arguments, selection, found), self._context.limits, self._context.spill))

    def _select(self, located: Located, arguments: GrepArguments, stop: threading.Event) -> _Selection:
        if not located.real.is_dir():
            if not os.path.lexists(located.real):
                raise missing(located)
            if not located.real.is_file():
                raise ToolFailed(f"{located.shown} is neither a file nor a folder.")
            refuse_secrets(arguments.path, located)
            return _Selection([(_line_safe(located.shown), str(located.real))])
        wanted = _Wanted(arguments.glob)
        walk = Walk(located.real, self._context.workspace.root, stop)
        prefix = "" if located.shown in ("", ".") else located.shown.rstrip("/") + "/"
        files: list[tuple[str, str]] = []
        secret = 0
        for entry in walk:
            if not entry.is_regular or not wanted(entry.path):
                continue
            if holds_secrets(located.real / entry.path):
                secret += 1
            else:
                files.append((_line_safe(prefix + entry.path), str(located.real / entry.path)))
        return _Selection(files, walk.unreadable, secret)

    async def _search(self, arguments: GrepArguments, files: list[tuple[str, str]]) -> Found:
        environ = self._context.environ
        ripgrep = shutil.which("rg", path=environ.get("PATH", ""))
        pattern = for_ripgrep(arguments.pattern, arguments.ignore_case)
        # A relative answer comes from the working folder, which may hold a program of strangers.
        if ripgrep and Path(ripgrep).is_absolute() and pattern is not None and len(files) > 1:
            files = await candidates(ripgrep, pattern, files, environ, _SECONDS)
        limits = self._context.limits
        job = Job(
            pattern=arguments.pattern,
            ignore_case=arguments.ignore_case,
            context=arguments.context,
            files_only=arguments.files_only,
            files=files,
            max_lines=max(limits.max_lines - _NOTE_LINES, 1),
            max_bytes=max(limits.max_bytes - _NOTE_ROOM, 1),
            seconds=_SECONDS,
        )
        # Isolated: neither the workspace's modules nor PYTHON* variables may take part.
        flags = ["-I", "-S", "-X", f"utf8={sys.flags.utf8_mode}"]
        command = [sys.executable, *flags, "-c", _START, str(Path(__file__).parents[1])]
        code, answer = await run_bounded(command, json.dumps(job).encode(), environ, _SECONDS)
        if code != 0 or not answer:
            raise ToolFailed(f"The search process ended with code {code}; try a simpler pattern or fewer files.")
        return cast(Found, json.loads(answer))


class _Wanted:
    """Whether a path fits `glob`: a pattern without a slash is compared with names, `!` turns it around."""

    def __init__(self, glob: str | None) -> None:
        self._is_negated = bool(glob) and glob is not None and glob.startswith("!")
        pattern = (glob or "")[self._is_negated :].removeprefix("./")
        pattern += "**" if pattern.endswith("/") else ""
        self._by_name = "/" not in pattern
        self._regex = glob_regex(pattern.removeprefix("/")) if pattern else None

    def __call__(self, path: str) -> bool:
        if self._regex is None:
            return True
        fits = self._regex.fullmatch(path.rpartition("/")[2] if self._by_name else path) is not None
        return fits != self._is_negated


def _line_safe(path: str) -> str:
    return escape_controls(path).replace("\n", "\\n")


def _explain(pattern: str, problem: str) -> str:
    message = f"The pattern is not a Python regular expression: {problem}."
    if "\\p" in pattern or "[[:" in pattern:
        return message + " Instead of \\p{..} and [:..:] use \\w, \\d, \\s or a set of characters."
    return message + " Put a backslash before characters that are meant literally: ( ) [ ] { } . * + ? | ^ $ \\"


def _answer(arguments: GrepArguments, selection: _Selection, found: Found) -> str:
    lines = [escape_controls(line) for line in found["lines"]]
    what = "files" if arguments.files_only else "matches"
    if not found["matches"]:
        about = " Matching is line by line, so a pattern with \\n finds nothing." if _spans(arguments.pattern) else ""
        lines.append(f"[no matches in {_files(len(selection.files))}.{about}]")
    elif found["shown"] < found["matches"]:
        where = "" if arguments.files_only else f" in {found['files']:,} files"
        lines.append(
            f"[{found['shown']:,} of {found['matches']:,} {what}{where} shown; narrow with path, glob or files_only]"
        )
    if selection.secret:
        lines.append(f"[{_files(selection.secret)} with secrets not searched]")
    if found["binary"]:
        lines.append(f"[{_files(found['binary'])} not searched: binary]")
    unreadable = found["unreadable"] + len(selection.unreadable)
    if unreadable:
        examples = [*(f"{where}: {why}" for where, why in selection.unreadable), *found["examples"]]
        lines.append(f"[{unreadable:,} could not be read, such as {escape_controls(examples[0])[:300]}]")
    return "\n".join(lines)


def _files(count: int) -> str:
    return f"{count:,} {'file' if count == 1 else 'files'}"


def _spans(pattern: str) -> bool:
    return "\\n" in pattern or "\n" in pattern
