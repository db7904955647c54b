"""Sessions with several providers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from attrs import define, field

from aries_kernel.contracts.provider import ProviderContext
from aries_kernel.errors import MissingKey
from aries_kernel.host import Host
from aries_kernel.model.events import Notice
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.session import Outcome
from aries_kernel.model.spending import Spending
from aries_kernel.router.ledger import read_spendings
from aries_kernel.testing.fakes import ScriptedProvider, make_host


@define
class Named(ScriptedProvider):
    """A provider whose models have the names that are asked for; without a key where it has none."""

    key: str = "key"
    contexts: list[ProviderContext] = field(factory=list)

    def __call__(self, context: ProviderContext) -> ScriptedProvider:
        self.contexts.append(context)
        return self

    def model_info(self, model: str) -> ModelInfo:
        return attrs.evolve(self.info, name=model)

    def check(self, model: str) -> None:
        if not self.key:
            raise MissingKey("There is no key. Set the variable FAKE_KEY.")


@define
class Sessions:
    """Opens hosts in one folder."""

    folder: Path
    events: list[Any] = field(factory=list)
    host: Host | None = None

    def named(self, *answers: Sequence[Any], **figures: Any) -> Named:
        """A provider with these answers."""
        key = figures.pop("key", "key")
        return Named(answers, ModelInfo("", **figures), key=key)

    def play(
        self,
        providers: Mapping[str, Named],
        models: Mapping[str, Any],
        *prompts: str | Callable[[Any], None],
        **settings: Any,
    ) -> tuple[Any, list[Outcome]]:
        """Run prompts one after the other; a function among them is called with the agent."""
        resume = settings.pop("resume", None)
        self.host = make_host(
            self.folder,
            None,
            others=providers,
            settings={"models": models, "permissions": {"mode": "all"}, **settings},
            show=self.events.append,
        )

        async def go() -> tuple[Any, list[Outcome]]:
            assert self.host is not None
            agent = self.host.open(resume=resume)
            outcomes: list[Outcome] = []
            for prompt in prompts:
                if callable(prompt):
                    prompt(agent)
                else:
                    outcomes.append(await agent.run(prompt))
            await self.host.close()
            return agent, outcomes

        return asyncio.run(go())

    @property
    def notices(self) -> str:
        return "\n".join(event.text for event in self.events if isinstance(event, Notice))

    @property
    def spent(self) -> list[Spending]:
        problems: list[str] = []
        found = list(read_spendings(self.folder / "state" / "usage", problems))
        assert problems == []
        return found


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)
