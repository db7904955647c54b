"""A body for a command: what a session of a model has around it, without the model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from aries_body.confinement.choosing import choose
from aries_body.confinement.plan import Confinement
from aries_body.confinement.secrets import secret_files
from aries_body.process.body import Body, BodyFailed
from aries_body.process.starting import Launch
from aries_body.services.graph import GraphProvider
from aries_body.services.hosting import HostServices
from aries_body.services.loop import running_loop
from aries_body.services.providers import groups_with
from aries_body.services.state import StateStore, state_file
from aries_kernel.errors import ToolFailed
from aries_kernel.host import Host

__all__ = ["OpenBody", "opened"]

_END_WITHIN = 30.0


@frozen
class OpenBody:
    """A body and what is told about it."""

    body: Body
    project: Path
    confinement: Confinement
    history: Path
    """Where the lines that a person typed are kept."""


@contextmanager
def opened(host: Host, *, is_confined: bool) -> Iterator[OpenBody]:
    """A started body, ended with everything it started when this is left.

    Raises: UserError and its kinds.
    """
    environ, folder = host.surroundings.environ, host.surroundings.state_folder
    confinement = choose(environ) if is_confined else Confinement("none")
    inner, _ = host.calls()
    with running_loop() as loop:
        state = StateStore(state_file(folder, host.cwd))
        providers = [GraphProvider(host.cwd)]
        services = HostServices(loop, inner=inner, state=state, providers=providers, say=_say)
        hidden = secret_files(host.cwd) if confinement.kind == "bubblewrap" else ()
        body = Body(Launch(host.cwd, confinement, environ, groups_with(providers), hidden=hidden), services)
        try:
            body.start()
            yield OpenBody(body, host.cwd, confinement, folder / "repl-history")
        except BodyFailed as error:
            raise ToolFailed(str(error)) from error
        finally:
            body.close()
            asyncio.run_coroutine_threadsafe(services.close(), loop).result(_END_WITHIN)


def _say(text: str) -> None:
    print(text, flush=True)
