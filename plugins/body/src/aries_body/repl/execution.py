"""One execution of user code: compiled, run on the main thread, answered whatever it did."""

from __future__ import annotations

import ast
import inspect
import signal
import sys
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

from aries_body.process.link import Link
from aries_body.repl.bindings import Keeper
from aries_body.repl.capturing import Capturing
from aries_body.repl.display import cut, short_repr
from aries_body.repl.namespace import build, note_for
from aries_body.repl.speaking import Done
from aries_body.repl.tracebacks import CELL, describe, describe_syntax, forget_source, remember_source
from aries_kernel.contracts.body import Group

__all__ = ["Executor"]

_REMEMBERED = 200
_NO_CHANGES: dict[str, Any] = {"values": {}, "sources": {}, "lost": {}, "gone": []}


class Executor:
    """Holds the namespace and runs what the host sends, one after the other."""

    def __init__(self, link: Link, groups: Sequence[Group], project: str, capturing: Capturing) -> None:
        self._link, self._groups, self._capturing = link, groups, capturing
        self._is_armed = self._is_replaying = False
        module = types.ModuleType("__main__")
        self._namespace = module.__dict__
        own = build(link, groups, project, lambda: self._is_replaying)
        self._namespace.update(own)
        # Classes of user code are looked up by this name when they are pickled.
        sys.modules["__main__"] = module
        self._keeper = Keeper(self._namespace, own)

    def execute(self, number: int, code: str) -> dict[str, Any]:
        """Run it; the answer says how it ended."""
        return self._guarded(number, lambda: self._run(number, code))

    def restore(self, number: int, values: dict[str, str], sources: dict[str, str]) -> dict[str, Any]:
        """Bring back what another process left; the answer names what did not come back."""

        def work() -> dict[str, Any]:
            self._is_replaying = True
            try:
                failed = self._keeper.restore(values, sources)
                return {"status": "ok", "failed": failed, "bindings": self._keeper.changes()}
            finally:
                self._is_replaying = False

        return self._guarded(number, work)

    def complete(self, number: int, text: str) -> dict[str, Any]:
        """Names that the end of `text` may become."""
        from aries_body.repl.completing import completions

        return self._guarded(number, lambda: {"status": "ok", "names": completions(self._namespace, text)})

    def _guarded(self, number: int, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Let interrupts through while user code may run, and only then."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        self._capturing.begin()
        started = time.perf_counter()
        self._link.execution = number
        try:
            try:
                self._is_armed = True
                outcome = work()
            finally:
                self._is_armed = False
        except KeyboardInterrupt:
            self._is_armed = False
            outcome = {"status": "interrupted", "error": "KeyboardInterrupt", "bindings": _NO_CHANGES}
        finally:
            self._link.execution = 0
        return {**outcome, "seconds": time.perf_counter() - started}

    def _on_interrupt(self, *_: object) -> None:
        if self._is_armed:
            raise KeyboardInterrupt

    def _run(self, number: int, code: str) -> dict[str, Any]:
        name = CELL.format(number)
        remember_source(name, code)
        forget_source(CELL.format(number - _REMEMBERED))
        try:
            tree = ast.parse(code, name)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            text = (
                describe_syntax(error, code) if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
            )
            return {"status": "error", "error": text, "bindings": _NO_CHANGES}
        outcome = self._outcome(tree, name)
        self._keeper.note(tree, code)
        return {**outcome, "bindings": self._keeper.changes()}

    def _outcome(self, tree: ast.Module, name: str) -> dict[str, Any]:
        try:
            value = self._evaluate(tree, name)
            if value is None:
                return {"status": "ok"}
            self._namespace["_"] = value
            return {"status": "ok", "value": short_repr(value)}
        except Done as done:
            return {"status": "done", "done": done.value}
        except KeyboardInterrupt as error:
            return {"status": "interrupted", "error": self._described(error)}
        except SystemExit as error:
            text = f"exit({'' if error.code is None else cut(repr(error.code), 200)}) ended this execution only."
            return {"status": "error", "error": f"SystemExit: {text}"}
        except BaseException as error:  # User code may raise anything; all of it belongs in the answer.
            return {"status": "error", "error": self._described(error)}

    def _evaluate(self, tree: ast.Module, name: str) -> Any:
        last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        first = ast.Module(tree.body[:-1] if last is not None else tree.body, tree.type_ignores)
        # Compiled before anything runs: an execution with an error of syntax does nothing.
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        statements = compile(first, name, "exec", flags=flags, dont_inherit=True)
        expression = None
        if last is not None:
            expression = compile(ast.Expression(last.value), name, "eval", flags=flags, dont_inherit=True)
        self._await(eval(statements, self._namespace))
        return None if expression is None else self._await(eval(expression, self._namespace), expression)

    @staticmethod
    def _await(value: Any, code: types.CodeType | None = None) -> Any:
        """Run what came of a top-level `await`; a coroutine that user code only made is a value like any other."""
        is_ours = inspect.iscoroutine(value) and (code is None or value.cr_code is code)
        if not is_ours:
            return value
        import asyncio

        return asyncio.run(value)

    def _described(self, error: BaseException) -> str:
        return describe(error, lambda line: note_for(self._groups, line))
