"""Whether a model can do the work at all, said before it is asked for the first time."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aries_kernel.errors import UserError
from aries_kernel.model.request import ToolSchema
from aries_kernel.router.connection import Connection
from aries_kernel.router.route import Route
from aries_kernel.settings.schema import Budget

__all__ = ["fixed_tokens", "require_fit", "require_prices", "unfit_fallbacks"]

_CHARACTERS_PER_TOKEN = 4
_LEAST_ROOM = 256
"""Tokens for a prompt and an answer; with fewer, nothing can be done."""


def fixed_tokens(system: str, tools: Sequence[ToolSchema]) -> int:
    """Tokens that stand in every request, by their length."""
    size = len(system)
    for tool in tools:
        size += len(tool.name) + len(tool.description) + len(json.dumps(tool.parameters, ensure_ascii=False))
    return size // _CHARACTERS_PER_TOKEN


def require_fit(route: Route, system: str, tools: Sequence[ToolSchema]) -> None:
    """See that the current model takes tools and has room for what stands in every request.

    Raises: UserError with the cure.
    """
    _require(route.current, route.window, system, tools)


def unfit_fallbacks(route: Route, system: str, tools: Sequence[ToolSchema]) -> dict[str, str]:
    """Fallbacks that could not do the work, each with the reason: they are not to be counted on."""
    found = {}
    for one in route.candidates[1:]:
        try:
            _require(one, route.window_of(one), system, tools)
        except UserError as error:
            found[one.spec] = str(error)
    return found


def _require(connection: Connection, window: int | None, system: str, tools: Sequence[ToolSchema]) -> None:
    where = f"providers.{connection.provider_name}.models.{connection.model.name}"
    if tools and not connection.model.has_tools:
        raise UserError(
            f"{connection.spec} cannot call tools, and the work is done with them. Choose another model; if this is "
            f"wrong, set {where}.has_tools: true."
        )
    fixed = fixed_tokens(system, tools)
    if window is not None and fixed + _LEAST_ROOM > window:
        raise UserError(
            f"The window of {connection.spec} is too small: it has {window:,} tokens, and the rules and tools of "
            f"every request take about {fixed:,} of them. Give it a larger window where its server allows that, choose "
            f"another model or a phase with fewer tools; if the figure is wrong, set {where}.context_window."
        )


def require_prices(route: Route, budget: Budget) -> None:
    """See that a limit in money can be kept, whichever of the route's models is asked.

    Raises: UserError with the cure.
    """
    if budget.max_cost is None:
        return
    for one in route.candidates:
        if one.model.price is None:
            raise UserError(
                f"budget.max_cost is set, but the price of {one.spec} is not known. Set it under providers."
                f"{one.provider_name}.models.{one.model.name}.price, or leave the limit out."
            )
