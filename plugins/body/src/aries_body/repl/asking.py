"""`rlm_call` and `rlm_batch`: questions to a small model, answered or failed in a way that cannot be confused."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

from aries_body.repl.namespace import HostError, Session

__all__ = ["Answer", "Failure", "NoAnswer", "asking"]

_MOST_AT_ONCE = 10


class NoAnswer(Exception):
    """A failure was used as if it were an answer."""

    __module__ = "__main__"


class Answer(str):
    """What the model said."""

    __slots__ = ()
    ok = True


class Failure:
    """There is no answer. It is false, it is no text, and whoever uses it as one gets `NoAnswer`."""

    ok = False

    def __init__(self, kind: str, reason: str) -> None:
        self.kind, self.reason = kind, reason

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<no answer ({self.kind}): {self.reason}>"

    def _refuse(self, *_: object) -> NoReturn:
        raise NoAnswer(f"There is no answer ({self.kind}): {self.reason} Look at `.ok` first.")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    __str__ = __format__ = __len__ = __iter__ = __contains__ = __getitem__ = _refuse
    __add__ = __radd__ = __mul__ = __mod__ = __lt__ = __gt__ = __int__ = __float__ = _refuse


def asking(session: Session) -> dict[str, Any]:
    """The functions, by name."""

    def rlm_call(question: str, context: object = "", budget: int = 1000) -> Answer | Failure:
        """Ask a small model one question about a text."""
        arguments = {"question": str(question), "context": str(context), "budget": int(budget)}
        try:
            found = session.ask_host("rlm_call", arguments)
        except HostError as error:
            return Failure("refused", str(error))
        if found.get("ok"):
            return Answer(found["text"])
        return Failure(str(found.get("kind")), str(found.get("reason")))

    def rlm_batch(
        pairs: Iterable[tuple[str, object]], concurrency: int = 5, budget: int = 1000
    ) -> list[Answer | Failure]:
        """Ask several questions side by side; answers come in the order of the pairs."""
        asked = [(question, context) for question, context in pairs]
        width = max(1, min(int(concurrency), _MOST_AT_ONCE))
        # Not a `with`: it would wait for the threads, and an interrupt must not.
        pool = ThreadPoolExecutor(max_workers=width)
        try:
            return list(pool.map(lambda pair: rlm_call(pair[0], pair[1], budget), asked))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    return {"rlm_call": rlm_call, "rlm_batch": rlm_batch, "NoAnswer": NoAnswer}
