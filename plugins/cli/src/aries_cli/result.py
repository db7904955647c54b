"""The one result object of a headless run, and the events of stream-json."""

from __future__ import annotations

import functools
import re
from typing import Any

import attrs
from attrs import define, field
from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from aries_cli.exit_codes import exit_code
from aries_kernel.model import converter as messages
from aries_kernel.model.events import CallFinished, Notice, TurnEvent, UserSpoke
from aries_kernel.model.messages import ResultStatus
from aries_kernel.model.session import Outcome, OutcomeStatus
from aries_kernel.model.usage import Usage

__all__ = ["Collector", "error_document", "event_document", "result_document"]


@define
class Collector:
    """Keeps what the result object reports of a run."""

    refused: list[dict[str, str]] = field(factory=list)
    notices: list[str] = field(factory=list)

    def __call__(self, event: TurnEvent) -> None:
        if isinstance(event, CallFinished) and event.result.status is ResultStatus.REFUSED:
            self.refused.append({"tool": event.result.name, "reason": event.result.text})
        elif isinstance(event, Notice):
            self.notices.append(event.text)


def result_document(session: str | None, model: str | None, outcome: Outcome, seen: Collector) -> dict[str, Any]:
    """The result object; the same keys whatever happened."""
    return {
        "type": "result",
        "status": outcome.status.value,
        "is_error": outcome.status is not OutcomeStatus.DONE,
        "exit_code": exit_code(outcome.status),
        "session": session,
        "model": model,
        "text": outcome.text,
        "reason": outcome.reason,
        "turns": outcome.answers,
        "calls": outcome.calls,
        "usage": attrs.asdict(outcome.usage),
        "cost_usd": outcome.cost,
        "seconds": outcome.seconds,
        "refused": seen.refused,
        "notices": seen.notices,
    }


def error_document(reason: str, code: int) -> dict[str, Any]:
    """The result object of a run that had no session."""
    outcome = Outcome(OutcomeStatus.FAILED, "", reason, usage=Usage())
    return result_document(None, None, outcome, Collector()) | {"exit_code": code}


def event_document(event: TurnEvent) -> dict[str, Any]:
    """An event as plain data; `type` is its class in snake case. The data of pictures stays in the session's log."""
    if isinstance(event, UserSpoke) and event.message.images:
        images = tuple(attrs.evolve(one, data="") for one in event.message.images)
        event = attrs.evolve(event, message=attrs.evolve(event.message, images=images))
    plain: dict[str, Any] = _converter().unstructure(event, TurnEvent)
    return {"type": plain.pop("type"), **plain}


@functools.cache
def _converter() -> Converter:
    made = messages.converter().copy()
    configure_tagged_union(
        TurnEvent,
        made,
        tag_name="type",
        tag_generator=lambda kind: re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower(),
    )
    return made
