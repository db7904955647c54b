"""`ori bridge`: puts the memory into a client, takes it out, tells what is where."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import get_args

import attrs
import click

from aries_kernel.contracts.bridge import Activation, Bridge, Plan, Scope, Setting
from aries_kernel.errors import UserError
from aries_kernel.tools.output import escape_controls
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering, plugins
from ori_memory.bridging.applying import Applied, apply_uninstall, restoring
from ori_memory.bridging.connecting import connect, told_lines
from ori_memory.bridging.installed import load_bridge, receipts, setting_for, states

__all__ = ["bridge"]

_WORDS = ("status", "verify")
_GROUP = "ori.bridges"


@click.command()
@click.argument("target", required=False)
@click.argument("client", required=False)
@click.option("--scope", type=click.Choice(get_args(Scope)), help="This project (default), or everywhere.")
@click.option("--activation", type=click.Choice(get_args(Activation)), help="auto: hooks tell; manual: the agent asks.")
@click.option("--vault", "vault_flag", metavar="DIR", help="The vault; as before the command.")
@click.option("--dry-run", is_flag=True, help="Show what would change, write nothing.")
@click.option("--uninstall", is_flag=True, help="Take out what was put in, and nothing else.")
@answering
def bridge(
    context: Context,
    target: str | None,
    client: str | None,
    scope: Scope | None,
    activation: Activation | None,
    vault_flag: str | None,
    dry_run: bool,
    uninstall: bool,
) -> int:
    """Put the memory into TARGET, a client; again brings it up to date.

    `ori bridge status [CLIENT]` tells what is installed where, `ori bridge verify CLIENT` tries it out.
    """
    context = attrs.evolve(context, vault_flag=vault_flag or context.vault_flag)
    if target is None:
        raise UserError(f"Say which client: ori bridge NAME. Known: {', '.join(_names())}.")
    if target not in _WORDS and client is not None:
        raise UserError(f"One client at a time: {target} or {client}?")
    if target == "status":
        return _status(context, client)
    if target == "verify":
        if client is None:
            raise UserError(f"Say which client: ori bridge verify NAME. Known: {', '.join(_names())}.")
        return _verify(context, client, scope)
    chosen = load_bridge(plugins(), target)
    setting, warnings = setting_for(chosen, context, scope, activation)
    if uninstall:
        return _uninstall(context, chosen, setting, dry_run)
    return _install(context, chosen, setting, warnings, dry_run)


def _names() -> tuple[str, ...]:
    return plugins().drivers.names(_GROUP)


def _install(context: Context, chosen: Bridge, setting: Setting, warnings: list[str], is_dry: bool) -> int:
    found = connect(chosen, setting, receipts(context), is_dry=is_dry)
    data = _data(chosen, setting, found.plan, found.mutation, is_dry, found.done)
    _print(context, data, found.plan, found.done, found.told, [*warnings, *found.warnings], is_dry)
    return 0


def _uninstall(context: Context, chosen: Bridge, setting: Setting, is_dry: bool) -> int:
    plan = restoring(chosen.plan_uninstall(setting), chosen.name, receipts(context))
    done = () if is_dry else apply_uninstall(plan, chosen.name, receipts(context))
    mutation = "manual" if plan.shown else "uninstalled" if plan.edits else "noop"
    data = _data(chosen, setting, plan, mutation, is_dry, done)
    told = plan.shown or (f"Taken out of {chosen.title}." if plan.edits else "There is nothing to take out.")
    elsewhere = [] if plan.edits else [one for one in chosen.scopes if one != setting.scope]
    found = [one for one in elsewhere if chosen.status(attrs.evolve(setting, scope=one)).is_installed]
    hints = [f"It is installed at another scope; to take it out there: --scope {one}." for one in found]
    _print(context, data, plan, done, told, hints, is_dry)
    return 0


def _data(
    chosen: Bridge, setting: Setting, plan: Plan, mutation: str, is_dry: bool, done: tuple[Applied, ...]
) -> dict[str, object]:
    return {
        "target": chosen.name,
        "scope": setting.scope,
        "activation": setting.activation,
        "vault": setting.vault,
        "command": setting.command,
        "mutation": mutation,
        "dry_run": is_dry,
        "files": [
            {
                "path": edit.path,
                "changes": edit.changes,
                "is_new": edit.before is None,
                "is_removed": edit.after is None,
                "diff": _diff(edit.path, edit.before, edit.after) if is_dry else None,
            }
            for edit in plan.edits
        ],
        "backups": [one.backup for one in done if one.backup],
        "left_to_user": plan.left_to_user,
        "shown": plan.shown,
    }


def _print(
    context: Context,
    data: dict[str, object],
    plan: Plan,
    done: tuple[Applied, ...],
    told: str,
    warnings: list[str],
    is_dry: bool,
) -> None:
    def text() -> str:
        if is_dry:
            diffs = [_diff(edit.path, edit.before, edit.after) for edit in plan.edits]
            shown = "\n".join(diffs) or plan.shown or "Nothing would change."
            return escape_controls(shown)
        return told_lines(told, plan, done, with_steps=data["mutation"] != "noop")

    print_answer(data, as_json=context.wants_json, text=text, warnings=warnings)


def _diff(path: Path, before: bytes | None, after: bytes | None) -> str:
    old, new = (
        [] if data is None else data.decode("utf-8", "replace").splitlines(keepends=True) for data in (before, after)
    )
    names = (str(path) if before is not None else os.devnull, str(path) if after is not None else os.devnull)
    lines = difflib.unified_diff(old, new, *names)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ no line break at the end\n" for line in lines)


def _status(context: Context, client: str | None) -> int:
    names = (client,) if client else _names()
    found, warnings = states(plugins(), context, names)
    rows = [row for row in found if client or row.state.is_installed or row.state.problems or row.state.paths]

    def text() -> str:
        lines = []
        for row in rows:
            state = row.state
            how = f"{state.activation or 'unknown'}, vault {state.vault or 'found where it is started'}"
            said = how if state.is_installed else "not installed"
            force = " (in force)" if row.is_in_force and state.is_installed else ""
            lines += [f"{row.target}, {row.scope}: {said}{force}"]
            lines += [f"  {path}" for path in state.paths] + [f"  ! {problem}" for problem in state.problems]
        return escape_controls("\n".join(lines)) or "No client has the memory. Put it in: ori bridge NAME."

    print_answer(found, as_json=context.wants_json, text=text, warnings=warnings)
    return 0


def _verify(context: Context, client: str, scope: Scope | None) -> int:
    chosen = load_bridge(plugins(), client)
    if scope is None:
        # What is in force is tried: a project's installation comes before the one for everywhere.
        found, _ = states(plugins(), context, (client,))
        scope = next((row.scope for row in found if row.is_in_force), None)
    setting, _ = setting_for(chosen, context, scope, None)
    checks = chosen.verify(setting)
    is_good = all(check.is_good is not False for check in checks)
    marks = {True: "ok", False: "FAILED", None: "not tried"}
    data = {"target": chosen.name, "scope": setting.scope, "checks": checks}
    print_answer(
        data,
        as_json=context.wants_json,
        text=lambda: escape_controls("\n".join(f"{marks[one.is_good]:9} {one.name}: {one.detail}" for one in checks)),
        success=is_good,
    )
    return 0 if is_good else 1
