"""`aries plugins`: what is installed, from the index; works with a broken plugin installed."""

from __future__ import annotations

import json

import attrs
import click

from aries_cli.opening import Flags, load, make_plugins, real_surroundings
from aries_kernel.console.table import table
from aries_kernel.discovery.entry import Entry, State
from aries_kernel.errors import ConfigError
from aries_kernel.host import Surroundings
from aries_kernel.settings.loading import Loaded

__all__ = ["plugins"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option("--check", is_flag=True, help="Load every plugin and say which do not work.")
@click.pass_obj
def plugins(flags: Flags, as_json: bool, check: bool) -> int:
    """List plugins: name, distribution, version, state and reason."""
    surroundings = real_surroundings()
    found = make_plugins(flags, _loaded(flags, surroundings), surroundings)
    problems = found.check() if check else found.report.problems
    rows = [_row(entry, str(found.report.about(entry) or "")) for entry in found.entries()]
    if as_json:
        document = {"plugins": rows, "problems": [attrs.asdict(problem) for problem in problems]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo(
            table(("GROUP", "NAME", "DISTRIBUTION", "VERSION", "STATE", "REASON"), [list(row.values()) for row in rows])
        )
        for problem in problems:
            if not problem.entry_point:
                click.echo(f"aries: {problem}", err=True)
    for unknown in found.unknown_switches:
        click.echo(f"aries: there is no plugin {unknown}.", err=True)
    return 1 if check and problems else 0


def _loaded(flags: Flags, surroundings: Surroundings) -> Loaded | None:
    """The settings; broken ones are told and do not keep anybody from seeing which plugins there are."""
    try:
        return load(flags, flags.folder(), surroundings)
    except ConfigError as error:
        for problem in error.problems:
            click.echo(f"aries: {problem}", err=True)
        return None


def _row(entry: Entry, problem: str) -> dict[str, str]:
    is_broken = bool(problem) and entry.state is State.ENABLED
    return {
        "group": entry.group,
        "name": entry.name,
        "distribution": entry.distribution,
        "version": entry.version,
        "state": "broken" if is_broken else entry.state.value,
        "reason": problem.partition(": ")[2] if is_broken else entry.reason,
    }
