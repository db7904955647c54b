"""Watches the prompt cache: what was read, written and missed, and whether the miss was ours to avoid."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field, frozen

from aries_kernel.model.messages import Message
from aries_kernel.model.request import Request, ToolSchema
from aries_kernel.model.spending import CacheUse
from aries_kernel.model.usage import Usage

__all__ = ["PrefixWatch"]

_GRAIN = 256
"""Servers cache whole blocks of tokens: less than this is no miss."""


@frozen
class _Sent:
    """The parts of a request that a cache depends on, in the order of the prompt."""

    model: str
    system: str
    tools: tuple[ToolSchema, ...]
    effort: str | None
    messages: tuple[Message, ...]
    prompt: int
    """Tokens."""


@define
class PrefixWatch:
    """Compares each request of a conversation with the one before it."""

    _last: _Sent | None = None
    _caches: dict[str, bool] = field(factory=dict)
    """By model: whether its server was ever seen to cache."""

    def note(self, model: str, request: Request, usage: Usage) -> CacheUse:
        """Take an answer's request and usage; gives what the cache did. `model` is `provider/model`."""
        last = self._last
        self._last = _Sent(model, request.system, request.tools, request.effort, request.messages, usage.prompt)
        self._caches[model] = self.is_caching(model) or usage.cache_read + usage.cache_write > 0
        if last is None:
            return CacheUse(usage.cache_read, usage.cache_write)
        reason = _why(last, self._last)
        # A server that never tells of a cache misses nothing; one that did may have lost what it had.
        counts = self._caches[model] or self.is_caching(last.model)
        missed = max(last.prompt - usage.cache_read, 0) if counts else 0
        if missed < _GRAIN:
            return CacheUse(usage.cache_read, usage.cache_write)
        return CacheUse(usage.cache_read, usage.cache_write, missed, reason)

    def is_caching(self, model: str) -> bool:
        """Whether the server of `model` was seen to cache."""
        known: Mapping[str, bool] = self._caches
        return known.get(model, False)


def _why(last: _Sent, now: _Sent) -> str:
    if last.model != now.model:
        return f"the model changed from {last.model}"
    if last.system != now.system:
        return "the rules changed"
    if last.tools != now.tools:
        return _of_tools(last.tools, now.tools)
    if last.effort != now.effort:
        return f"the effort changed from {last.effort or 'none'} to {now.effort or 'none'}"
    if now.messages[: len(last.messages)] != last.messages:
        return "the conversation was shortened or changed"
    return ""


def _of_tools(last: tuple[ToolSchema, ...], now: tuple[ToolSchema, ...]) -> str:
    before, after = {tool.name for tool in last}, {tool.name for tool in now}
    changes = [f"{sign}{name}" for sign, names in (("+", after - before), ("-", before - after)) for name in names]
    return f"the tools changed: {', '.join(sorted(changes)) or 'their order or their schemas'}"
