"""How the vault is: what needs care, and what can be mended without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from ori_memory.memory import Memory

__all__ = ["Health", "Status", "health", "mend", "status"]

_FADING = 0.2
_MANY_SESSIONS = 20


@frozen
class Status:
    """A vault at a glance."""

    vault: str
    id: str
    notes: int
    inbox: int
    orphans: int
    dangling: int


@frozen
class Health:
    """What needs care."""

    notes: int
    orphans: tuple[str, ...]
    dangling: tuple[tuple[str, tuple[str, ...]], ...]
    """Targets that lead nowhere, each with the notes that link to it."""
    ambiguous: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Note, target, and the notes that answer to it."""
    invalid: tuple[tuple[str, tuple[str, ...]], ...]
    odd: tuple[tuple[str, str], ...]
    """Notes whose bytes are not what they should be: another encoding, zero bytes, very large."""
    fading: tuple[tuple[str, float], ...]
    quarantined: tuple[tuple[str, str], ...]
    learned: str
    """`ok`, `absent`, or what is wrong with the learned store."""
    learned_orphans: tuple[str, ...]
    silent_evidence: tuple[str, ...] = ()
    """Kinds of evidence that have found nothing in all the sessions they looked at: something does not reach them."""
    mended: tuple[str, ...] = ()
    copies: tuple[tuple[str, str], ...] = ()
    """Notes that a synchroniser kept beside another one, each with that one: the same note, written in two places."""


def status(memory: Memory) -> Status:
    """Counts, from the index alone."""
    counts = memory.index.counts()
    return Status(str(memory.vault.root), memory.vault.id, counts.notes, counts.inbox, counts.unlinked, counts.dangling)


def health(memory: Memory) -> Health:
    """Everything that needs care; changes nothing."""
    from ori_memory.operations.validating import validate_all

    index = memory.index
    learned = memory.learned.status()
    known = [note.id for note in index.notes()]
    validated = validate_all(memory)
    return Health(
        notes=index.counts().notes,
        orphans=memory.orphans(),
        dangling=tuple((one.target, tuple(one.sources)) for one in index.dangling()),
        ambiguous=tuple((one.link.source, one.link.link.target, one.candidates) for one in index.ambiguous()),
        invalid=tuple((one.path, one.errors) for one in validated if one.errors),
        odd=tuple((one.path, one.remark) for one in validated if one.remark),
        fading=_fading(memory),
        quarantined=tuple((one.path, one.reason) for one in index.status().quarantine),
        learned=learned.soundness,
        learned_orphans=memory.learned.orphans(known),
        silent_evidence=_silent(memory),
        copies=_copies(memory),
    )


def mend(memory: Memory) -> tuple[str, ...]:
    """Do what is safe: finish a move that was cut short, rebuild the index. Gives what was done."""
    from ori_memory.operations.moving import finish_moves
    from ori_memory.operations.writing import writing

    done = []
    if (memory.vault.state_folder / "moving.json").is_file():
        with writing(memory.vault):
            finish_moves(memory)
        done.append("finished a move that was cut short")
    memory.sync(force=True)
    done.append("looked into every file again")
    return tuple(done)


def _copies(memory: Memory) -> tuple[tuple[str, str], ...]:
    from ori_memory.operations.merge_traces import original_of

    paths = {note.path: None for note in memory.index.notes()}
    found = ((path, original_of(path, paths)) for path in paths)
    return tuple((path, original) for path, original in found if original)


def _silent(memory: Memory) -> tuple[str, ...]:
    wanted = memory.vault.config.learning.evidence
    counts = memory.learned.evidence().items()
    return tuple(
        sorted(
            name
            for name, one in counts
            if wanted.get(name, 0) > 0 and one.sessions >= _MANY_SESSIONS and not one.credits
        )
    )


def _fading(memory: Memory) -> tuple[tuple[str, float], ...]:
    from ori_memory.graph.vitality import exponential_vitality

    now = memory.now()
    values = ((note.path, exponential_vitality(note, now)) for note in memory.index.notes() if note.space == "notes")
    return tuple(
        sorted(
            ((path, round(value, 4)) for path, value in values if value is not None and value < _FADING),
            key=lambda one: (one[1], one[0]),
        )
    )
