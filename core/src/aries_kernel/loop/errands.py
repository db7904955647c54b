"""Requests beside the conversation: summaries, and whatever else a session asks a model for on its own account."""

from __future__ import annotations

from collections.abc import Callable

import attrs
from attrs import frozen

from aries_kernel.contracts.tool import ModelSaid
from aries_kernel.errors import LimitReached, Refused, UserError
from aries_kernel.loop.asking import Asker
from aries_kernel.model.messages import AssistantMessage, UserMessage
from aries_kernel.model.request import Request
from aries_kernel.model.usage import Usage
from aries_kernel.router.fitness import require_prices
from aries_kernel.router.route import SlotName
from aries_kernel.router.router import Router
from aries_kernel.settings.schema import Budget

__all__ = ["CodeQuestions", "Errands"]


@frozen
class Errands:
    """Asks a slot one question, without tools and history. Nothing is shown; everything is counted."""

    asker: Asker
    router: Router

    async def ask(
        self, slot: SlotName, system: str, text: str, *, purpose: str, max_output: int | None = None
    ) -> AssistantMessage:
        """The answer of `slot`; `purpose` names it in the record of what was spent.

        Raises: EmptyAnswer, RetriableError, FatalError, PluginError; UserError where the slot cannot be used.
        """
        answer, _ = await self.ask_priced(slot, system, text, purpose=purpose, max_output=max_output)
        return answer

    async def ask_priced(
        self, slot: SlotName, system: str, text: str, *, purpose: str, max_output: int | None = None
    ) -> tuple[AssistantMessage, float | None]:
        """As `ask`, with US dollars, attempts that failed included; None where the price is not known."""
        costs: list[float | None] = []
        account = self.asker.account

        def spend(usage: Usage, cost: float | None) -> None:
            costs.append(cost)
            account.spend(usage, cost)

        counted = attrs.evolve(account, spend=spend)
        silent = attrs.evolve(self.asker, show=lambda event: None, purpose=purpose, account=counted)
        request = Request("", system, (), (UserMessage(text),), self.asker.session.id, max_output)
        answer = await silent.ask(request, self.router.route(slot))
        known = [cost for cost in costs if cost is not None]
        return answer, sum(known) if len(known) == len(costs) else None


@frozen
class CodeQuestions:
    """Questions of code that a tool runs, to the cheap slot, within what the turn may still spend."""

    errands: Errands
    budget: Budget
    check: Callable[[], None]
    """Raises LimitReached where the turn has nothing left."""

    async def ask(self, prompt: str, max_output: int) -> ModelSaid:
        """One question, one answer.

        Raises: Refused where the budget is used up or cannot be kept; as `Errands.ask`.
        """
        route = self.errands.router.route("cheap")
        try:
            self.check()
            require_prices(route, self.budget)
        except LimitReached as limit:
            raise Refused(limit.reason) from None
        except UserError as error:
            raise Refused(str(error)) from error
        answer, cost = await self.errands.ask_priced("cheap", "", prompt, purpose="code", max_output=max_output)
        return ModelSaid(answer.text, answer.usage.total, cost)
