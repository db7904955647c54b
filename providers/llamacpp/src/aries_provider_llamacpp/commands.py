"""`aries local`: start, stop and look at the server of models on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import click

from aries_kernel.console.table import table
from aries_kernel.contracts.command import CommandContext
from aries_kernel.errors import UserError
from aries_provider_llamacpp.server import LocalServer

__all__ = ["local"]


@click.group()
def local() -> None:
    """Models on this machine: the server that runs them."""


@local.command()
@click.argument("name", required=False)
@click.option("--wait", default=120.0, show_default=True, type=click.FloatRange(min=1), help="Seconds to get ready.")
@click.pass_obj
def start(invocation: CommandContext, name: str | None, wait: float) -> int:
    """Start llama-server with a model of local.models."""
    server = _server(invocation)
    names = list(server.settings.models)
    if name is None and len(names) != 1:
        listed = ", ".join(names) or "none; name a file under local.models.NAME.path in ~/.aries/config.yaml"
        raise UserError(f"Say which model to start. Known: {listed}.")
    running = server.start(name or names[0], wait)
    click.echo(f"{running.model} is ready at {running.url}, {running.context_window:,} tokens, process {running.pid}.")
    click.echo(f"Use it with: aries -m llamacpp/{running.model}")
    return 0


@local.command()
@click.pass_obj
def stop(invocation: CommandContext) -> int:
    """Stop the server that was started with `aries local start`."""
    server = _server(invocation)
    running = server.stop()
    if running is not None:
        click.echo(f"{running.model} is stopped.")
        return 0
    other = server.health().state != "silent"
    more = f" What listens at {server.settings.url} was started by somebody else." if other else ""
    click.echo(f"Nothing to stop.{more}")
    return 0


@local.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def status(invocation: CommandContext, as_json: bool) -> int:
    """Tell what runs, and which models there are."""
    server = _server(invocation)
    server.address()
    running, health = server.running(), server.health()
    models = [
        {
            "name": name,
            "path": one.path,
            "exists": Path(one.path).expanduser().is_file(),
            "context_window": one.context_window or server.settings.context_window,
        }
        for name, one in server.settings.models.items()
    ]
    if as_json:
        document = {
            "url": server.settings.url,
            "health": attrs.asdict(health),
            "running": attrs.asdict(running) if running is not None else None,
            "models": models,
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return 0
    whose = f"{running.model}, process {running.pid}, log {running.log}" if running else "not started by aries"
    click.echo(f"{server.settings.url}: {health.state}{f' ({whose})' if running or health.state != 'silent' else ''}")
    rows = [(one["name"], one["context_window"], "yes" if one["exists"] else "missing", one["path"]) for one in models]
    click.echo(table(("MODEL", "WINDOW", "FILE", "PATH"), rows) if rows else "No model is named under local.models.")
    return 0


def _server(invocation: CommandContext) -> LocalServer:
    surroundings = invocation.surroundings()
    return LocalServer(invocation.settings().settings.local, surroundings.state_folder / "local", surroundings.environ)
