"""Questions of user code to a small model: counted, limited, paid for, and cancelled with the execution."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from attrs import define, field, frozen

from aries_kernel.contracts.tool import InnerCalls, ModelSaid
from aries_kernel.errors import AriesError, EmptyAnswer, Refused

__all__ = ["MOST_CALLS", "SessionModel", "SmallModel", "SmallModelCalls"]

MOST_CALLS = 15
"""Questions in one execution, where the settings say nothing else."""
_AT_ONCE = 5
_SECONDS = 60.0
_LONGEST_CONTEXT = 100_000
_SHORTEST_OUTPUT = 250
"""Models that think give nothing at all within less."""
_LONGEST_OUTPUT = 8_000


class SmallModel(Protocol):
    """The model of the cheap slot."""

    async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
        """One user message, no tools, nothing before it; `max_output` in tokens.

        Raises: AriesError.
        """
        ...


@frozen
class SessionModel:
    """The cheap slot of a session."""

    inner: InnerCalls

    async def ask(self, prompt: str, *, max_output: int) -> ModelSaid:
        """As `SmallModel`."""
        return await self.inner.ask_model(prompt, max_output=max_output)


@define
class SmallModelCalls:
    """The questions of one execution after the other."""

    model: SmallModel | None
    max_cost: float | None = None
    """US dollars in one execution; None: only the number of questions is limited."""
    most_calls: int = MOST_CALLS
    total_cost: float = 0.0
    total_tokens: int = 0
    total_calls: int = 0
    _calls: int = 0
    _cost: float = 0.0
    _slots: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(_AT_ONCE))

    def begin(self) -> None:
        """A new execution counts anew."""
        self._calls, self._cost = 0, 0.0
        # A session may go on in another event loop; whoever waits for the old one is cancelled by now.
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def answer(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, or a failure that is none: `{ok, text}` or `{ok, kind, reason}`."""
        question, context = str(arguments.get("question", "")), str(arguments.get("context", ""))
        refusal = self._refusal(question, context)
        if refusal is not None:
            return refusal
        self._calls += 1
        self.total_calls += 1
        budget = min(max(int(arguments.get("budget") or 0), _SHORTEST_OUTPUT), _LONGEST_OUTPUT)
        try:
            async with self._slots, asyncio.timeout(_SECONDS):
                assert self.model is not None
                if self._is_spent():  # by those that were asked meanwhile
                    return self._spent()
                said = await self.model.ask(_prompt(question, context, budget), max_output=budget)
        except TimeoutError:
            return _failure("timeout", f"No answer within {_SECONDS:g} s.")
        except Refused as error:
            return _failure("refused", str(error))
        except EmptyAnswer:
            return _failure("empty", "The model gave an empty answer.")
        except AriesError as error:
            return _failure("failed", str(error))
        if said.cost is None and self.max_cost is not None:
            self._cost = self.max_cost  # What it cost nobody knows: the limit can be kept no other way.
        self._cost += said.cost or 0.0
        self.total_cost += said.cost or 0.0
        self.total_tokens += said.tokens
        if not said.text.strip():
            return _failure("empty", "The model gave an empty answer.")
        return {"ok": True, "text": said.text}

    def _refusal(self, question: str, context: str) -> dict[str, Any] | None:
        if self.model is None:
            return _failure("absent", "No small model is set up for this session.")
        if not question.strip():
            return _failure("refused", "The question is empty.")
        if len(context) > _LONGEST_CONTEXT:
            text = (
                f"The context has {len(context):,} characters, more than {_LONGEST_CONTEXT:,}; ask about parts of it."
            )
            return _failure("too-large", text)
        if self._calls >= self.most_calls:
            told = f"{self.most_calls} questions may be asked in one execution (body.model_calls), and they were."
            return _failure("limit", told)
        return self._spent() if self._is_spent() else None

    def _is_spent(self) -> bool:
        return self.max_cost is not None and self._cost >= self.max_cost

    def _spent(self) -> dict[str, Any]:
        told = f"{self.max_cost:g} US dollars may be spent in one execution (body.model_cost), and they were."
        return _failure("limit", told)


def _failure(kind: str, reason: str) -> dict[str, Any]:
    return {"ok": False, "kind": kind, "reason": reason}


def _prompt(question: str, context: str, budget: int) -> str:
    words = max(40, budget // 4)
    text = f"Answer the question in at most {words} words. If the text does not tell, say so.\n\nQuestion: {question}"
    return f"{text}\n\nText:\n{context}" if context else text
