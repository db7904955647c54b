"""Running a hook: quick, quiet, never in the client's way, never twice inside itself."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, MutableMapping
from pathlib import Path

from aries_kernel.errors import AriesError
from ori_memory.hooks.payload import Payload, first_existing, parse_payload, read_payload
from ori_memory.hooks.speaking import client_of, context_document
from ori_memory.vault.finding import NoVault, find_vault
from ori_memory.vault.vault import Vault

__all__ = ["INSIDE", "SECONDS", "run_hook"]

INSIDE = "ORI_INSIDE_HOOK"
"""Set for whatever a hook starts: a hook that is started by it does nothing."""
SECONDS = "ORI_HOOK_SECONDS"
"""After so many a hook is left, where the client grants more, or less, than usual."""
_LONGEST_SECONDS = 2.5
"""Clients kill a hook at the end of a session after 3 s; what is written by then is whole."""
_INPUT_SECONDS = 0.5

Work = Callable[[Vault, Payload, str], str]
"""Vault, payload and client give what is to be told, or an empty text."""


def run_hook(
    work: Work,
    *,
    event: str,
    document: str,
    client: str,
    vault_flag: str | None,
    cwd: Path,
    home: Path,
    environ: MutableMapping[str, str],
) -> None:
    """Do what the hook is for and print one JSON document or nothing. `event`: as clients call the moment.

    `document`: what the client sends, where it does not come on standard input. Whatever goes wrong is told on standard
    error; the client goes on.
    """
    if environ.get(INSIDE):
        return
    environ[INSIDE] = "1"
    seconds = _seconds(environ)
    timer = threading.Timer(seconds, _give_up, (seconds,))
    timer.daemon = True
    timer.start()
    try:
        payload = parse_payload(document) if document else _from_input()
        client = client_of(client, payload)
        vault = _vault(vault_flag, payload, cwd, home, environ)
        told = work(vault, payload, client) if vault is not None else ""
        if told:
            answer = context_document(client, payload.event or event, told)
            sys.stdout.write(json.dumps(answer, ensure_ascii=True) + "\n")
            sys.stdout.flush()
    except (AriesError, OSError) as error:
        sys.stderr.write(f"ori: {error}\n")
    finally:
        timer.cancel()


def _from_input() -> Payload:
    return Payload() if sys.stdin.isatty() else read_payload(sys.stdin.fileno(), _INPUT_SECONDS)


def _vault(
    flag: str | None, payload: Payload, cwd: Path, home: Path, environ: MutableMapping[str, str]
) -> Vault | None:
    """The vault of the folder that the client works in; none: there is nothing to do. A named one must be there."""
    project = environ.get("CLAUDE_PROJECT_DIR") or environ.get("GEMINI_PROJECT_DIR")
    folder = first_existing(payload.folders()) or (Path(project) if project else cwd)
    try:
        return find_vault(flag, environ, folder, home).vault
    except NoVault:
        if flag or environ.get("ORI_VAULT"):
            raise
        return None


def _seconds(environ: MutableMapping[str, str]) -> float:
    try:
        seconds = float(environ.get(SECONDS, _LONGEST_SECONDS))
    except ValueError:
        seconds = 0.0
    if 0 < seconds < threading.TIMEOUT_MAX:
        return seconds
    sys.stderr.write(f"ori: {SECONDS} is no number of seconds; {_LONGEST_SECONDS:g} are taken.\n")
    return _LONGEST_SECONDS


def _give_up(seconds: float) -> None:
    sys.stderr.write(f"ori: the hook took longer than {seconds:g} s and was left.\n")
    sys.stderr.flush()
    os._exit(0)
