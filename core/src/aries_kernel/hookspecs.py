"""Every hook, grouped by life cycle. A plugin marks its own functions with `hookimpl`, imported from here.

A hook is a plain function, never `async`: work that waits belongs to a driver. Arguments come by name and may be left
out. Each plugin is called alone, so there is nothing to wrap: `wrapper=True` is refused. What a hook prints goes to
standard error. Whatever a hook raises, SystemExit included, is counted as its failure; only KeyboardInterrupt passes.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from aries_kernel.broker.effects import Effect
    from aries_kernel.model.messages import AssistantMessage, Message, ToolCall, ToolResult
    from aries_kernel.model.request import Request
    from aries_kernel.model.session import Outcome, PromptSection, SessionInfo, Verdict

__all__ = [
    "HOOKS",
    "PROJECT",
    "aries_after_model",
    "aries_after_tool",
    "aries_after_turn",
    "aries_before_model",
    "aries_before_tool",
    "aries_before_turn",
    "aries_compacting",
    "aries_files_changed",
    "aries_prompt_sections",
    "aries_session_end",
    "aries_session_start",
    "hookimpl",
    "signature",
]

PROJECT = "aries"

hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as a hook."""

_hookspec = pluggy.HookspecMarker(PROJECT)


# The session


@_hookspec
def aries_session_start(session: SessionInfo) -> None:
    """Fires once, when a session was started or resumed and before its first request.

    The return value does not matter. An exception does not stop the session.

        @hookimpl
        def aries_session_start(session: SessionInfo) -> None:
            started = "resumed" if session.is_resumed else "new"
            log.info("%s session in %s", started, session.cwd)
    """


@_hookspec
def aries_session_end(session: SessionInfo, outcome: Outcome | None) -> None:
    """Fires once, when a session is closed; `outcome` is that of its last turn, None where it had none.

    It does not fire when the process is killed. The return value does not matter. An exception stops nothing.

        @hookimpl
        def aries_session_end(session: SessionInfo, outcome: Outcome | None) -> None:
            ended = outcome.status if outcome else "unused"
            log.info("session %s: %s", session.id, ended)
    """


@_hookspec
def aries_prompt_sections(session: SessionInfo) -> PromptSection | Sequence[PromptSection] | None:
    """Fires once a session, when the stable prefix is made; the texts must not depend on anything that changes.

    Returns one section, several, or None for nothing; sections are ordered by distribution. Something else is dropped.
    An exception does not stop the turn: the sections of this plugin are missing.

        @hookimpl
        def aries_prompt_sections(session: SessionInfo) -> PromptSection:
            rules = "Write commit messages in the imperative."
            return PromptSection("Commits", rules)
    """


# A turn


@_hookspec
def aries_before_turn(session: SessionInfo, text: str) -> str | None:
    """Fires once for each prompt and follow-up, before it is sent; not for a text that steers a turn under way.

    Returns a text for the volatile block of this message, None for nothing; texts are ordered by distribution, and
    something else is dropped. An exception does not stop the turn: the text of this plugin is missing.

        @hookimpl
        def aries_before_turn(session: SessionInfo, text: str) -> str | None:
            branch = (session.cwd / ".git/HEAD").read_text(encoding="utf-8")
            return f"Branch: {branch}" if "branch" in text else None
    """


@_hookspec
def aries_before_model(session: SessionInfo, request: Request) -> None:
    """Fires before each request to the model, once however often it has to be tried again.

    The return value does not matter: a request cannot be changed. An exception does not stop the turn.

        @hookimpl
        def aries_before_model(session: SessionInfo, request: Request) -> None:
            count = len(request.messages)
            log.debug("%d messages to %s", count, request.model)
    """


@_hookspec
def aries_after_model(session: SessionInfo, message: AssistantMessage) -> None:
    """Fires after every complete answer, when it is stored and before its calls run; not for discarded ones.

    The return value does not matter. An exception does not stop the turn.

        @hookimpl
        def aries_after_model(session: SessionInfo, message: AssistantMessage) -> None:
            tokens = message.usage.total
            log.debug("%s used %d tokens", message.model, tokens)
    """


@_hookspec(firstresult=True)
def aries_before_tool(session: SessionInfo, call: ToolCall, effects: Sequence[Effect]) -> Verdict | None:
    """Fires once for each call, before it runs; `effects` is all it would touch.

    The first plugin that returns a Verdict decides, None leaves it to the others and to the policy. Plugins marked
    `tryfirst=True` are asked first, then by distribution. An exception, or anything else returned, refuses this call
    and names the plugin; the turn goes on. A plugin that fails here is asked again at the next call.

        @hookimpl
        def aries_before_tool(call: ToolCall, effects: Sequence[Effect]) -> Verdict | None:
            reaches = any(isinstance(effect, ReachNetwork) for effect in effects)
            return Verdict(False, "No network here.") if reaches else None
    """


@_hookspec
def aries_after_tool(session: SessionInfo, call: ToolCall, result: ToolResult) -> None:
    """Fires once for each call, when its result is stored; for calls that were refused or did not run too, but not for
    one that an interruption ended.

    The return value does not matter: a result cannot be changed. An exception does not stop the turn.

        @hookimpl
        def aries_after_tool(session: SessionInfo, call: ToolCall, result: ToolResult) -> None:
            if result.is_error:
                log.info("%s failed: %s", call.name, result.text)
    """


@_hookspec
def aries_files_changed(session: SessionInfo, paths: Sequence[Path]) -> None:
    """Fires after each call that says it changed files, with the paths it named; changes by commands are not seen.

    The return value does not matter. An exception does not stop the turn.

        @hookimpl
        def aries_files_changed(session: SessionInfo, paths: Sequence[Path]) -> None:
            python = [path for path in paths if path.suffix == ".py"]
            stale.update(python)
    """


@_hookspec
def aries_compacting(session: SessionInfo, messages: Sequence[Message]) -> str | None:
    """Fires before a conversation that grew too long is shortened, with the whole of it: the last look at it.

    Returns a text that the shortened conversation must carry, None for nothing; texts are ordered by distribution, and
    something else is dropped. An exception does not stop the turn: the text of this plugin is missing.

        @hookimpl
        def aries_compacting(session: SessionInfo, messages: Sequence[Message]) -> str:
            archive(session.id, messages)
            return "The plan is in PLAN.md."
    """


@_hookspec
def aries_after_turn(session: SessionInfo, outcome: Outcome) -> None:
    """Fires once for each turn, when it has ended, however it ended; not where the host itself is being stopped.

    The return value does not matter. An exception stops nothing.

        @hookimpl
        def aries_after_turn(session: SessionInfo, outcome: Outcome) -> None:
            if outcome.status is OutcomeStatus.DONE:
                notify(outcome.text[:80])
    """


HOOKS: tuple[str, ...] = tuple(name for name, value in list(globals().items()) if hasattr(value, f"{PROJECT}_spec"))
"""The names of all hooks, in the order of a session's life."""


def signature(hook: str) -> str:
    """A hook as its author writes it: name and arguments with their types."""
    return f"{hook}{inspect.signature(globals()[hook])}".replace("'", "")
