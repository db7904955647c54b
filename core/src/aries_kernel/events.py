"""The typed facade of the hooks: the host calls these methods, never pluggy.

Observers and collected answers are isolated: a plugin that fails is reported, and after three failures it is put aside.
`before_tool` is strict: a plugin that fails there refuses the call, and it is never put aside, since it may be a guard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from aries_kernel.broker.effects import Effect
from aries_kernel.discovery.answers import Fault, as_sections, as_text, as_verdict, ignored
from aries_kernel.discovery.entry import Entry
from aries_kernel.discovery.implementation import Implementation, implementation_of
from aries_kernel.discovery.report import Report, described_error
from aries_kernel.errors import PluginError
from aries_kernel.model.messages import AssistantMessage, Message, ToolCall, ToolResult
from aries_kernel.model.request import Request
from aries_kernel.model.session import Outcome, PromptSection, SessionInfo, Verdict

if TYPE_CHECKING:
    import pluggy

__all__ = ["Events"]

_Answer = TypeVar("_Answer")

_PATIENCE = 3
"""Failures after which a plugin is put aside."""


class Events:
    """One method a hook. Arguments are those of the hook, by name."""

    def __init__(self, manager: pluggy.PluginManager | None, report: Report) -> None:
        self._manager, self._report = manager, report
        self._failures: Counter[Entry] = Counter()
        self._known: dict[pluggy.HookImpl, Implementation] = {}

    @classmethod
    def silent(cls) -> Events:
        """For no plugins at all; does not import pluggy."""
        return cls(None, Report())

    def session_start(self, *, session: SessionInfo) -> None:
        """A session was started or resumed."""
        self._emit("aries_session_start", session=session)

    def session_end(self, *, session: SessionInfo, outcome: Outcome | None) -> None:
        """A session is closed; `outcome` is that of its last turn, None where it had none."""
        self._emit("aries_session_end", session=session, outcome=outcome)

    def prompt_sections(self, *, session: SessionInfo) -> tuple[PromptSection, ...]:
        """Sections for the stable prefix, sorted by distribution."""
        answers = self._collect("aries_prompt_sections", as_sections, session=session)
        return tuple(section for sections in answers for section in sections)

    def before_turn(self, *, session: SessionInfo, text: str) -> tuple[str, ...]:
        """Texts for the volatile block of the message that is about to be sent, sorted by distribution."""
        answers = self._collect("aries_before_turn", as_text, session=session, text=text)
        return tuple(answer for answer in answers if answer)

    def before_model(self, *, session: SessionInfo, request: Request) -> None:
        """A request is about to be sent."""
        self._emit("aries_before_model", session=session, request=request)

    def after_model(self, *, session: SessionInfo, message: AssistantMessage) -> None:
        """An answer is complete and stored."""
        self._emit("aries_after_model", session=session, message=message)

    def before_tool(self, *, session: SessionInfo, call: ToolCall, effects: Sequence[Effect]) -> Verdict | None:
        """The first verdict about a call; None where no plugin has one.

        Raises: PluginError where a plugin fails before one is found: the call must not run.
        """
        return self._ask("aries_before_tool", session=session, call=call, effects=tuple(effects))

    def after_tool(self, *, session: SessionInfo, call: ToolCall, result: ToolResult) -> None:
        """A call has its result, or was refused, or did not run."""
        self._emit("aries_after_tool", session=session, call=call, result=result)

    def files_changed(self, *, session: SessionInfo, paths: Sequence[Path]) -> None:
        """A call changed these files."""
        self._emit("aries_files_changed", session=session, paths=tuple(paths))

    def compacting(self, *, session: SessionInfo, messages: Sequence[Message]) -> tuple[str, ...]:
        """Texts that a shortened conversation must carry, sorted by distribution."""
        answers = self._collect("aries_compacting", as_text, session=session, messages=tuple(messages))
        return tuple(answer for answer in answers if answer)

    def after_turn(self, *, session: SessionInfo, outcome: Outcome) -> None:
        """A turn has ended."""
        self._emit("aries_after_turn", session=session, outcome=outcome)

    def complaints(self) -> tuple[str, ...]:
        """What plugins did wrong since this was asked last; each of them is named once a session."""
        return tuple(map(str, self._report.take_untold()))

    def _emit(self, hook: str, **values: object) -> None:
        self._collect(hook, ignored, **values)

    def _collect(self, hook: str, convert: Callable[[object], _Answer], **values: object) -> list[_Answer]:
        found: list[_Answer] = []
        for implementation in self._implementations(hook):
            if self._failures[implementation.entry] >= _PATIENCE:
                continue
            try:
                found.append(convert(implementation.call(values)))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # A hook that calls sys.exit must not end the host either.
                self._failures[implementation.entry] += 1
                self._report.blame(
                    implementation.entry, f"{_told(implementation, error)}; after {_PATIENCE} failures it is put aside"
                )
        return found

    def _ask(self, hook: str, **values: object) -> Verdict | None:
        for implementation in sorted(self._implementations(hook), key=lambda one: one.rank):
            try:
                verdict = as_verdict(implementation.call(values))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise self._refusal(implementation, error) from error
            if verdict is not None:
                return verdict
        return None

    def _refusal(self, implementation: Implementation, error: BaseException) -> PluginError:
        entry, message = implementation.entry, _told(implementation, error)
        self._report.blame(entry, message)
        return PluginError(
            f"The plugin {entry.distribution} {entry.version} ({entry.name}) could not judge this call: {message}. "
            f"Mend the plugin, or switch it off by the name '{entry.distribution}'.",
            distribution=entry.distribution,
            entry_point=entry.name,
        )

    def _implementations(self, hook: str) -> list[Implementation]:
        """Sorted by distribution: pluggy's own order is that of installation, which nobody knows."""
        if self._manager is None:
            return []
        found = []
        for implementation in getattr(self._manager.hook, hook).get_hookimpls():
            if implementation not in self._known:
                self._known[implementation] = implementation_of(implementation, hook, self._manager)
            found.append(self._known[implementation])
        return sorted(found, key=lambda one: (one.entry.distribution.lower(), one.entry.name))


def _told(implementation: Implementation, error: BaseException) -> str:
    text = str(error) if isinstance(error, Fault) else described_error(error)
    return f"{implementation.hook} failed: {text}"
