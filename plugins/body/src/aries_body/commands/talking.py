"""The person's side of `aries repl`: one piece of code, or a conversation with completion and history."""

from __future__ import annotations

import codeop
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from aries_body.commands.sessions import OpenBody
from aries_body.process.body import Body
from aries_body.process.results import Executed, Status
from aries_kernel.errors import UserError
from aries_kernel.tools.output import clean_output

__all__ = ["run_code", "talk"]

_MOST_HISTORY = 2_000
_LOOK = 0.2


def run_code(opened: OpenBody, code: str, seconds: float) -> int:
    """Run it and print what came of it; the exit code is 1 where it failed.

    Raises: UserError where there is no code.
    """
    if not code.strip():
        raise UserError("There is no code. Give some with -c, or through a pipe.")
    if not opened.confinement.is_confined:
        print(f"aries: {opened.confinement}.", file=sys.stderr)
    executed = _execute(opened.body, code, seconds)
    _show(executed)
    return 1 if executed.is_error else 0


def talk(opened: OpenBody, seconds: float) -> int:
    """Read, run and print until the end of input."""
    print(f"{opened.project}: {opened.confinement}.\nhelp() lists what there is; Ctrl-C stops code, Ctrl-D leaves.")
    with _editing(opened):
        while (code := _read()) is not None:
            if code.strip():
                _show(_execute(opened.body, code, seconds))
    return 0


def _execute(body: Body, code: str, seconds: float) -> Executed:
    """Run it on another thread, so that Ctrl-C reaches this one and is passed on."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(body.execute, code, seconds)
        while not future.done():
            # Ctrl-C may come at any point of this loop.
            with suppress(NotYet), _passing_on(body):
                while not future.done():
                    future.result(_LOOK)
        return future.result()


@contextmanager
def _passing_on(body: Body) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        body.interrupt()


def _show(executed: Executed) -> None:
    text = clean_output(executed.printed.text)
    sys.stdout.write(text if not text or text.endswith("\n") else f"{text}\n")
    if executed.value is not None:
        print(executed.value)
    if executed.status is Status.DONE:
        print(executed.done if isinstance(executed.done, str) else repr(executed.done))
    sys.stdout.flush()
    if executed.error is not None and executed.restart is None:
        print(executed.error, file=sys.stderr)
    if executed.restart is not None:
        print(f"aries: {executed.restart}", file=sys.stderr)
    sys.stderr.flush()


def _read() -> str | None:
    """One input, which may have several lines; None at the end."""
    lines: list[str] = []
    while True:
        try:
            lines.append(input("... " if lines else ">>> "))
        except EOFError:
            print()
            return "\n".join(lines) if lines else None
        except KeyboardInterrupt:
            print()
            return ""
        code = "\n".join(lines)
        if not _is_unfinished(code):
            return code


def _is_unfinished(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codeop.compile_command(code, "<input>", "single") is None
    except (SyntaxError, ValueError, OverflowError):
        return False  # The body says what is wrong with it.


@contextmanager
def _editing(opened: OpenBody) -> Iterator[None]:
    """Lines can be edited, completed and found again, where the system has the means."""
    try:
        import readline
    except ImportError:
        yield
        return
    _load(readline, opened.history)
    readline.set_completer(_Completer(opened.body))
    readline.set_completer_delims(" \t\n`~!@#$%^&*()-=+[{]}\\|;:'\",<>/?")
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)
        with suppress(OSError):  # A history that cannot be kept is no reason to fail at the end.
            opened.history.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            readline.set_history_length(_MOST_HISTORY)
            readline.write_history_file(opened.history)
            opened.history.chmod(0o600)


def _load(readline: Any, history: Path) -> None:
    with suppress(OSError):  # There is none yet, or it cannot be read: the session begins without it.
        readline.read_history_file(history)


class _Completer:
    """Asks the body once for each word."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._names: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        if state == 0:
            self._names = self._body.complete(text) if text else ["    "]
        return self._names[state] if state < len(self._names) else None
