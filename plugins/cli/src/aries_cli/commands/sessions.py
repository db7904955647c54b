"""`aries sessions`: list, show, export; nothing here changes or removes a session."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path

import click

from aries_cli.opening import real_surroundings
from aries_cli.sessions import open_store
from aries_kernel.atomic import replace_bytes
from aries_kernel.console.table import table
from aries_kernel.errors import UserError
from aries_kernel.model.messages import (
    AssistantMessage,
    Message,
    Reasoning,
    ResultsMessage,
    Text,
    ToolCall,
    UserMessage,
)
from aries_kernel.tools.output import escape_controls

__all__ = ["sessions"]


@click.group()
def sessions() -> None:
    """List, show and export sessions."""


@sessions.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--all", "everywhere", is_flag=True, help="Sessions of every folder, not of this one alone.")
@click.pass_obj
def list_(flags: object, as_json: bool, everywhere: bool) -> int:
    """List sessions, the newest first."""
    from aries_cli.opening import Flags

    assert isinstance(flags, Flags)
    here = str(flags.folder())
    found = open_store(real_surroundings()).summaries()
    shown = [one for one in found if everywhere or one.problem or one.cwd == here]
    if as_json:
        document = [
            {
                "id": one.id,
                "file": str(one.path),
                "cwd": one.cwd,
                "model": one.model,
                "opened": one.opened_at,
                "changed": _when(one.changed),
                "first_prompt": one.first_prompt,
                "problem": one.problem,
            }
            for one in shown
        ]
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return 0
    rows = [(one.id, _when(one.changed), one.model, one.problem or one.first_prompt) for one in shown]
    click.echo(table(("SESSION", "CHANGED", "MODEL", "FIRST PROMPT"), rows))
    if not shown:
        click.echo(f"no sessions in {here}; --all lists those of other folders", err=True)
    return 0


@sessions.command()
@click.argument("id")
def show(id: str) -> int:
    """Print a session as text."""
    history = open_store(real_surroundings()).history(id)
    for message in history.messages:
        click.echo(escape_controls(_as_text(message)))
    for problem in history.problems:
        click.echo(f"aries: {problem}", err=True)
    if history.unanswered:
        click.echo(f"aries: {len(history.unanswered)} calls have no result yet.", err=True)
    return 0


@sessions.command()
@click.argument("id")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file to write; else printed."
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def export(id: str, output: Path | None, force: bool) -> int:
    """Give out the log of a session; `--model replay/FILE` plays it again."""
    data = open_store(real_surroundings()).find(id).read_bytes()
    if output is None:
        sys.stdout.buffer.write(data)
        return 0
    if output.exists() and not force:
        raise UserError(f"{output} exists. Choose another name, or write over it with --force.")
    if not output.parent.is_dir():
        raise UserError(f"{output.parent}: there is no such folder.")
    replace_bytes(output.resolve(), data, mode=0o600)
    click.echo(f"{output}: {len(data):,} bytes")
    return 0


def _when(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="seconds")


def _as_text(message: Message) -> str:
    match message:
        case UserMessage():
            return "\n".join([f"\n> {message.text}", *(f"  {image.described()}" for image in message.images)])
        case AssistantMessage():
            return "\n".join(_part(part) for part in message.parts)
        case ResultsMessage():
            return "\n".join(f"  {one.name} {one.status.value}: {one.text}" for one in message.results)


def _part(part: Text | Reasoning | ToolCall) -> str:
    match part:
        case Text():
            return part.text
        case Reasoning():
            return f"(reasoning) {part.text}"
        case ToolCall():
            return f"* {part.name} {part.arguments}"
