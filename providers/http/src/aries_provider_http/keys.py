"""The key of a provider: from a variable, or printed by a command that is run when the key is first needed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine, Mapping
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import AuthRefused
from aries_provider_http.faults import one_line
from aries_provider_http.options import is_header_value

__all__ = ["KeySource"]

_NEEDS_SHELL = re.compile(r"[|&;<>()$`*?~\n]")
_COMMAND_SECONDS = 30.0
_LONGEST_KEY = 64 * 1024


@frozen
class KeySource:
    """Where one provider's key comes from."""

    provider: str
    variables: tuple[str, ...]
    """The first that is set counts."""
    command: str | None
    environ: Mapping[str, str]
    is_optional: bool
    """True for a server on this machine."""

    @property
    def hint(self) -> str:
        """How the key is set."""
        if self.command:
            return f"The key comes from providers.{self.provider}.api_key_cmd."
        return (
            f"Set the variable {' or '.join(self.variables)}, or providers.{self.provider}.api_key_cmd in the settings."
        )

    def problem(self) -> str | None:
        """What is wrong with the key as far as can be told without running a command."""
        if self.command:
            return None
        key = self._from_environ()
        if not key:
            return None if self.is_optional else f"There is no key for {self.provider}. {self.hint}"
        return None if is_header_value(key) else self._unusable(f"The key in {self._named}")

    async def read(self) -> str:
        """The key; empty where none is needed.

        Raises: AuthRefused where there is none, the command fails, or the key cannot be sent.
        """
        problem = self.problem()
        if problem:
            raise AuthRefused(problem)
        return await self._run(self.command) if self.command else self._from_environ()

    @property
    def _named(self) -> str:
        return " or ".join(self.variables)

    def _from_environ(self) -> str:
        return next((key for one in self.variables if (key := self.environ.get(one, "").strip())), "")

    def _unusable(self, what: str) -> str:
        return f"{what} holds a character that cannot be sent in a header. {self.hint}"

    async def _run(self, command: str) -> str:
        where = f"providers.{self.provider}.api_key_cmd"
        try:
            process = await _whole(self._start(command))
        except (OSError, ValueError) as error:
            raise AuthRefused(f"{where} cannot be started: {error}.") from error
        try:
            async with asyncio.timeout(_COMMAND_SECONDS):
                output, errors = await process.communicate()
        except TimeoutError as error:
            await _end(process)
            raise AuthRefused(f"{where} gave no key within {_COMMAND_SECONDS:.0f} s.") from error
        except asyncio.CancelledError:
            await _end(process)
            raise
        if process.returncode:
            said = one_line(errors.decode("utf-8", errors="replace"), 200) or "it said nothing"
            raise AuthRefused(f"{where} failed with code {process.returncode}: {said}")
        lines = output[:_LONGEST_KEY].decode("utf-8", errors="replace").split()
        if len(lines) != 1:
            raise AuthRefused(f"{where} must print the key and nothing else; it printed {len(lines)} words.")
        if not is_header_value(lines[0]):
            raise AuthRefused(self._unusable(f"What {where} printed"))
        return lines[0]

    async def _start(self, command: str) -> Process:
        # Not in the working folder: a strange project must not be able to put its own program there.
        home = str(Path(self.environ.get("HOME") or self.environ.get("USERPROFILE") or Path.home()))
        is_posix = os.name == "posix"
        environ = dict(self.environ)
        if _NEEDS_SHELL.search(command):
            return await asyncio.create_subprocess_shell(
                command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=environ, cwd=home, start_new_session=is_posix
            )
        words = [word.strip('"') for word in shlex.split(command, posix=is_posix)]
        if not words:
            raise ValueError("it is empty")
        return await asyncio.create_subprocess_exec(
            *words, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, env=environ, cwd=home, start_new_session=is_posix
        )


async def _whole(start: Coroutine[object, object, Process]) -> Process:
    """Start to the end also when cancelled: a cut start would leave the command's children alive, with its pipes."""
    task = asyncio.ensure_future(start)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(OSError, ValueError):  # It did not start: nothing to end.
            await _end(await task)
        raise


async def _end(process: Process) -> None:
    """Leave nothing behind: children of the command may hold its pipes longer than it lives."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    await process.wait()
