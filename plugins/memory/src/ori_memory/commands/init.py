"""`ori init`: make a folder a vault."""

from __future__ import annotations

import shlex
import sys
from itertools import islice
from pathlib import Path

import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering, plugins
from ori_memory.vault.making import Made, adopt_vault, init_vault, missing_files, refuse_place
from ori_memory.vault.marker import GLOBAL_NAME, is_vault

__all__ = ["init"]

_LOOKED_AT = 5000
_FOLDERS = (
    "notes/ is what is kept, inbox/ what waits to be looked at, templates/ what new",
    "notes start from; self/ tells who you are, ops/ holds days, sessions, reminders.",
)


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--adopt", is_flag=True, help="Use a folder of notes as it is: add the marker and the settings, nothing else."
)
@answering
def init(context: Context, folder: Path | None, adopt: bool) -> int:
    """Make FOLDER, or what --vault names, a vault (a terminal asks you). Files that are there stay as they are."""
    folder = _meant(context, folder)
    is_guided = folder is None and not context.wants_json and sys.stdin.isatty()
    if is_guided:
        folder, adopt, is_whole = _ask(context)
        if is_whole:
            return _offered(context, folder)
    chosen = context.cwd / folder.expanduser() if folder is not None else context.cwd
    made = adopt_vault(chosen) if adopt else init_vault(chosen)
    data = {
        "vault": made.vault.root,
        "id": made.vault.id,
        "created": made.created,
        "skipped": made.skipped,
        "left_out": made.left_out,
    }
    print_answer(data, as_json=context.wants_json, text=lambda: _told(context, made), warnings=made.vault.warnings)
    return _offered(context, made.vault.root) if is_guided else 0


def _meant(context: Context, folder: Path | None) -> Path | None:
    """Raises: UserError where `--vault` names another folder than the argument does."""
    if context.vault_flag is None:
        return folder
    named = Path(context.vault_flag)
    places = {(context.cwd / one.expanduser()).resolve() for one in (folder, named) if one is not None}
    if len(places) > 1:
        raise UserError(f"--vault names {named} and the argument {folder}. Give one of them.")
    return named


def _offered(context: Context, vault: Path) -> int:
    from ori_memory.bridging.offering import offer_clients  # Bridges are read for it, and the files of clients.

    return 0 if offer_clients(plugins(), context, vault.resolve()) else 1


def _ask(context: Context) -> tuple[Path, bool, bool]:
    """The folder, whether to take it as it is, and whether it is a vault that stays as it is."""
    click.echo("ori keeps notes as markdown files in a folder that you own. Nothing leaves it.\n")
    proposed = context.cwd if (context.cwd / ".obsidian").is_dir() else context.home / GLOBAL_NAME
    named = click.prompt("Where shall the vault be", default=str(proposed))
    folder = context.cwd / Path(named).expanduser()
    refuse_place(folder)
    if is_vault(folder):
        missing = missing_files(folder)
        if not missing:
            click.echo(f"{folder} is a vault already; nothing was changed.")
            return folder, False, True
        click.echo(f"{folder} is a vault already.")
        if not click.confirm(f"Add {len(missing)} files of a new vault that it has not", default=False):
            click.echo("Nothing was changed.")
            return folder, False, True
        return folder, False, False
    is_taken = _holds_notes(folder) and click.confirm(
        "There are notes. Use them as they are, with no new folders", default=True
    )
    return folder, is_taken, False


def _holds_notes(folder: Path) -> bool:
    """Judged by the first thousands of its files: somebody may name a whole disk."""
    return folder.is_dir() and any(file.suffix == ".md" for file in islice(folder.rglob("*"), _LOOKED_AT))


def _told(context: Context, made: Made) -> str:
    root = made.vault.root
    if not made.created:
        return f"{root} is a vault already; nothing was changed."
    lines = [f"{root} is a vault now.", *(f"  made {name}" for name in made.created)]
    lines += [f"  kept {name}" for name in made.skipped]
    lines += [f"  {name} holds templates and is left out (index.skip in ori.config.yaml)" for name in made.left_out]
    if "notes/index.md" in made.created:
        lines += ["", *_FOLDERS]
    is_found = root in (context.cwd.resolve(), *context.cwd.resolve().parents, (context.home / GLOBAL_NAME).resolve())
    lines += [
        "",
        "For an agent: ori bridge NAME, as claude-code or codex",
        'Next: ori add "A sentence that says one thing"' if is_found else f"Next: cd {shlex.quote(str(root))}",
    ]
    return "\n".join(lines)
