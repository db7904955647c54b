"""On a terminal: which of the agents on this machine shall have the memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from aries_kernel.contracts.bridge import Bridge, Scope
from aries_kernel.errors import AriesError
from aries_kernel.tools.output import escape_controls
from ori_memory.bridging.connecting import connect, told_lines
from ori_memory.bridging.installed import load_bridge, receipts, setting_for, states

if TYPE_CHECKING:
    from aries_kernel.discovery.registry import Plugins
    from ori_memory.app import Context

__all__ = ["offer_clients"]

_GROUP = "ori.bridges"
_ALL, _NONE = "all", "none"


def offer_clients(plugins: Plugins, context: Context, vault: Path) -> bool:
    """Ask which clients that are here and have no memory get this one; whoever just presses Enter changes nothing.

    False: one of those that were named could not be connected; it is told why.
    """
    found = _waiting(plugins, context)
    if not found:
        return True
    # A vault in the folder one works in is this project's; any other one is for all that one does.
    cwd = context.cwd.resolve()
    preferred: Scope = "project" if vault in (cwd, *cwd.parents) and vault != context.home.resolve() else "global"
    click.echo("\nOn this machine are agents that could use this memory:")
    for name, bridge in found.items():
        click.echo(f"  {name:12} {bridge.title}")
    where = "in this folder" if preferred == "project" else "everywhere"
    click.echo(f"Those you name get it, {where}. To take it out: ori bridge NAME --scope {preferred} --uninstall")
    chosen = _chosen(tuple(found))
    context = attrs.evolve(context, vault_flag=str(vault))
    return all([_connected(found[name], context, preferred) for name in chosen])


def _waiting(plugins: Plugins, context: Context) -> dict[str, Bridge]:
    """Clients that are on this machine and have no memory at any scope, by name."""
    rows, warnings = states(plugins, context, plugins.drivers.names(_GROUP))
    for warning in warnings:
        click.echo(f"ori: {escape_controls(warning)}", err=True)
    has_it = {row.target for row in rows if row.state.is_installed}
    here = [row.target for row in rows if row.state.is_client_here and row.target not in has_it]
    return {name: load_bridge(plugins, name) for name in dict.fromkeys(here)}


def _chosen(names: tuple[str, ...]) -> tuple[str, ...]:
    while True:
        said = click.prompt(f"Which of them (names, {_ALL}, {_NONE})", default=_NONE)
        words = said.replace(",", " ").split()
        if words == [_ALL]:
            return names
        if words in ([], [_NONE]):
            return ()
        unknown = [word for word in words if word not in names]
        if not unknown:
            return tuple(dict.fromkeys(words))
        click.echo(f"'{escape_controls(unknown[0])}' is none of {', '.join(names)}.")


def _connected(bridge: Bridge, context: Context, preferred: Scope) -> bool:
    try:
        scope = preferred if preferred in bridge.scopes else bridge.scopes[0]
        setting, warnings = setting_for(bridge, context, scope, None)
        done = connect(bridge, setting, receipts(context))
    except AriesError as error:
        click.echo(f"ori: {bridge.name}: {escape_controls(str(error))}", err=True)
        return False
    click.echo("\n" + told_lines(done.told, done.plan, done.done, with_steps=True))
    for warning in (*warnings, *done.warnings):
        click.echo(f"ori: {escape_controls(warning)}", err=True)
    return True
