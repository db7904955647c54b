"""A body with what answers it, put together from the settings: the same for the tool of a model and for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from aries_body.confinement.plan import Confinement, Limits
from aries_body.confinement.secrets import secret_files
from aries_body.process.body import Body
from aries_body.process.starting import Launch
from aries_body.services.hosting import HostServices
from aries_body.services.providers import providers_for
from aries_body.services.small_model import SessionModel, SmallModelCalls
from aries_body.services.state import StateStore, state_file
from aries_kernel.contracts.body import Group, GroupContext, GroupProvider
from aries_kernel.contracts.tool import InnerCalls, PluginSource
from aries_kernel.settings.schema import Body as BodySettings

__all__ = ["Site"]


@frozen
class Site:
    """Where a body stands."""

    project: Path
    environ: Mapping[str, str]
    home: Path
    settings: BodySettings
    plugins: PluginSource | None = None
    inner: InnerCalls | None = None
    state_folder: Path | None = None

    def providers(self) -> list[GroupProvider]:
        """What answers the groups of operations; nothing is opened yet."""
        context = GroupContext(self.project, self.environ, self.home, inner=self.inner)
        return providers_for(context, self.plugins, self.settings.groups)

    def services(
        self,
        loop: asyncio.AbstractEventLoop,
        providers: Sequence[GroupProvider],
        say: Callable[[str], None] | None = None,
    ) -> HostServices:
        """What the host does for code; `say` None: the session shows it."""
        settings = self.settings
        model = None if self.inner is None else SessionModel(self.inner)
        return HostServices(
            loop,
            inner=self.inner,
            state=None if self.state_folder is None else StateStore(state_file(self.state_folder, self.project)),
            models=SmallModelCalls(model, max_cost=settings.model_cost, most_calls=settings.model_calls),
            providers=providers,
            say=say,
        )

    def body(self, confinement: Confinement, groups: tuple[Group, ...], services: HostServices) -> Body:
        """A body that is not started yet."""
        hidden = secret_files(self.project) if confinement.kind == "bubblewrap" else ()
        limits = _limits(self.settings)
        return Body(Launch(self.project, confinement, self.environ, groups, limits, hidden=hidden), services)


def _limits(settings: BodySettings) -> Limits:
    """The limits that the settings set."""
    return Limits(
        memory=settings.memory,
        processes=settings.processes,
        cpu=settings.cpu_seconds,
        file=settings.file_size,
        output=settings.output,
    )
