"""Checking what hooks return: a plugin may return anything, the host takes what the hook allows."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from aries_kernel.model.session import PromptSection, Verdict

__all__ = ["Fault", "as_sections", "as_text", "as_verdict", "ignored", "refuse_suspended"]


class Fault(Exception):
    """A plugin answered what its hook does not allow."""


def ignored(answer: object) -> None:
    """The answer of an observer."""


def as_sections(answer: object) -> tuple[PromptSection, ...]:
    """Raises: Fault for what is neither a section, nor a sequence of them, nor None."""
    if answer is None:
        return ()
    several = answer if isinstance(answer, Sequence) and not isinstance(answer, str | bytes) else (answer,)
    return tuple(_section(one) for one in several)


def _section(value: object) -> PromptSection:
    if not isinstance(value, PromptSection):
        raise Fault(f"it returned {_kind(value)}; allowed are PromptSection, a sequence of them, None")
    _check_text(value.title, "the title of a section")
    _check_text(value.text, "the text of a section")
    return value


def as_text(answer: object) -> str:
    """Empty for None. Raises: Fault for what is no text."""
    if answer is None:
        return ""
    if not isinstance(answer, str):
        raise Fault(f"it returned {_kind(answer)}; allowed are str and None")
    _check_text(answer, "the text")
    return answer


def as_verdict(answer: object) -> Verdict | None:
    """Raises: Fault for what is neither a Verdict nor None; a truthy word is not a permission."""
    if answer is None:
        return None
    if not isinstance(answer, Verdict):
        raise Fault(f"it returned {_kind(answer)}; allowed are Verdict and None")
    if not isinstance(answer.is_allowed, bool):
        raise Fault(f"is_allowed of its Verdict is {_kind(answer.is_allowed)}; it must be bool")
    _check_text(answer.reason, "the reason of its Verdict")
    return answer


def refuse_suspended(answer: object) -> None:
    """Close a coroutine or generator: its body did not run, and nobody will run it.

    Raises: Fault for one.
    """
    if not (inspect.isawaitable(answer) or inspect.isasyncgen(answer) or inspect.isgenerator(answer)):
        return
    for method in ("close", "cancel"):
        end = getattr(answer, method, None)
        if callable(end):
            end()
    raise Fault(f"it returned {_kind(answer)}; a hook is a plain function: no async def, no yield")


def _check_text(value: object, what: str) -> None:
    if not isinstance(value, str):
        raise Fault(f"{what} is {_kind(value)}; it must be str")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Fault(f"{what} holds half a surrogate pair at character {error.start}, which no file can hold") from error


def _kind(value: object) -> str:
    return type(value).__name__
