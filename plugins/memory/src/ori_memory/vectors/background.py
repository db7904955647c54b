"""Embedding beside everything else: a process of its own, which nobody waits for."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ori_memory.vectors.working import problem, worker

if TYPE_CHECKING:
    from aries_kernel.contracts.corpus import Vectors
    from ori_memory.vault.vault import Vault

__all__ = ["NO_BACKGROUND", "background_reason", "complete_in_background", "start_in_background"]

NO_BACKGROUND = "ORI_NO_BACKGROUND"
UNDER_WAY = "it is under way"
_AGAIN = 600.0
"""Seconds after a failure in which nothing is tried by itself: each query would start a process that fails."""


def background_reason(vault: Vault, environ: Mapping[str, str], now: float | None = None) -> str:
    """Why no process would be started for the vault, in one clause; empty: it would be. `now`: seconds since 1970."""
    folder, settings = vault.state_folder, vault.config.embedding
    if environ.get(NO_BACKGROUND, "") not in ("", "0"):
        return f"{NO_BACKGROUND} is set"
    if not settings.embedder:
        return "no embedder is set (embedding.embedder)"
    if not settings.background:
        return "it is switched off (embedding.background)"
    if not os.access(folder, os.W_OK):
        return "the vault cannot be written"
    if worker(folder) is not None:
        return UNDER_WAY
    failed = problem(folder)
    if failed is not None and 0 <= (time.time() if now is None else now) - failed.at < _AGAIN:
        return f"it failed a moment ago: {failed.reason}"
    return ""


def start_in_background(vault: Vault, environ: Mapping[str, str]) -> str:
    """Begin to embed what is missing, in a process that outlives this one; gives why not, empty where it began.

    Takes a few milliseconds. Call it where vectors are missing or stale; when another process is faster, it ends.
    """
    reason = background_reason(vault, environ)
    if reason:
        return reason
    # -P and another folder: what lies in the working directory is not to be imported, nor kept from being removed.
    command = [sys.executable, "-P", "-m", "ori_memory.vectors", str(vault.root)]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tempfile.gettempdir(),
            env=dict(environ),
            start_new_session=True,
            creationflags=_windows_flags(),
        )
    except OSError as error:
        return f"no process can be started: {error.strerror}"
    # In a server somebody must take note of its end; where the process ends first, nobody need to.
    threading.Thread(target=process.wait, name="ori-embedding", daemon=True).start()
    return ""


def complete_in_background(vault: Vault, found: Vectors | str, notes: int, environ: Mapping[str, str]) -> str:
    """After an answer: have the vectors made that it had to do without, and say so in a sentence; empty where none.

    `found`: what the answer's signals were given. `notes`: how many notes there are.
    """
    covered = 0 if isinstance(found, str) else found.covered
    if covered >= notes:
        return ""
    told = f"{covered} of {notes} notes can be found by what they mean so far"
    reason = start_in_background(vault, environ)
    if reason in ("", UNDER_WAY):
        return f"{told}; the others are being embedded in the background."
    return f"{told}: {reason}. To embed the others: ori index embed"


def _windows_flags() -> int:
    names = ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
    return sum(getattr(subprocess, name, 0) for name in names)
