"""What a model's window is filled with: by length, and by the server's own count where it offers one."""

from __future__ import annotations

import attrs
from attrs import frozen

from aries_kernel.contracts.provider import CountsTokens
from aries_kernel.discovery.report import described_error
from aries_kernel.errors import AriesError
from aries_kernel.loop.compaction import estimate
from aries_kernel.model.messages import UserMessage
from aries_kernel.model.request import Request
from aries_kernel.router.fitness import fixed_tokens
from aries_kernel.router.route import Route

__all__ = ["Occupancy", "measured"]


@frozen
class Occupancy:
    """Tokens of the next request. Those of the parts are estimates; `counted` and `last` are a server's figures."""

    rules: int
    tools: int
    tool_count: int
    conversation: int
    window: int | None
    last: int | None
    """Of the last request and its answer, as billed; None before the first answer."""
    counted: int | None
    """None where the provider does not count, or could not."""
    problem: str
    """Why the server's count is missing though the provider offers one."""

    @property
    def estimated(self) -> int:
        """All parts together."""
        return self.rules + self.tools + self.conversation

    @property
    def best(self) -> int:
        """The most trustworthy figure there is of what the next request takes."""
        return next((size for size in (self.counted, self.last) if size), self.estimated)


async def measured(request: Request, route: Route, last: int | None) -> Occupancy:
    """Measure `request`, which is not sent; a provider that counts is asked to."""
    counted, problem = await _counted(request, route)
    return Occupancy(
        rules=fixed_tokens(request.system, ()),
        tools=fixed_tokens("", request.tools),
        tool_count=len(request.tools),
        conversation=estimate(request.messages),
        window=route.window,
        last=last,
        counted=counted,
        problem=problem,
    )


async def _counted(request: Request, route: Route) -> tuple[int | None, str]:
    connection = route.current
    if not isinstance(connection.provider, CountsTokens):
        return None, ""
    # Servers count conversations, and refuse to count one that has not begun.
    asked = request if request.messages else attrs.evolve(request, messages=(UserMessage("."),))
    try:
        return await connection.provider.count_tokens(route.fitted(asked)), ""
    except AriesError as error:
        return None, str(error)
    except Exception as error:  # A provider is foreign code; its defect costs this figure only.
        return None, f"The provider {connection.provider_name} failed inside: {described_error(error)}."
