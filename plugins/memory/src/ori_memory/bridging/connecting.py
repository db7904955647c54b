"""Putting the memory into one client, and what to tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from aries_kernel.contracts.bridge import Bridge, Plan, Setting
from aries_kernel.tools.output import escape_controls
from ori_memory.bridging.applying import Applied, apply_install, settling
from ori_memory.bridging.command_words import is_passing_place
from ori_memory.bridging.installed import make_missing_vault

if TYPE_CHECKING:
    from ori_memory.bridging.receipts import Receipts

__all__ = ["Connected", "connect", "told_lines"]


@frozen
class Connected:
    """What was done, or would be."""

    plan: Plan
    mutation: str
    done: tuple[Applied, ...]
    told: str
    warnings: tuple[str, ...]


def connect(chosen: Bridge, setting: Setting, receipts: Receipts, *, is_dry: bool = False) -> Connected:
    """Put it in, or bring it up to date. Raises: UserError; then nothing was changed."""
    plan = settling(chosen.plan_install(setting), chosen.name, receipts)
    state = chosen.status(setting)
    warnings: list[str] = []
    if is_passing_place(setting.command):
        warnings.append(
            f"{setting.command[0]} is an environment for one run and may vanish; install ori for good, as with "
            "`uv tool install ori-memory`, and run this again."
        )
    if not is_dry:
        warnings += make_missing_vault(setting)
    done = () if is_dry else apply_install(plan, chosen.name, receipts)
    mutation = "manual" if plan.shown else "noop" if not plan.edits else "updated" if state.paths else "installed"
    told = {
        "noop": f"{chosen.title} is up to date; nothing was changed.",
        "manual": plan.shown,
        "updated": f"{chosen.title} is up to date now.",
        "installed": f"{chosen.title} has the memory now.",
    }[mutation]
    return Connected(plan, mutation, done, told, tuple(warnings))


def told_lines(told: str, plan: Plan, done: tuple[Applied, ...], *, with_steps: bool) -> str:
    """For a person: what was said, the files, and what is left to them."""
    lines = [told]
    for one in done:
        verb = "removed" if one.is_removed else "new" if one.is_new else "changed"
        kept = f"; as it was: {one.backup}" if one.backup and not one.is_new else ""
        lines.append(f"  {verb} {one.path} ({', '.join(one.changes)}){kept}")
    if plan.left_to_user and with_steps:
        lines += ["", "Left to you:", *(f"  {number}. {step}" for number, step in enumerate(plan.left_to_user, 1))]
    return escape_controls("\n".join(lines))
