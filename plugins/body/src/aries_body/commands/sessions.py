"""A body for a command: what a session of a model has site it, without the model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from aries_body.confinement.choosing import choose
from aries_body.confinement.plan import Confinement
from aries_body.process.body import Body, BodyFailed
from aries_body.services.assembling import Site
from aries_body.services.hosting import HostServices
from aries_body.services.loop import running_loop
from aries_body.services.providers import groups_with
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
    site = Site(
        project=host.cwd,
        environ=environ,
        home=host.surroundings.home,
        settings=host.loaded.settings.body,
        plugins=host.plugins.drivers,
        inner=inner,
        state_folder=folder,
    )
    with running_loop() as loop:
        providers = site.providers()
        services = site.services(loop, providers, say=_say)
        body = site.body(confinement, groups_with(providers), services)
        try:
            body.start()
            yield OpenBody(body, host.cwd, confinement, folder / "repl-history")
        except BodyFailed as error:
            raise ToolFailed(str(error)) from error
        finally:
            body.close()
            asyncio.run_coroutine_threadsafe(_close(services, host), loop).result(_END_WITHIN)


async def _close(services: HostServices, host: Host) -> None:
    await services.close()
    await host.close()


def _say(text: str) -> None:
    print(text, flush=True)
