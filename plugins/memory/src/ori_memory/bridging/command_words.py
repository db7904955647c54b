"""The words with which a client starts ori, and how ours are known again."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting

__all__ = [
    "SERVER_NAME",
    "hook_of",
    "hook_words",
    "is_passing_place",
    "is_server",
    "own_command",
    "server_words",
    "shell_text",
    "vault_in",
    "words_in",
]

SERVER_NAME = "ori"
_HOOK = re.compile(
    r"\bhook[\"']? [\"']?(?P<moment>orient|validate|capture)[\"']? [\"']?--client[\"']? [\"']?(?P<client>[a-z-]+)"
)
_OURS = re.compile(r"(?:^|[/\\])ori(?:\.exe)?$|^ori_memory$")
_PASSING = ("archive-v0", "environments-v2", "builds-v0")
"""Folders of uv from which an environment may vanish at any time."""


def own_command(program: str = sys.executable) -> tuple[str, ...]:
    """What runs this ori again, by absolute path: clients do not have the person's PATH."""
    # Not resolved: the Python of an environment is a link, and its target knows nothing of the environment.
    folder = Path(program).absolute().parent
    for name in ("ori", "ori.exe"):
        if (folder / name).is_file():
            return (str(folder / name),)
    return (str(folder / Path(program).name), "-m", "ori_memory")


def is_passing_place(command: Sequence[str]) -> bool:
    """Whether the program lies in an environment that a tool made for one run."""
    return any(part in _PASSING for part in Path(command[0]).parts)


def server_words(setting: Setting) -> tuple[str, ...]:
    """What a client starts as a server."""
    vault = ("--vault", str(setting.vault)) if setting.vault else ()
    return (*setting.command, "serve", "--mcp", "--profile", "slim", *vault)


def hook_words(setting: Setting, moment: str, client: str) -> tuple[str, ...]:
    """What a client starts at a moment."""
    vault = ("--vault", str(setting.vault)) if setting.vault else ()
    return (*setting.command, "hook", moment, "--client", client, *vault)


def shell_text(words: Sequence[str], platform: str) -> str:
    """The words as one line for the shell of a client that takes nothing else."""
    if platform != "win32":
        return shlex.join(words)
    # Clients run hooks by cmd or by a Bash there; both take quotation marks and forward slashes.
    plain = [word.replace("\\", "/") for word in words]
    return " ".join(f'"{word}"' if re.search(r"[^\w./:=+-]", word, re.ASCII) else word for word in plain)


def hook_of(command: object) -> str | None:
    """The moment that a command of a hook is for; None where it is not ours."""
    text = " ".join(map(str, command)) if isinstance(command, list | tuple) else str(command)
    found = _HOOK.search(text)
    return found["moment"] if found else None


def words_in(entry: object) -> list[str]:
    """The command and arguments that an entry for a server holds, under whatever names."""
    return list(_words(entry))


def is_server(entry: object) -> bool:
    """Whether an entry for a server starts ori."""
    words = words_in(entry)
    return "serve" in words and "--mcp" in words and any(_OURS.search(word) for word in words)


def vault_in(words: Sequence[str]) -> str | None:
    """The vault that is named among words, or in a line for a shell."""
    parts = list(words)
    if len(parts) == 1 and " " in parts[0]:
        try:
            parts = shlex.split(parts[0])
        except ValueError:
            return None
    return parts[parts.index("--vault") + 1] if "--vault" in parts[:-1] else None


def _words(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, list | tuple):
        for one in entry:
            yield from _words(one)
    elif isinstance(entry, Mapping):
        named: Mapping[Any, Any] = entry
        for name in ("transport", "command", "cmd", "path", "args"):
            if name in named:
                yield from _words(named[name])
