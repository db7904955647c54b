"""Requests beside the conversation: summaries, and whatever else a session asks a model for on its own account."""

from __future__ import annotations

import attrs
from attrs import frozen

from aries_kernel.loop.asking import Asker
from aries_kernel.model.messages import AssistantMessage, UserMessage
from aries_kernel.model.request import Request
from aries_kernel.router.route import SlotName
from aries_kernel.router.router import Router

__all__ = ["Errands"]


@frozen
class Errands:
    """Asks a slot one question, without tools and history. Nothing is shown; everything is counted."""

    asker: Asker
    router: Router

    async def ask(self, slot: SlotName, system: str, text: str, *, purpose: str) -> AssistantMessage:
        """The answer of `slot`; `purpose` names it in the record of what was spent.

        Raises: EmptyAnswer, RetriableError, FatalError, PluginError; UserError where the slot cannot be used.
        """
        silent = attrs.evolve(self.asker, show=lambda event: None, purpose=purpose)
        request = Request("", system, (), (UserMessage(text),), self.asker.session.id)
        return await silent.ask(request, self.router.route(slot))
