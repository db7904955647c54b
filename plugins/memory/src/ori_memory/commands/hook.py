"""`ori hook`: what clients run by themselves."""

from __future__ import annotations

import os
import sys

import click

from ori_memory.app import Context

__all__ = ["hook"]

_EVENTS = {"orient": "SessionStart", "validate": "PostToolUse", "capture": "SessionEnd"}


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("name")
@click.option("--client", default="", help="Whose form to answer in; otherwise seen by what it sends.")
@click.option("--vault", "vault_flag", metavar="DIR", help="The vault; as before the command.")
@click.pass_context
def hook(ctx: click.Context, name: str, client: str, vault_flag: str | None) -> int:
    """Do what NAME is for: orient (a session starts), validate (a file was written), capture (a session ends).

    Reads the client's JSON document from standard input, or takes it as the last word; prints one JSON document or
    nothing, and always exits with 0: a hook is never in the way. Outside of a vault it does nothing.
    """
    context: Context = ctx.obj
    if name not in _EVENTS:
        sys.stderr.write(f"ori: there is no hook '{name}'. Known: {', '.join(_EVENTS)}.\n")
        return 0
    from ori_memory.hooks import moments
    from ori_memory.hooks.running import run_hook

    run_hook(
        getattr(moments, name),
        event=_EVENTS[name],
        document=next((word for word in ctx.args if word.lstrip().startswith("{")), ""),
        client=client,
        vault_flag=vault_flag or context.vault_flag,
        cwd=context.cwd,
        home=context.home,
        environ=os.environ,
    )
    return 0
