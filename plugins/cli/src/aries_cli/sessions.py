"""Finding the session that the flags mean."""

from __future__ import annotations

from pathlib import Path

import attrs
from attrs import frozen

from aries_cli.opening import Flags
from aries_kernel.errors import UserError
from aries_kernel.host import Surroundings
from aries_kernel.session.store import SessionStore

__all__ = ["Target", "open_store", "target"]


@frozen
class Target:
    """Where a session runs: a new one, or an old one in its own folder and with its own model."""

    cwd: Path
    flags: Flags
    resume: str | None = None
    fork: bool = False


def open_store(surroundings: Surroundings) -> SessionStore:
    """The sessions of this machine's user."""
    return SessionStore(surroundings.state_folder / "sessions", surroundings.now)


def target(flags: Flags, surroundings: Surroundings, *, continues: bool, resume: str | None, fork: bool) -> Target:
    """What `-c`, `--resume` and `--fork` ask for.

    Raises: UserError and its kinds, StoreCorrupt.
    """
    cwd = flags.folder()
    if continues and resume is not None:
        raise UserError("-c continues the newest session and --resume a named one; give one of them.")
    store = open_store(surroundings)
    id = store.newest(cwd) if continues else resume
    if id is None:
        if fork:
            raise UserError("--fork needs a session to start from: give --resume ID or -c.")
        return Target(cwd, flags)
    history = store.history(id)
    assert history.opened is not None
    if flags.cwd is None:
        cwd = Path(history.opened.cwd)
        if not cwd.is_dir():
            raise UserError(f"The folder of session {id} is gone: {cwd}. Name another one with --cwd.")
    model = flags.model or history.model
    effort = flags.effort or (history.effort if flags.model is None else None)
    return Target(cwd, attrs.evolve(flags, model=model, effort=effort), store.find(id).stem, fork)
