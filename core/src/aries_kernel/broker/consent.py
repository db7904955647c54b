"""Asking the person. Faces implement `Person`; where there is nobody, what would ask is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import frozen

from aries_kernel.model.messages import ToolCall

__all__ = ["Consent", "Nobody", "Person", "Question", "Reply"]


class Consent(StrEnum):
    """What the person may answer."""

    ONCE = "once"
    ALWAYS = "always"
    """Add the question's rules for the rest of the session."""
    NO = "no"


@frozen
class Question:
    """May this call run?"""

    call: ToolCall
    reasons: tuple[str, ...]
    rules: tuple[str, ...]
    """What `always` would add; empty where no rule can allow it."""


@frozen
class Reply:
    """The person's answer; `feedback` goes to the model with a no."""

    consent: Consent
    feedback: str = ""


class Person(Protocol):
    """Somebody who can be asked."""

    async def may_run(self, question: Question) -> Reply:
        """Whether the call may run."""
        ...

    async def may_continue(self, reason: str) -> bool:
        """Whether a turn that seems stuck may go on."""
        ...

    async def answer(self, question: str) -> str | None:
        """What the person says to a question of code that the model runs; None where there is no answer."""
        ...


class Nobody:
    """No terminal, no question: everything that would ask is refused."""

    async def may_run(self, question: Question) -> Reply:
        allow = " ".join(f"--allow '{rule}'" for rule in question.rules)
        hint = f" To allow it: {allow}." if allow else ""
        return Reply(Consent.NO, f"Nobody is there to ask.{hint}")

    async def may_continue(self, reason: str) -> bool:
        return False

    async def answer(self, question: str) -> str | None:
        return None
