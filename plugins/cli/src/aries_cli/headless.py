"""`aries -p`: one prompt, one result, for scripts and other programs."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal

from aries_cli.exit_codes import exit_code
from aries_cli.opening import make_host
from aries_cli.result import Collector, event_document, result_document
from aries_cli.running import run_once
from aries_cli.sessions import Target
from aries_cli.terminal import TerminalPerson, is_terminal
from aries_cli.transcript import Transcript
from aries_kernel.broker.consent import Nobody
from aries_kernel.host import Surroundings
from aries_kernel.model.events import CodeSaid, Notice, TurnEvent
from aries_kernel.model.messages import Image
from aries_kernel.model.session import Outcome, OutcomeStatus
from aries_kernel.tools.output import escape_controls

__all__ = ["OutputFormat", "print_document", "run_headless"]

OutputFormat = Literal["text", "json", "stream-json"]


def run_headless(
    prompt: str, where: Target, surroundings: Surroundings, output: OutputFormat, images: Sequence[str] = ()
) -> int:
    """Run one prompt and print its result; gives the exit code.

    Raises: AriesError for what is wrong before the session runs.
    """
    seen = Collector()
    faces: list[Callable[[TurnEvent], None]] = [seen, *_faces(output)]

    def show(event: TurnEvent) -> None:
        for face in faces:
            face(event)

    attached = _attached(images)
    person = TerminalPerson() if is_terminal() else Nobody()
    host = make_host(where.flags, surroundings, cwd=where.cwd, person=person, show=show)
    agent, outcome = asyncio.run(run_once(host, prompt, attached, resume=where.resume, fork=where.fork))
    if output != "text":
        print_document(result_document(agent.session.id, agent.info.model, outcome, seen))
    elif not (sys.stdout.isatty() and sys.stderr.isatty()):  # There the transcript showed it already.
        _print_text(outcome)
    _complain(outcome)
    return exit_code(outcome.status)


def _attached(paths: Sequence[str]) -> tuple[Image, ...]:
    if not paths:
        return ()
    from aries_cli.attaching import attach_all

    return attach_all(paths)


def _faces(output: OutputFormat) -> list[Callable[[TurnEvent], None]]:
    if output == "stream-json":
        return [lambda event: print_document(event_document(event))]
    if sys.stderr.isatty():
        return [Transcript(sys.stderr, shows_user=False)]
    return [_warn] if output == "text" else []


def _warn(event: TurnEvent) -> None:
    if isinstance(event, Notice):
        sys.stderr.write(f"aries: {escape_controls(event.text)}\n")
    elif isinstance(event, CodeSaid):
        sys.stderr.write(f"{escape_controls(event.text)}\n")


def _print_text(outcome: Outcome) -> None:
    text = outcome.text
    if text and outcome.status is not OutcomeStatus.FAILED:
        # A program gets what the model said; a terminal would obey it.
        text = escape_controls(text) if sys.stdout.isatty() else text
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()


def _complain(outcome: Outcome) -> None:
    if outcome.status is not OutcomeStatus.DONE:
        sys.stderr.write(f"aries: {outcome.status.value}: {escape_controls(outcome.reason)}\n")


def print_document(document: dict[str, Any]) -> None:
    """One JSON document on one line."""
    sys.stdout.write(json.dumps(document, ensure_ascii=True, separators=(",", ":")) + "\n")
    sys.stdout.flush()
