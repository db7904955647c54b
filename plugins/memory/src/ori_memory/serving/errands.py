"""What other processes may ask of a running server, by name: the very functions that they would call themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ori_memory.answer import plain

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["ERRANDS", "RANKED", "VALIDATE"]

RANKED, VALIDATE = "ranked", "validate"


def _ranked(memory: Memory, given: dict[str, Any]) -> Any:
    from ori_memory.retrieval.exchange import asked_of, plain_answer

    return plain_answer(memory.answer(asked_of(given)))


def _validate(memory: Memory, given: dict[str, Any]) -> Any:
    from ori_memory.operations.validating import validate_note

    return plain(validate_note(memory, given["note"]))


ERRANDS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {RANKED: _ranked, VALIDATE: _validate}
