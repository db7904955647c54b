"""The person at the terminal: questions, and lines typed."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable

from aries_kernel.broker.consent import Consent, Question, Reply
from aries_kernel.tools.output import escape_controls

__all__ = ["TerminalPerson", "ask_line", "is_terminal"]


def is_terminal() -> bool:
    """Whether somebody can be asked: both ends are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


async def ask_line(prompt: str) -> str | None:
    """One line typed by the person; None at the end of input. May be cancelled."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str | None] = loop.create_future()

    def give(line: str | None) -> None:
        if not answer.done():
            answer.set_result(line)

    def read() -> None:
        try:
            line: str | None = input()
        except EOFError:
            line = None
        _call(loop, give, line)

    sys.stderr.write(prompt)
    sys.stderr.flush()
    # A daemon thread: nothing can cancel a read of the terminal, and the program must be able to end.
    threading.Thread(target=read, daemon=True).start()
    return await answer


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[str | None], None], line: str | None) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, line)


class TerminalPerson:
    """Asks on standard error, reads from standard input."""

    async def may_run(self, question: Question) -> Reply:
        call = question.call
        sys.stderr.write(f"\n{call.name} {_shown(call.arguments)}\n")
        for reason in question.reasons:
            sys.stderr.write(f"  {escape_controls(reason)}\n")
        always = f", [a]lways ({', '.join(question.rules)})" if question.rules else ""
        while True:
            line = await ask_line(f"Run it? [y]es{always}, [n]o, or say what to do instead: ")
            answer = (line or "n").strip()
            if answer.lower() in ("y", "yes"):
                return Reply(Consent.ONCE)
            if answer.lower() in ("a", "always") and question.rules:
                return Reply(Consent.ALWAYS)
            if answer.lower() in ("n", "no"):
                return Reply(Consent.NO, "The person said no.")
            if len(answer) > 1:
                return Reply(Consent.NO, f"The person said: {answer}")

    async def may_continue(self, reason: str) -> bool:
        line = await ask_line(f"\n{escape_controls(reason)}\nGo on? [y]es, [n]o: ")
        return (line or "n").strip().lower() in ("y", "yes")


def _shown(arguments: str) -> str:
    try:
        data = json.loads(arguments)
    except ValueError:
        return escape_controls(arguments)
    if isinstance(data, dict):
        return escape_controls("\n".join(f"  {key}: {value}" for key, value in data.items())).strip()
    return escape_controls(arguments)
