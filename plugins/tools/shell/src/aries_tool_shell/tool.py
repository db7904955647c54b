"""The tool Bash."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from attrs import evolve, frozen

from aries_kernel.broker.effects import Effect
from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed
from aries_kernel.tools.output import fit_output, fit_stream
from aries_kernel.tools.schema import described
from aries_tool_shell.capture import Capture
from aries_tool_shell.running import Ended, Run
from aries_tool_shell.windows import TreeRun

__all__ = ["Bash", "BashArguments"]

_LONGEST_TIME = 600.0
_LONGEST_COMMAND = 100_000
"""Bytes; Linux takes about 128 KiB in one argument."""
_STATUS_ROOM = 300
_NO_TERMINAL = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
}
_STEERS_BASH = re.compile(
    r"BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|CDPATH|PS4|PROMPT_COMMAND|GLOBIGNORE|ARIES_CALL"
)
"""Variables by which bash would do other things than the words that the policy saw."""


@frozen
class BashArguments:
    """What the model sends."""

    command: str = described("The script; may have several lines.")
    timeout: float | None = described("Seconds, at most 600.", default=None)


class Bash:
    """Runs a script and gives what it printed."""

    name: ClassVar[str] = "Bash"
    description: ClassVar[str] = (
        "Run a bash script in the workspace root. Each call is a new shell: cd and variables do not persist. "
        "No input and no terminal: interactive programs fail. Returns stdout and stderr together with the exit code; "
        "long output is cut in the middle and kept in a file. Background processes end with the call. "
        "Prefer Read, Edit, Grep and Glob for files."
    )
    arguments: ClassVar[type[BashArguments]] = BashArguments
    reads_only: ClassVar[bool] = False

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def effects(self, arguments: BashArguments) -> Sequence[Effect]:
        """Every simple command of the script, its redirections, the secret files it names. Raises: BadArguments."""
        from aries_tool_shell.analysis import analyse

        _check(arguments)
        return analyse(arguments.command, self._context.workspace.root)

    async def run(self, arguments: BashArguments) -> ToolOutput:
        """Run it; whatever it started is gone when this returns, raises or is cancelled. Raises: ToolFailed."""
        _check(arguments)
        limits = self._context.limits
        seconds = float(limits.command_seconds) if arguments.timeout is None else arguments.timeout
        capture = Capture(self._context.spill_folder / f"bash-{secrets.token_hex(6)}.txt", limits.max_bytes)
        kind = TreeRun if os.name == "nt" else Run
        environ = _environment(self._context.environ)
        run = kind(_find_shell(environ), arguments.command, self._context.workspace.root, environ, capture)
        try:
            ended = await _in_thread(run, min(seconds, _LONGEST_TIME))
            text = self._text(capture, ended, seconds)
            return ToolOutput(text, is_error=ended.code != 0, details=_details(capture, ended))
        finally:
            capture.close()

    def _text(self, capture: Capture, ended: Ended, seconds: float) -> str:
        limits = self._context.limits
        room = evolve(limits, max_bytes=max(limits.max_bytes - _STATUS_ROOM, 0), max_lines=max(limits.max_lines - 2, 0))
        head = bytes(capture.head).decode("utf-8", "surrogateescape")
        if capture.is_spilled:
            tail = capture.tail.decode("utf-8", "surrogateescape")
            printed = fit_stream(head, tail, capture.size, room, capture.file, is_whole=capture.is_file_whole)
        else:
            printed = fit_output(head, room, lambda _, __: capture.keep()) if head else ""
        status = _status(ended, min(seconds, _LONGEST_TIME))
        return f"{printed}{'' if not printed or printed.endswith(chr(10)) else chr(10)}{status}"


def _details(capture: Capture, ended: Ended) -> dict[str, object]:
    """What code reads: all that was printed, or the file it is in."""
    if capture.is_spilled:
        return {"code": ended.code, "file": str(capture.file)}
    return {"code": ended.code, "printed": bytes(capture.head).decode("utf-8", "replace")}


def _check(arguments: BashArguments) -> None:
    try:
        size = len(arguments.command.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise BadArguments("command: it holds half a surrogate pair, which is no character.") from error
    if not arguments.command.strip():
        raise BadArguments("command: it is empty.")
    if "\0" in arguments.command:
        raise BadArguments("command: it holds a NUL character.")
    if size > _LONGEST_COMMAND:
        raise BadArguments(f"command: {size:,} bytes are too many; write a file and run that.")
    if arguments.timeout is not None and not 0 < arguments.timeout <= _LONGEST_TIME:
        raise BadArguments("timeout: seconds, more than 0 and at most 600.")


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in environ.items() if not _STEERS_BASH.fullmatch(name)}
    return {**kept, **_NO_TERMINAL}


def _find_shell(environ: Mapping[str, str]) -> str:
    path = environ.get("PATH", os.defpath)
    found = shutil.which("bash", path=path) or (None if os.name == "nt" else shutil.which("sh", path=path))
    if os.name != "nt":
        found = found or next((shell for shell in ("/bin/bash", "/bin/sh") if Path(shell).exists()), None)
    if found is None:
        raise ToolFailed("No bash was found on PATH. Install one (Git for Windows brings it) or add it to PATH.")
    return str(Path(found).absolute())


async def _in_thread(run: Run | TreeRun, seconds: float) -> Ended:
    """Wait in a thread; a cancellation goes on only when the command is gone."""
    future = asyncio.get_running_loop().run_in_executor(None, run.wait, seconds)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        run.stop()
        while not future.done():
            try:
                await asyncio.wait({future})
            except asyncio.CancelledError:
                continue  # asked for already
        future.exception()  # taken, so that nobody warns about it
        raise


def _status(ended: Ended, limit: float) -> str:
    spent = f"{ended.seconds:.1f} s"
    if ended.is_timed_out:
        return f"[stopped at the time limit of {limit:g} s; give a longer timeout (at most 600) or a smaller task]"
    if ended.code is None:
        return f"[stopped after {spent}]"
    said = f"exit code {ended.code}" if ended.code >= 0 else f"killed by signal {-ended.code}"
    left = (
        f"; {ended.left} background process{'' if ended.left == 1 else 'es'} ended with the call" if ended.left else ""
    )
    return f"[{said}, {spent}{left}]"
