"""What a provider learned by being refused: kept for the session, so that nothing is refused twice."""

from __future__ import annotations

from typing import Generic, TypeVar

import attrs

from aries_kernel.model.request import ModelInfo, Request
from aries_kernel.model.stream import Remark
from aries_provider_http.boundary import Boundary
from aries_provider_http.faults import Fault
from aries_provider_http.images import has_images, refuses_images, without_images
from aries_provider_http.refused_tools import refused_tool

__all__ = ["Lessons"]

Traits = TypeVar("Traits", bound=attrs.AttrsInstance)


class Lessons(Generic[Traits]):
    """By model: other traits, tools that are left out, pictures that are told instead of shown."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self.traits: dict[str, Traits] = {}
        self._tools: dict[str, set[str]] = {}
        self._unseen: dict[str, Boundary] = {}
        self._told_blind: set[str] = set()

    def is_left_out(self, model: str, tool: str) -> bool:
        """Whether this tool is not offered to this model any more."""
        return tool in self._tools.get(model, ())

    def leave_out(self, model: str, tool: str, reason: str) -> Remark:
        """Offer a tool no more; gives what the person is told."""
        self._tools.setdefault(model, set()).add(tool)
        return Remark(f"{self._provider} does not take the tool {tool}, so {model} works without it: {reason}")

    def learn(self, sent: Request, wire_names: tuple[str, ...], fault: Fault, reason: str) -> Remark | None:
        """Take a refusal of a picture or a tool to heart; None where it is about neither."""
        if has_images(sent) and refuses_images(fault):
            self._unseen[sent.model] = Boundary.at_end_of(sent.messages)
            return Remark(f"{self._provider} refuses an image, so {sent.model} goes on without: {reason}")
        place = refused_tool(fault, wire_names)
        return None if place is None else self.leave_out(sent.model, sent.tools[place].name, reason)

    def blindness(self, request: Request, info: ModelInfo) -> Remark | None:
        """What the person is told, once, where pictures are attached for a model that reads text only."""
        if info.has_images or not has_images(request) or request.model in self._told_blind:
            return None
        self._told_blind.add(request.model)
        return Remark(
            f"{request.model} reads text only, so it does not see your pictures. Choose another model; if this is "
            f"wrong, set providers.{self._provider}.models.{request.model}.has_images: true."
        )

    def applied(self, request: Request, info: ModelInfo) -> Request:
        """The request as this model may get it."""
        left_out = self._tools.get(request.model)
        if left_out:
            request = attrs.evolve(request, tools=tuple(one for one in request.tools if one.name not in left_out))
        if not has_images(request):
            return request
        if not info.has_images:
            return without_images(request, f"not shown, {request.model} reads text only")
        refused = self._unseen.get(request.model, Boundary()).within(request.messages)
        return without_images(request, "not shown, the server refused it", refused)
