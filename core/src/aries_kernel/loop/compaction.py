"""Making a long conversation short: old results go first, then a summary takes the place of the rest."""

from __future__ import annotations

import importlib.resources
from collections.abc import Awaitable, Callable, Sequence

import attrs
from attrs import frozen

from aries_kernel.errors import ContextOverflow, EmptyAnswer
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    Part,
    ResultsMessage,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from aries_kernel.model.usage import Usage
from aries_kernel.settings.schema import Compaction

__all__ = ["Compactor", "estimate", "prune_results"]

_CHARACTERS_PER_TOKEN = 4
_KEPT_SHARE = 0.2
"""Of the window: the newest results that are never pruned, and the newest turn that is kept word for word."""
_MUST_SHRINK_TO = 0.7
"""A compaction that leaves more than this of the conversation is none."""
_ENOUGH_BY_PRUNING = 0.6
"""Of the threshold: where pruning alone gets below it, nothing is summarised."""
_TRANSCRIPT_SHARE = 0.6
"""Of the window: the longest record that is summarised whole."""
_UNKNOWN_WINDOW = 32_000
_RESULT_IN_SUMMARY = 2_000
"""Characters of a result that the summary is made from."""


def estimate(messages: Sequence[Message]) -> int:
    """Tokens of these messages, by their length; used to compare, never to bill."""
    return sum(map(_characters, messages)) // _CHARACTERS_PER_TOKEN


def _characters(message: Message) -> int:
    match message:
        case UserMessage():
            seen = sum(image.tokens for image in message.images) * _CHARACTERS_PER_TOKEN
            return len(message.text) + len(message.volatile) + seen
        case AssistantMessage():
            return sum(len(part.arguments if isinstance(part, ToolCall) else part.text) for part in message.parts)
        case ResultsMessage():
            return sum(len(result.text) for result in message.results)


def prune_results(messages: Sequence[Message], keep_tokens: int) -> tuple[Message, ...]:
    """The conversation with old results replaced by a note; the newest stay, up to `keep_tokens` and one more."""
    pruned: list[Message] = []
    kept = 0
    for message in reversed(messages):
        if isinstance(message, ResultsMessage):
            is_old = kept > keep_tokens
            kept += estimate([message])
            pruned.append(ResultsMessage(tuple(map(_shortened, message.results))) if is_old else message)
        else:
            pruned.append(message)
    return tuple(reversed(pruned))


def _without_usage(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What an answer cost said how full the window was; of the shortened conversation it says nothing."""
    return tuple(attrs.evolve(one, usage=Usage()) if isinstance(one, AssistantMessage) else one for one in messages)


def _shortened(result: ToolResult) -> ToolResult:
    note = f"[{len(result.text):,} characters, removed to save room; ask again if they are needed]"
    return attrs.evolve(result, text=note) if len(result.text) > 2 * len(note) else result


_NO_WAY = (
    "The conversation is too long for the model and cannot be made shorter. Start a new session, and tell it what "
    "matters; this one stays as it is."
)
_PARTS = (1, 3, 9)
"""Of the record, as it is given to be summarised: the whole, and less each time that the server finds it too long."""


@frozen
class Compactor:
    """Decides when it is time, and does it."""

    settings: Compaction
    window: int | None
    """Tokens; None: not known, then only a refusal of the server shows that it is time."""
    summarise: Callable[[str, str], Awaitable[AssistantMessage]]
    """Asks the model: system text and what it is to summarise."""

    def is_due(self, messages: Sequence[Message]) -> bool:
        """Whether the next request would go over the threshold."""
        if not self.settings.auto or not self.window or not messages:
            return False
        told = next((one.usage.total for one in reversed(messages) if isinstance(one, AssistantMessage)), 0)
        return max(told, estimate(messages)) >= self.settings.threshold * self.window

    async def compact(self, messages: Sequence[Message], notes: Sequence[str]) -> tuple[Message, ...]:
        """A shorter conversation that can be gone on with; `notes` are carried along.

        Raises: ContextOverflow where it cannot be made shorter, RetriableError and FatalError of the model.
        """
        before = estimate(messages)
        window = self.window or before
        enough = min(_ENOUGH_BY_PRUNING * self.settings.threshold * window, _MUST_SHRINK_TO * before)
        pruned = prune_results(messages, int(_KEPT_SHARE * window))
        if self.window and estimate(pruned) <= enough:
            return _without_usage(pruned)
        shorter = await self._summarised(pruned, notes, int(_KEPT_SHARE * window))
        if estimate(shorter) > _MUST_SHRINK_TO * before:
            raise ContextOverflow(_NO_WAY)
        return _without_usage(shorter)

    async def _summarised(self, messages: Sequence[Message], notes: Sequence[str], keep: int) -> tuple[Message, ...]:
        start = _start_of_turn(messages)
        head, tail = messages[:start], tuple(messages[start:])
        is_short = bool(head) and estimate(tail) <= keep
        prompt = "" if is_short else _prompt(tail)
        answer = await self._summary(head if is_short else messages)
        parts = ["Summary of the conversation so far:", answer.text.strip(), *(note.strip() for note in notes)]
        if prompt:
            parts += ["The person's last message, which you are working on:", prompt]
        summary = UserMessage("\n\n".join(part for part in parts if part))
        return (summary, *tail) if is_short else (summary,)

    async def _summary(self, messages: Sequence[Message]) -> AssistantMessage:
        """Asked for less where the server refuses the record too: its window may be smaller than anybody said."""
        text = "\n\n".join(map(_as_text, messages))
        room = int((self.window or _UNKNOWN_WINDOW) * _TRANSCRIPT_SHARE) * _CHARACTERS_PER_TOKEN
        refusal: ContextOverflow | None = None
        for part in _PARTS:
            try:
                return await self.summarise(_instructions(), _cut_middle(text, min(room, len(text)) // part))
            except ContextOverflow as error:
                refusal = error
            except EmptyAnswer as error:
                raise ContextOverflow("The conversation is too long, and the model gave no summary of it.") from error
        raise ContextOverflow(f"{_NO_WAY} The server said: {refusal}") from refusal


def _cut_middle(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    return f"{text[: room // 3]}\n\n[... left out ...]\n\n{text[-2 * room // 3 :]}"


def _start_of_turn(messages: Sequence[Message]) -> int:
    """Where the person spoke last."""
    return next((at for at in range(len(messages) - 1, -1, -1) if isinstance(messages[at], UserMessage)), 0)


def _prompt(tail: Sequence[Message]) -> str:
    said = tail[0] if tail else None
    if not isinstance(said, UserMessage):
        return ""
    return "\n".join([said.text, *(image.described("attach it again if it is needed") for image in said.images)])


def _instructions() -> str:
    return importlib.resources.files("aries_kernel.prompts").joinpath("compact.md").read_text(encoding="utf-8")


def _as_text(message: Message) -> str:
    match message:
        case UserMessage():
            return " ".join([f"Person: {message.text}", *(image.described() for image in message.images)])
        case AssistantMessage():
            return "Agent: " + "\n".join(filter(None, map(_part, message.parts)))
        case ResultsMessage():
            return "\n".join(f"Result of {one.name} ({one.status.value}): {_cut(one.text)}" for one in message.results)


def _part(part: Part) -> str:
    match part:
        case Text():
            return part.text
        case ToolCall():
            return f"calls {part.name} with {_cut(part.arguments)}"
        case _:
            return ""


def _cut(text: str) -> str:
    return text if len(text) <= _RESULT_IN_SUMMARY else f"{text[:_RESULT_IN_SUMMARY]} [... {len(text):,} characters]"
