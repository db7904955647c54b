"""`ori serve`: the vault as a server of the Model Context Protocol."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from aries_kernel.errors import UserError
from ori_memory import __version__
from ori_memory.app import Context

if TYPE_CHECKING:
    from ori_memory.serving.desk import Desk
    from ori_memory.serving.opening import Welcome
    from ori_memory.vault.vault import Vault

__all__ = ["serve"]

_TOKEN_HELP = "With --http: a file with the token that clients send (made if missing); otherwise ORI_HTTP_TOKEN."


@click.command()
@click.option("--mcp", "is_stdio", is_flag=True, help="Over standard input and output, for one client.")
@click.option("--http", "is_http", is_flag=True, help="Over HTTP, one vault for many clients.")
@click.option("--vault", "vault_flag", metavar="DIR", help="The vault; as before the command.")
@click.option(
    "--profile",
    type=click.Choice(["full", "slim"]),
    default="full",
    show_default=True,
    help="Tools that clients are told of: all, or those an agent needs every day.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=7341, show_default=True, help="With --http; 0: any.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help=_TOKEN_HELP,
)
@click.pass_obj
def serve(
    context: Context,
    is_stdio: bool,
    is_http: bool,
    vault_flag: str | None,
    profile: str,
    host: str,
    port: int,
    token_file: Path | None,
) -> int:
    """Serve the vault to programs that speak the Model Context Protocol.

    Where no vault is named and none is found, a new one is made at ~/.ori-memory. It leaves when its input ends, or
    when the program that started it does.
    """
    if is_stdio == is_http:
        raise UserError("Give --mcp for one client over standard input and output, or --http for many.")
    context = attrs.evolve(context, vault_flag=vault_flag or context.vault_flag)
    if is_stdio:
        return _over_stdio(context, profile)
    from ori_memory.serving.http import Listening, serve_http

    listening = Listening.checked(host, port, token_file, os.environ)
    vault, welcome = _opened(context, profile)
    return serve_http(listening, welcome, _desk(vault))


def _over_stdio(context: Context, profile: str) -> int:
    from ori_memory.serving.stdio import serve_stdio
    from ori_memory.serving.wire import claim_standard_streams

    is_person = sys.stdin.isatty()
    wire = claim_standard_streams()
    vault, welcome = _opened(context, profile)
    if is_person:
        sys.stderr.write(f"ori: {vault.root} waits for a client that speaks over standard input; Ctrl+D ends it.\n")
    return serve_stdio(wire, welcome, lambda: _desk(vault))


def _opened(context: Context, profile: str) -> tuple[Vault, Welcome]:
    from ori_memory.serving.instructions import instructions
    from ori_memory.serving.opening import Welcome
    from ori_memory.vault.finding import find_or_make_vault

    vault, is_made = find_or_make_vault(context.vault_flag, os.environ, context.cwd, context.home)
    for warning in vault.warnings:
        sys.stderr.write(f"ori: {warning}\n")

    def tools() -> list[dict[str, object]]:
        from ori_memory.serving.catalog import tool_list

        return tool_list(profile)  # type: ignore[arg-type]  # click has checked it

    def resources() -> list[dict[str, object]]:
        from ori_memory.serving.resources import resource_list

        return resource_list()

    return vault, Welcome("ori", __version__, instructions(vault, is_made=is_made), tools, resources)


def _desk(vault: Vault) -> Desk:
    from ori_memory.serving.desk import Desk

    return Desk(vault, dict(os.environ))
