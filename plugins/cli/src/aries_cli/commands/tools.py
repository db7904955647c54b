"""`aries tools`: what a phase shows the model, and what it costs."""

from __future__ import annotations

import json

import attrs
import click

from aries_cli.opening import Flags, make_host, real_surroundings
from aries_kernel.console.table import table
from aries_kernel.loop.prompt import system_prompt
from aries_kernel.model.request import ToolSchema

__all__ = ["tools"]

_CHARACTERS_PER_TOKEN = 4


@click.command()
@click.option("--phase", metavar="NAME", help="The phase; the configured one if not given.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def tools(flags: Flags, phase: str | None, as_json: bool) -> int:
    """Print the tools of a phase and their size in tokens (four characters are taken for one)."""
    surroundings = real_surroundings()
    host = make_host(attrs.evolve(flags, phase=phase or flags.phase), surroundings)
    exposure = host.exposure(surroundings.state_folder / "spill")
    schemas, hidden = exposure.schemas(), exposure.hidden()
    prompt = len(system_prompt(host.cwd, hidden, exposure.sections()))
    sizes = [(schema.name, _size(schema), schema.description) for schema in schemas]
    total = sum(size for _, size, _ in sizes)
    if as_json:
        document = {
            "phase": exposure.name,
            "mode": exposure.mode,
            "tools": [{"name": name, "characters": size, "tokens": _tokens(size)} for name, size, _ in sizes],
            "hidden": hidden,
            "prompt_characters": prompt,
            "total_characters": total + prompt,
            "total_tokens": _tokens(total + prompt),
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        click.echo(f"phase {exposure.name}, mode {exposure.mode} (for {exposure.model})")
        rows = [(name, str(_tokens(size)), text.partition("\n")[0]) for name, size, text in sizes]
        click.echo(table(("TOOL", "TOKENS", "DESCRIPTION"), [*rows, ("prompt", str(_tokens(prompt)), "")]))
        click.echo(f"all together about {_tokens(total + prompt)} tokens ({total + prompt:,} characters)")
        if hidden:
            click.echo(f"hidden, by name only: {', '.join(hidden)}")
    for broken in [*exposure.toolbox.broken, *host.plugins.report.take_untold()]:
        click.echo(f"aries: {broken}", err=True)
    return 0


def _size(schema: ToolSchema) -> int:
    return len(json.dumps(attrs.asdict(schema), ensure_ascii=False, separators=(",", ":")))


def _tokens(characters: int) -> int:
    return round(characters / _CHARACTERS_PER_TOKEN)
