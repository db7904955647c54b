"""What an agent is told at the start: the brief, and at the very first start how to get to know each other."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from ori_memory.operations.waking import Brief, wake

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["ONBOARDING", "brief_text", "orient", "orient_data"]

ONBOARDING = (
    "Ask what the agent shall be called; Ori where the person does not mind.",
    "Ask what this memory is for: anything that comes up, personal knowledge, research, work, a learning journal, or "
    "something else in the person's own words.",
    "Ask for whatever is on the person's mind about it: people, projects, plans, opinions. Let them talk; keep single "
    "facts as notes of their own.",
    "Ask how the agent shall talk: short or at length, formal or not, in which language.",
    "Write what was said in the first person to identity, goals and methodology, and read it out for correction.",
)
"""One step after the other, in a conversation; friendly, never as a form."""


def orient(vault: Vault, now: datetime.datetime, budget: int | None = None) -> Brief:
    """The brief of `wake`. `now` has a time zone."""
    return wake(vault, now=now, budget=budget)


def orient_data(vault: Vault, now: datetime.datetime, *, is_brief: bool = True) -> dict[str, Any]:
    """For the server: the brief; the steps of a first start; with `is_brief` False the whole own files too."""
    from ori_memory.operations.own_files import OWN_FILES, read_own

    brief = orient(vault, now)
    return {
        "vault": vault.root,
        "timestamp": now,
        "first_run": brief.is_first_run,
        "brief": list(brief.lines),
        "dropped": list(brief.dropped),
        **({"onboarding": {"steps": list(ONBOARDING), "save_with": "ori_update"}} if brief.is_first_run else {}),
        **({} if is_brief else {name: read_own(vault, name) for name in OWN_FILES}),
    }


def brief_text(brief: Brief) -> str:
    """The brief as text for a client that puts it before the first question."""
    lines = list(brief.lines)
    if brief.is_first_run:
        lines += ["", "Before anything else, get to know each other:"]
        lines += [f"{number}. {step}" for number, step in enumerate(ONBOARDING, 1)]
    return "\n".join(lines)
