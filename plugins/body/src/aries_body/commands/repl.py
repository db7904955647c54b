"""`aries repl`: the body for people, without a model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from aries_kernel.contracts.command import CommandContext

__all__ = ["repl"]


@click.command()
@click.option("-c", "--code", metavar="CODE", help="Run this and leave; '-' reads it from standard input.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Time limit of one execution; otherwise body.seconds of the settings.",
)
@click.option(
    "--unconfined", is_flag=True, help="Run without confinement by the operating system: code can do what you can."
)
@click.pass_obj
def repl(context: CommandContext, code: str | None, seconds: float | None, unconfined: bool) -> int:
    """Python with the project at hand, in a process of its own.

    Variables stay between inputs. Files, commands and requests go through the permissions of the session:
    fs.write, shell.run, web.fetch. help() lists everything.
    """
    from aries_body.commands.sessions import opened
    from aries_body.commands.talking import run_code, talk

    if code is None and not sys.stdin.isatty():
        code = "-"
    host = context.open_host()
    limit = host.loaded.settings.body.seconds if seconds is None else seconds
    with opened(host, is_confined=not unconfined) as body:
        if code is None:
            return talk(body, limit)
        return run_code(body, sys.stdin.read() if code == "-" else code, limit)
