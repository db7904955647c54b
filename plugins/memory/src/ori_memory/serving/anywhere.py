"""Questions that a running server answers if there is one, and this process if there is none: the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ori_memory.serving.asking_server import ask_server

if TYPE_CHECKING:
    from ori_memory.memory import Memory
    from ori_memory.operations.validating import Validated
    from ori_memory.retrieval.answer import Answer, Asked

__all__ = ["ask_anywhere", "validate_anywhere"]


def ask_anywhere(memory: Memory, asked: Asked) -> Answer:
    """A ranked question. Raises: as `Memory.ask`."""
    from ori_memory.retrieval.exchange import answer_of, plain_asked

    found = ask_server(memory.vault, "ranked", plain_asked(asked))
    if found is not None:
        try:
            answer = answer_of(found.data)
        except (KeyError, TypeError, ValueError):
            return memory.ask(asked)
        memory.notice(*found.warnings)
        memory.was_shown(answer)
        return answer
    return memory.ask(asked)


def validate_anywhere(memory: Memory, note: str, *, seconds: float = 5.0) -> Validated:
    """What is wrong with a note. Raises: as `validate_note`."""
    from ori_memory.operations.validating import Validated, validate_note

    found = ask_server(memory.vault, "validate", {"note": note}, seconds=seconds)
    if found is not None:
        try:
            checked = Validated(**found.data)
        except TypeError:
            return validate_note(memory, note)
        memory.notice(*found.warnings)
        errors, warnings = tuple(checked.errors), tuple(checked.warnings)
        return Validated(checked.path, errors, warnings, checked.remark)
    return validate_note(memory, note)
