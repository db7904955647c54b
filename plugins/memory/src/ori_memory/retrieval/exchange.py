"""A question and its answer as plain data, for a server that is asked by another process."""

from __future__ import annotations

import datetime
from typing import Any

import attrs

from ori_memory.answer import plain
from ori_memory.retrieval.answer import Answer, Asked, Hit, PartReport, PartState, Verdict

__all__ = ["answer_of", "asked_of", "plain_answer", "plain_asked"]


def plain_asked(asked: Asked) -> dict[str, Any]:
    """The question as JSON has it."""
    found: dict[str, Any] = plain(asked)
    return found


def asked_of(data: dict[str, Any]) -> Asked:
    """The question again. Raises: TypeError, ValueError for data of another version."""
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Asked(**given | {"as_of": _day(data.get("as_of"))})


def plain_answer(answer: Answer) -> dict[str, Any]:
    """The answer as JSON has it."""
    found: dict[str, Any] = plain(answer)
    return found


def answer_of(data: dict[str, Any]) -> Answer:
    """The answer again. Raises: KeyError, TypeError, ValueError for data of another version."""
    answer = Answer(
        **{
            **data,
            "hits": tuple(
                Hit(**{**hit, "created": _day(hit["created"]), "why": tuple(hit["why"])}) for hit in data["hits"]
            ),
            "verdict": Verdict(data["verdict"]),
            "signals": tuple(_part(part) for part in data["signals"]),
            "stages": tuple(_part(part) for part in data["stages"]),
        }
    )
    return attrs.evolve(answer, notices=tuple(answer.notices))


def _part(data: dict[str, Any]) -> PartReport:
    return PartReport(**{**data, "state": PartState(data["state"])})


def _day(text: str | None) -> datetime.date | None:
    return datetime.date.fromisoformat(text) if text else None
