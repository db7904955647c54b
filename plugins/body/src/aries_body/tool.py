"""The tool Repl: Python in the body, for the model."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ClassVar

from attrs import frozen

from aries_body.confinement.choosing import choose, may_be_confined
from aries_body.confinement.plan import Confinement
from aries_body.confinement.secrets import secret_files
from aries_body.process.body import Body, BodyFailed
from aries_body.process.results import Executed
from aries_body.process.starting import Launch
from aries_body.services.graph import GraphProvider
from aries_body.services.hosting import HostServices
from aries_body.services.providers import groups_with
from aries_body.services.state import StateStore, state_file
from aries_kernel.broker.effects import Effect, RunCommand
from aries_kernel.contracts.tool import Tool, ToolContext, ToolOutput
from aries_kernel.errors import BadArguments, ToolFailed
from aries_kernel.tools.output import fit_output
from aries_kernel.tools.schema import described

__all__ = ["ReplArguments", "make_repl"]

_LONGEST = 600.0
_USUAL = 90.0
_UNCONFINED = "it runs with all your rights: this system cannot confine it"


@frozen
class ReplArguments:
    """What the model sends."""

    code: str = described("Python; the value of a last expression is shown")
    seconds: float | None = described("time limit, at most 600; 90 if not given", default=None)


def make_repl(context: ToolContext) -> Tool:
    """The tool for this machine: where the body can be confined it only reads, otherwise a call is like a command."""
    return Repl(context) if may_be_confined(context.environ) else UnconfinedRepl(context)


class Repl:
    """Code that changes nothing by itself: what it asks of the host is judged call by call."""

    name: ClassVar[str] = "Repl"
    description: ClassVar[str] = (
        "Run Python in a process that holds the project; variables persist between calls. help() lists what is there: "
        "fs (read, grep, glob, write, edit), shell.run, web, state, codebase, vault, rlm_call, say, done. "
        "Do several steps in one call and print only what you need; large values stay in variables. "
        "The process has no network, starts no programs and reads the project only; "
        "fs.write, fs.edit, shell.run and web go through the permissions."
    )
    arguments: ClassVar[type[ReplArguments]] = ReplArguments
    reads_only: ClassVar[bool] = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._services: HostServices | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aries-repl")
        self._body: Future[Body] | None = None

    def effects(self, arguments: ReplArguments) -> Sequence[Effect]:
        """None: the system keeps the code from having any. Raises: BadArguments."""
        _check(arguments)
        return ()

    async def run(self, arguments: ReplArguments) -> ToolOutput:
        """Run the code to its end, its limit, or the end of the call. Raises: ToolFailed."""
        _check(arguments)
        body = await self._ready()
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(None, body.execute, arguments.code, arguments.seconds or _USUAL)
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
        return ToolOutput(fit_output(_told(executed), limits, self._context.spill), is_error=executed.is_error)

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
        context, root = self._context, self._context.workspace.root
        confinement = self._confinement()
        hidden = secret_files(root) if confinement.kind == "bubblewrap" else ()
        state = None if context.state_folder is None else StateStore(state_file(context.state_folder, root))
        providers = [GraphProvider(root)]
        self._services = HostServices(loop, inner=context.inner, state=state, providers=providers)
        body = Body(Launch(root, confinement, context.environ, groups_with(providers), hidden=hidden), self._services)
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
    if executed.done is not None:
        parts.append(f"[done: {executed.done}]")
    return "\n".join(part for part in parts if part) or "[no output]"
