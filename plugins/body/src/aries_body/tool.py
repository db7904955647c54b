"""The tool Repl: Python in the body, for the model."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

from attrs import frozen

from aries_body.confinement.choosing import choose, may_be_confined
from aries_body.confinement.plan import Confinement
from aries_body.process.body import Body, BodyFailed
from aries_body.process.results import Executed, Status
from aries_body.repl.api import banner
from aries_body.repl.display import short_repr
from aries_body.services.assembling import Site
from aries_body.services.hosting import HostServices
from aries_body.services.providers import groups_with
from aries_kernel.broker.effects import Effect, RunCommand
from aries_kernel.contracts.body import Group, GroupProvider
from aries_kernel.contracts.tool import Tool, ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed
from aries_kernel.model.session import PromptSection
from aries_kernel.tools.output import fit_output
from aries_kernel.tools.schema import described

__all__ = ["ReplArguments", "make_repl"]

_LONGEST = 600.0
_UNCONFINED = "it runs with all your rights: this system cannot confine it"


@frozen
class ReplArguments:
    """What the model sends."""

    code: str = described("Python; the value of a last expression is shown")
    seconds: float | None = described("time limit, at most 600", default=None)


def make_repl(context: ToolContext) -> Tool:
    """The tool for this machine: where the body can be confined it only reads, otherwise a call is like a command."""
    return Repl(context) if may_be_confined(context.environ) else UnconfinedRepl(context)


class Repl:
    """Code that changes nothing by itself: what it asks of the host is judged call by call."""

    name: ClassVar[str] = "Repl"
    description: ClassVar[str] = (
        "Run Python in a process that holds the project; variables persist between calls, imports work. help() lists "
        "what is there: fs, codebase, vault, shell.run, web, state, rlm_call, say, ask, done. "
        "Do several steps in one call and print only what you need; large values stay in variables. "
        "The process has no network, starts no programs and reads the project only; "
        "fs.write, fs.edit, shell.run, web and vault.add go through the permissions."
    )
    arguments: ClassVar[type[ReplArguments]] = ReplArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._site = Site(
            project=context.workspace.root,
            environ=context.environ,
            home=context.home or Path.home(),
            settings=context.body,
            plugins=context.plugins,
            inner=context.inner,
            state_folder=context.state_folder,
        )
        self._services: HostServices | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aries-repl")
        self._body: Future[Body] | None = None
        self._confined: Confinement | None = None

    @functools.cached_property
    def _providers(self) -> list[GroupProvider]:
        return self._site.providers()

    @functools.cached_property
    def _groups(self) -> tuple[Group, ...]:
        return groups_with(self._providers)

    def status(self) -> str:
        """What confines code, once that was tried."""
        return "" if self._confined is None else f"Repl {self._confined}"

    def section(self) -> PromptSection:
        """Every operation in a line, from the table that `help` prints from."""
        return PromptSection("Repl", banner(self._groups))

    def effects(self, arguments: ReplArguments) -> Sequence[Effect]:
        """None: the system keeps the code from having any. Raises: BadArguments."""
        _check(arguments)
        return ()

    async def run(self, arguments: ReplArguments) -> ToolOutput:
        """Run the code to its end, its limit, or the end of the call. Raises: ToolFailed."""
        _check(arguments)
        body = await self._ready()
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(
            None, body.execute, arguments.code, arguments.seconds or self._context.body.seconds
        )
        try:
            executed = await asyncio.shield(future)
        except asyncio.CancelledError:
            body.interrupt()
            await asyncio.wait({future})
            future.exception()  # taken, so that nobody warns about it
            raise
        except BodyFailed as error:
            raise ToolFailed(str(error)) from error
        limits = self._context.limits
        text = fit_output(_told(executed), limits, self._context.spill)
        return ToolOutput(text, is_error=executed.is_error, details=_details(executed))

    async def close(self) -> None:
        """End the process, also one that is still being started."""
        starting, self._body = self._body, None
        if starting is not None:
            await asyncio.to_thread(_end, starting)
        if self._services is not None:
            await self._services.close()
            self._services = None

    async def _ready(self) -> Body:
        """The body; a call that is cancelled meanwhile does not lose it."""
        if self._body is None or (self._body.done() and self._body.exception() is not None):
            self._body = self._pool.submit(self._start, asyncio.get_running_loop())
        try:
            body = await asyncio.shield(asyncio.wrap_future(self._body))
        except BodyFailed as error:
            raise ToolFailed(str(error)) from error
        if self._services is not None:
            self._services.loop = asyncio.get_running_loop()
        return body

    def _start(self, loop: asyncio.AbstractEventLoop) -> Body:
        confinement = self._confined = self._confinement()
        self._services = self._site.services(loop, self._providers)
        body = self._site.body(confinement, self._groups, self._services)
        try:
            body.start()
        except BodyFailed:
            body.close()
            raise
        return body

    def _confinement(self) -> Confinement:
        found = choose(self._context.environ)
        if not found.is_confined:
            raise BodyFailed(f"The code was to be confined by the system, and that does not work: {found}.")
        return found


class UnconfinedRepl(Repl):
    """Where nothing confines it, code is a command like any other."""

    reads_only: ClassVar[bool] = False

    def effects(self, arguments: ReplArguments) -> Sequence[Effect]:
        """The code, as a command that can do anything. Raises: BadArguments."""
        _check(arguments)
        return (RunCommand(("python", "-c", arguments.code), arguments.code, _UNCONFINED),)

    def _confinement(self) -> Confinement:
        return choose(self._context.environ)


def _end(starting: Future[Body]) -> None:
    with contextlib.suppress(BodyFailed):  # There is none, then; the call that wanted it was told.
        starting.result().close()


def _check(arguments: ReplArguments) -> None:
    if not arguments.code.strip():
        raise BadArguments("code: it is empty.")
    if arguments.seconds is not None and not 0 < arguments.seconds <= _LONGEST:
        raise BadArguments("seconds: more than 0 and at most 600.")


def _told(executed: Executed) -> str:
    parts = [executed.printed.text.rstrip("\n"), executed.value or ""]
    if executed.restart is None:
        parts.append(executed.error or "")
    else:
        parts.append(f"[{executed.restart}]")
    if executed.status is Status.DONE and executed.done is not None:
        parts.append(executed.done if isinstance(executed.done, str) else short_repr(executed.done))
    return "\n".join(part for part in parts if part) or "[no output]"


def _details(executed: Executed) -> dict[str, object]:
    return {"done": executed.done} if executed.status is Status.DONE else {}
