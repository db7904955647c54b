"""`aries config show`: every value and where it came from."""

from __future__ import annotations

import json

import click

from aries_cli.opening import Flags, load, real_surroundings
from aries_kernel.console.table import table

__all__ = ["config"]


@click.group()
def config() -> None:
    """Show the settings."""


@config.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def show(flags: Flags, as_json: bool) -> int:
    """Print each setting, its value and where it was set."""
    loaded = load(flags, flags.folder(), real_surroundings())
    rows = [(value.key, json.dumps(value.value, ensure_ascii=False), value.origin) for value in loaded.values]
    if as_json:
        values = [{"key": value.key, "value": value.value, "origin": value.origin} for value in loaded.values]
        click.echo(json.dumps({"values": values, "warnings": loaded.warnings}, indent=2, ensure_ascii=False))
    else:
        click.echo(table(("KEY", "VALUE", "SET BY"), rows))
    for warning in loaded.warnings:
        click.echo(f"aries: {warning}", err=True)
    return 0
