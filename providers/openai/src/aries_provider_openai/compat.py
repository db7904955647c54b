"""In what the servers of one wire format differ: one record per model."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import frozen

from aries_kernel.errors import ConfigError

__all__ = ["Compat", "compat_with"]


@frozen
class Compat:
    """How a model wants to be asked. The defaults are what the most servers take."""

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    supports_developer_role: bool = False
    """The system text goes under the role `developer`."""
    supports_store: bool = False
    """The server may keep answers; it is told not to."""
    supports_reasoning_effort: bool = False
    """`reasoning_effort` is sent where an effort is asked for."""
    thinking_format: Literal["openai", "openrouter", "deepseek", "zai", "qwen", "chat-template"] = "openai"
    effort_names: Mapping[str, str] = attrs.field(factory=lambda: {"max": "high"})
    """The server's words for our efforts; one that is missing goes as it is."""
    requires_reasoning_content_on_assistant: bool = False
    """Answers made without reasoning carry an empty `reasoning_content`."""
    requires_tool_result_name: bool = False
    requires_assistant_after_tool_result: bool = False
    supports_strict: bool = False
    """Tools say `strict: false`, for servers that otherwise take every schema for the strict dialect."""
    states_parallel_calls: bool = False
    """`parallel_tool_calls: true` is sent, for servers that otherwise allow one call."""
    usage_in_stream: bool = True
    cache_control_format: Literal["anthropic"] | None = None
    session_affinity: str | None = None
    """The field that carries the session's id, so that one machine and its cache serve the session."""
    tool_id_rule: Literal["standard", "nine", "any"] = "standard"
    schema_flavour: Literal["plain", "moonshot", "grammar"] = "plain"


def compat_with(base: Compat, changes: Mapping[str, object], where: str) -> Compat:
    """`base` with fields replaced.

    Raises: ConfigError with every field that is unknown or holds the wrong kind of value; `where` names the place.
    """
    hints = typing.get_type_hints(Compat)
    problems = []
    for name, value in changes.items():
        if name not in hints:
            problems.append(f"{where}.{name}: there is no such field. Known: {', '.join(sorted(hints))}.")
        elif not _fits(value, hints[name]):
            problems.append(f"{where}.{name}: {value!r} does not fit; it must be {_words(hints[name])}.")
    if problems:
        raise ConfigError(problems)
    given: dict[str, Any] = dict(changes)
    return attrs.evolve(base, **given)


def _fits(value: object, hint: object) -> bool:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is Mapping:
        return isinstance(value, Mapping) and all(isinstance(one, str) for pair in value.items() for one in pair)
    return isinstance(value, hint) if isinstance(hint, type) else False


def _words(hint: object) -> str:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_words(one) for one in inner)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin is Mapping:
        return "a mapping of texts to texts"
    names = {bool: "true or false", str: "a text", type(None): "nothing"}
    return names.get(hint, str(hint)) if isinstance(hint, type) else str(hint)
