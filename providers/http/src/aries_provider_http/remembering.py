"""What was worked out about a tool's schema, for as long as the tool is the same object: tools stay, requests come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from aries_kernel.model.request import ToolSchema

__all__ = ["PerTool"]

Result = TypeVar("Result")

_MOST = 2_000


class PerTool(Generic[Result]):
    """A function of a tool whose results are kept."""

    def __init__(self, work: Callable[[ToolSchema], Result]) -> None:
        self._work = work
        self._known: dict[int, tuple[Mapping[str, object], Result]] = {}

    def __call__(self, tool: ToolSchema) -> Result:
        """The result for `tool`, which is not changed by anybody."""
        known = self._known.get(id(tool.parameters))
        # Whoever is kept here is alive, so no other object can have its place in memory.
        if known is not None and known[0] is tool.parameters:
            return known[1]
        if len(self._known) >= _MOST:
            self._known.clear()
        made = self._work(tool)
        self._known[id(tool.parameters)] = (tool.parameters, made)
        return made
