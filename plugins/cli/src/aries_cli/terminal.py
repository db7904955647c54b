"""The person at the terminal: questions, and lines typed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading

from aries_kernel.broker.consent import Consent, Question, Reply
from aries_kernel.tools.output import escape_controls

__all__ = ["Keyboard", "TerminalPerson", "is_terminal"]


def is_terminal() -> bool:
    """Whether somebody can be asked: both ends are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


class Keyboard:
    """Lines typed by the person.

    Nothing can cancel a read of the terminal. One that was begun for a question that is not asked any more gives its
    line to the next question; a second read beside it would take turns with it, and lines would be lost.
    """

    def __init__(self) -> None:
        self._is_reading = False
        self._answer: asyncio.Future[str | None] | None = None

    async def ask(self, prompt: str) -> str | None:
        """One line; None at the end of input. May be cancelled."""
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()
        sys.stderr.write(prompt)
        sys.stderr.flush()
        if not self._is_reading:
            self._is_reading = True
            # A daemon thread, since the program must be able to end.
            threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        return await self._answer

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            line: str | None = input()
        except (EOFError, OSError):
            line = None  # OSError: the terminal is gone.
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._give, line)

    def _give(self, line: str | None) -> None:
        self._is_reading = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(line)


def _forget_typed_ahead() -> None:
    """What was typed before a question was there is no answer to it."""
    try:
        import termios
    except ImportError:
        return
    with contextlib.suppress(termios.error, OSError):  # No terminal, so nobody typed.
        termios.tcflush(0, termios.TCIFLUSH)


class TerminalPerson:
    """Asks on standard error, reads from standard input."""

    def __init__(self, keyboard: Keyboard | None = None) -> None:
        self._keyboard = keyboard or Keyboard()

    async def may_run(self, question: Question) -> Reply:
        """Show the call and ask until there is an answer; end of input is a no."""
        call = question.call
        _forget_typed_ahead()
        sys.stderr.write(f"\n{call.name} {_shown(call.arguments)}\n")
        for reason in question.reasons:
            sys.stderr.write(f"  {escape_controls(reason)}\n")
        always = f", [a]lways ({', '.join(question.rules)})" if question.rules else ""
        while True:
            line = await self._keyboard.ask(f"Run it? [y]es{always}, [n]o, or say what to do instead: ")
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
        """Ask whether a turn that goes round in circles is to go on."""
        line = await self._keyboard.ask(f"\n{escape_controls(reason)}\nGo on? [y]es, [n]o: ")
        return (line or "n").strip().lower() in ("y", "yes")

    async def answer(self, question: str) -> str | None:
        """Ask what code wants to know; the end of input is no answer."""
        _forget_typed_ahead()
        return await self._keyboard.ask(f"\n? {_set_in(question)}\n: ")


def _set_in(text: str) -> str:
    """Every further line is set in, so that no text of code can look like a question of ours."""
    return escape_controls(text.replace("\n", "\n    "))


def _shown(arguments: str) -> str:
    try:
        data = json.loads(arguments)
    except ValueError:
        return escape_controls(arguments)
    if isinstance(data, dict):
        # Every further line is set in, so that no text of a call can look like the question about it.
        lines = [f"{key}: {value}".replace("\n", "\n    ") for key, value in data.items()]
        return escape_controls("\n  ".join(lines))
    return escape_controls(arguments)
