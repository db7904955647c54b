"""The brief at the start of a session: few lines, the same for the same vault and day, made without an index."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from ori_memory.operations.temporal import read_reminders, wording, worth_showing
from ori_memory.operations.visible_lines import heading_level, read_part, visible_lines, without_secrets
from ori_memory.vault.config import WakeSource
from ori_memory.vault.scaffold import FIRST_SESSION
from ori_memory.vault.vault import OutsideVault, Vault

if TYPE_CHECKING:
    from ori_memory.index.glancing import Glance

__all__ = ["Brief", "is_first_run", "wake"]

IDENTITY, GOALS, REMINDERS, CUSTOM, DAILY, WARM, VITALS, NOTICES = (
    "identity",
    "goals",
    "reminders",
    "custom",
    "daily",
    "warm",
    "vitals",
    "notices",
)
LADDER = {IDENTITY: 1, GOALS: 8, REMINDERS: 6, CUSTOM: 20, DAILY: 20, WARM: 10, VITALS: 4, NOTICES: 2}
"""Lines each section has at most, in the order in which they are shown."""
DROPPED_FIRST = (NOTICES, VITALS, WARM, CUSTOM, DAILY, REMINDERS, GOALS)
"""Identity is never dropped."""

_SECTION_OF = {"identity": IDENTITY, "goals": GOALS, "due": REMINDERS, "activity": DAILY, "custom": CUSTOM}
_TITLES = {
    IDENTITY: "",
    GOALS: "Goals",
    REMINDERS: "Reminders",
    CUSTOM: "Also",
    DAILY: "Lately",
    WARM: "Warm notes",
    VITALS: "Vault",
    NOTICES: "Notices",
}
_FIRST_RUN = (
    "First session: nobody has said yet who you are. Ask for a name, a purpose and a tone, then write self/identity.md."
)


@frozen
class Brief:
    """What a session starts with."""

    lines: tuple[str, ...]
    """The whole brief, titles of sections included; never more than the budget."""
    sections: Mapping[str, tuple[str, ...]]
    """The lines of each section that is in it, without its title."""
    dropped: tuple[str, ...]
    """Sections that did not fit."""
    is_first_run: bool
    notices: tuple[str, ...]
    """All of them, also those that did not fit."""


def wake(vault: Vault, *, now: datetime.datetime, budget: int | None = None) -> Brief:
    """The brief of this moment. `now` has a time zone: its date is today. `budget`: lines; None: as in the settings.

    Reads the sources, and the index and the learned store as they are; writes nothing. Never raises for a file that is
    missing or cannot be read: a notice says so.
    """
    lines = max(budget if budget is not None else vault.config.wake.budget_lines, 1)
    draft = _Draft(vault, now)
    for source in vault.config.wake.sources:
        draft.take(source)
    is_first = is_first_run(vault)
    if is_first:
        draft.sections[IDENTITY] = [_FIRST_RUN]
    draft.glance()
    sections = draft.finished()
    dropped = _fit(sections, lines)
    return Brief(
        tuple(_laid_out(sections))[:lines],
        {name: tuple(found) for name, found in sections.items()},
        tuple(dropped),
        is_first,
        tuple(draft.notices),
    )


def is_first_run(vault: Vault) -> bool:
    """Whether nobody has written the identity file yet: it is missing, empty, as it was made, or holds titles only."""
    named = [source.path for source in vault.config.wake.sources if source.role == "identity"]
    try:
        text = read_part(vault.locate(named[0] if named else "self/identity.md"))
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, OutsideVault):
        return False  # It is there and cannot be read; that is told where it is read for the brief.
    return FIRST_SESSION in text or not _identity(text)


@define
class _Draft:
    vault: Vault
    now: datetime.datetime
    sections: dict[str, list[str]] = field(factory=dict)
    notices: list[str] = field(factory=list)
    _caps: dict[str, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.notices += self.vault.warnings

    def take(self, source: WakeSource) -> None:
        """Add what one file gives. A missing one gives nothing."""
        section = _SECTION_OF[source.role]
        self._caps[section] = min(self._caps.get(section, 0) + max(source.cap, 0), LADDER[section])
        try:
            text = read_part(self.vault.locate(source.path), from_end=source.mode == "tail")
        except (FileNotFoundError, NotADirectoryError):
            return
        except (OSError, OutsideVault) as error:
            self.notices.append(f"{source.path} cannot be read: {getattr(error, 'strerror', None) or error}")
            return
        self.sections.setdefault(section, []).extend(self._lines(source, text))

    def _lines(self, source: WakeSource, text: str) -> list[str]:
        today = self.now.date()
        if source.mode == "due-scan":
            shown = worth_showing(read_reminders(visible_lines(text), today), today)
            return [wording(one, today) for one in shown][: max(source.cap, 0)]
        if source.role == "identity":
            return _identity(text)[: max(source.cap, 0)]
        # The file's own title would say again what the section's title says.
        lines = [line for line in visible_lines(text) if heading_level(line) != 1]
        if source.mode == "tail":
            return lines[-source.cap :] if source.cap > 0 else []
        return lines[: max(source.cap, 0)]

    def glance(self) -> None:
        """What the index and the learned store tell, where they are there."""
        from ori_memory.index.glancing import glance_at

        found = glance_at(self.vault.index_path, self.vault.learned_path, self.now, LADDER[WARM])
        if isinstance(found, str):
            self.notices.append(f"No warm notes and no figures: {found}. `ori index build` makes it.")
            return
        if found.problem:
            self.notices.append(f"No warm notes: {found.problem}.")
        self.sections[WARM] = list(
            without_secrets(f"{note.title} ({note.path}, {note.boost:.2f})" for note in found.warm)
        )
        self.sections[VITALS] = _vitals(found)

    def finished(self) -> dict[str, list[str]]:
        """Sections in their order, each within its own limit, none that is empty."""
        self.sections[NOTICES] = list(without_secrets(self.notices))
        return {
            name: self.sections[name][: self._caps.get(name, most)]
            for name, most in LADDER.items()
            if self.sections.get(name) and self._caps.get(name, most) > 0
        } | ({IDENTITY: self.sections[IDENTITY][:1]} if self.sections.get(IDENTITY) else {})


def _identity(text: str) -> list[str]:
    return [line for line in visible_lines(text) if not heading_level(line) and line.strip(" -*_=")]


def _vitals(found: Glance) -> list[str]:
    lines = [f"{found.notes:,} notes, {found.inbox:,} in the inbox (index of {found.synced:%Y-%m-%d %H:%M} UTC)"]
    if found.dangling or found.orphans:
        lines.append(
            f"{found.dangling:,} names are linked that no note has, {found.orphans:,} notes are linked by none"
        )
    if found.unreadable:
        lines.append(f"{found.unreadable:,} files cannot be read as notes: ori health")
    return lines


def _fit(sections: dict[str, list[str]], budget: int) -> list[str]:
    """Drop whole sections until the rest fits; what is left of it may still be cut at its end."""
    dropped = []
    for name in DROPPED_FIRST:
        if len(_laid_out(sections)) <= budget:
            break
        if sections.pop(name, None) is not None:
            dropped.append(name)
    return dropped


def _laid_out(sections: Mapping[str, Sequence[str]]) -> list[str]:
    lines: list[str] = []
    for name in LADDER:
        if name in sections:
            lines += [f"## {_TITLES[name]}"] if _TITLES[name] else []
            lines += sections[name]
    return lines
