"""`ori init`: make a folder a vault."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.vault.finding import GLOBAL_NAME, is_vault
from ori_memory.vault.making import Made, adopt_vault, init_vault

__all__ = ["init"]


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--adopt", is_flag=True, help="Use a folder of notes as it is: add the marker and the settings, nothing else."
)
@answering
def init(context: Context, folder: Path | None, adopt: bool) -> int:
    """Make FOLDER a vault (on a terminal you are asked). Files that are there stay as they are."""
    if folder is None and not context.wants_json and sys.stdin.isatty():
        folder, adopt = _ask(context)
    chosen = context.cwd / folder.expanduser() if folder is not None else context.cwd
    made = adopt_vault(chosen) if adopt else init_vault(chosen)
    data = {
        "vault": made.vault.root,
        "id": made.vault.id,
        "created": made.created,
        "skipped": made.skipped,
    }
    print_answer(data, as_json=context.wants_json, text=lambda: _told(made), warnings=made.vault.warnings)
    return 0


def _ask(context: Context) -> tuple[Path, bool]:
    click.echo("ori keeps notes as markdown files in a folder that you own. It never needs a network.\n")
    proposed = context.home / GLOBAL_NAME
    named = click.prompt("Where shall the vault be", default=str(proposed))
    folder = Path(named).expanduser()
    holds_notes = folder.is_dir() and not is_vault(folder) and any(folder.rglob("*.md"))
    adopt = holds_notes and click.confirm(
        "There are notes already. Use them as they are, without new folders", default=True
    )
    return folder, adopt


def _told(made: Made) -> str:
    root = made.vault.root
    if not made.created:
        return f"{root} is a vault already; nothing was changed."
    lines = [f"{root} is a vault now.", *(f"  made {name}" for name in made.created)]
    lines += [f"  kept {name}" for name in made.skipped]
    return "\n".join([*lines, "", 'Next: ori add "A sentence that says one thing"'])
