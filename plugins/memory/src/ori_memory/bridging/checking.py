"""Whether what was installed works: the server is started as the client would, and the client is asked."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from attrs import frozen

from aries_kernel.contracts.bridge import BridgeState, ClientCheck, Setting

__all__ = ["ClientCommand", "checks_of"]

_SECONDS = 60
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\r")
_GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "ori-bridge-verify", "version": "1"},
    },
}


@frozen
class ClientCommand:
    """A command of the client. `good` and `bad` are looked for in the lines that name our server."""

    words: tuple[str, ...]
    good: str
    bad: str = r"(?i)fail|error|disconnected|not found|pending|disabled|needs|untrusted"
    is_health: bool = True
    """It starts the server; else it only lists it."""
    is_ours_alone: bool = False
    """It was asked about our server, so that every line is about it."""


def checks_of(state: BridgeState, setting: Setting, title: str, asks: ClientCommand | None) -> tuple[ClientCheck, ...]:
    """All checks, cheapest first."""
    if not state.is_installed:
        detail = "; ".join(state.problems) or "Install it first: ori bridge NAME."
        return (ClientCheck("installed", False, detail),)
    installed = ClientCheck("installed", not state.problems, "; ".join((*map(str, state.paths), *state.problems)))
    return (installed, _server(state, setting), _client(setting, title, asks))


def _server(state: BridgeState, setting: Setting) -> ClientCheck:
    """Started with the words that the file holds, where those start this ori: anyone may write such a file."""
    name = "server answers"
    program = state.command[0]
    if not shutil.which(program, path=setting.environ.get("PATH")):
        return ClientCheck(name, False, f"{program} is not there; install the bridge again.")
    if state.command[: len(setting.command)] != setting.command:
        return ClientCheck(
            name, None, f"{program} is another ori, which was not started; install again to put this one in."
        )
    lines = json.dumps(_GREETING) + "\n"
    try:
        done = subprocess.run(
            list(state.command),
            input=lines.encode(),
            capture_output=True,
            timeout=_SECONDS,
            cwd=_folder(setting),
            env=dict(setting.environ),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return ClientCheck(name, False, f"{program}: {error}")
    try:
        told = json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]
        return ClientCheck(name, True, f"{told['name']} {told['version']}")
    except (ValueError, KeyError, TypeError, IndexError):
        return ClientCheck(name, False, _tail(done.stderr) or f"it ended with {done.returncode} and said nothing")


def _client(setting: Setting, title: str, asks: ClientCommand | None) -> ClientCheck:
    if asks is None:
        return ClientCheck("client", None, f"{title} has no command that tells; look at its list of servers.")
    name = " ".join(asks.words)
    program = shutil.which(asks.words[0], path=setting.environ.get("PATH"))
    if program is None:
        return ClientCheck(name, None, f"{asks.words[0]} is not in PATH.")
    try:
        done = subprocess.run(
            [program, *asks.words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            cwd=_folder(setting),
            env=dict(setting.environ),
        )
    except subprocess.TimeoutExpired:
        return ClientCheck(name, False, f"no answer within {_SECONDS} s")
    except OSError as error:
        return ClientCheck(name, None, f"it cannot be started: {error}")
    return _judged(name, asks, _ESCAPES.sub("", (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace")))


def _judged(name: str, asks: ClientCommand, output: str) -> ClientCheck:
    lines = [line.strip() for line in output.splitlines()]
    ours = [line for line in lines if (line and asks.is_ours_alone) or re.search(r"(?<![\w/.-])ori\b(?![\w/.-])", line)]
    for line in ours:
        # The path of the program may hold any word; what the client says stands around it.
        if re.search(asks.bad, re.sub(r"\S*[/\\]\S*", "", line)):
            return ClientCheck(name, False, line)
    for line in ours:
        if re.search(asks.good, line):
            return ClientCheck(name, True, line if asks.is_health else f"{line} (listed; it does not start it)")
    return ClientCheck(name, False, " / ".join(ours or lines[-3:]) or "it says nothing of ori")


def _folder(setting: Setting) -> Path:
    return setting.project if setting.scope == "project" else setting.home


def _tail(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
