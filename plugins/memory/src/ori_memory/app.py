"""The command line of ori: which vault, which form of output, commands found through entry points."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
from attrs import field

from aries_kernel.console.group import EntryPointGroup
from aries_kernel.console.running import DEFECT, FAILED, INTERRUPTED, OK, USER_ERROR, run_command_line
from aries_kernel.errors import UserError
from aries_kernel.values import frozen
from ori_memory import __version__
from ori_memory.answer import print_failure
from ori_memory.vault.finding import find_vault
from ori_memory.vault.vault import Vault

if TYPE_CHECKING:
    from aries_kernel.discovery.registry import Plugins

__all__ = ["COMMANDS", "Context", "answering", "main", "plugins", "run"]

COMMANDS = {
    "add": "ori_memory.commands.add:add",
    "archive": "ori_memory.commands.archive:archive",
    "backup": "ori_memory.commands.backup:backup",
    "bridge": "ori_memory.commands.bridge:bridge",
    "doctor": "ori_memory.commands.status:doctor",
    "eval": "ori_memory.commands.eval:eval_command",
    "explore": "ori_memory.commands.explore:explore",
    "explore-conclude": "ori_memory.commands.explore_session:explore_conclude",
    "explore-expand": "ori_memory.commands.explore_session:explore_expand",
    "explore-start": "ori_memory.commands.explore_session:explore_start",
    "forget": "ori_memory.commands.forget:forget",
    "graph": "ori_memory.commands.graph:graph",
    "health": "ori_memory.commands.status:health",
    "hook": "ori_memory.commands.hook:hook",
    "import": "ori_memory.commands.import_:import_command",
    "index": "ori_memory.commands.index:index",
    "init": "ori_memory.commands.init:init",
    "learned": "ori_memory.commands.learned:learned",
    "mv": "ori_memory.commands.mv:mv",
    "promote": "ori_memory.commands.promote:promote",
    "prune": "ori_memory.commands.archive:prune",
    "query": "ori_memory.commands.query:query",
    "read": "ori_memory.commands.read:read",
    "restore": "ori_memory.commands.restore:restore",
    "serve": "ori_memory.commands.serve:serve",
    "sql": "ori_memory.commands.sql:sql",
    "status": "ori_memory.commands.status:status",
    "update": "ori_memory.commands.update:update",
    "validate": "ori_memory.commands.validate:validate",
    "wake": "ori_memory.commands.wake:wake_command",
}
"""Commands of this distribution, as its entry points have them; they run without a look at what else is installed."""

PROTOCOL = ("hook", "serve")
"""Commands whose standard output is read by a program that expects nothing else there."""

EXIT_CODES = {
    OK: "done",
    FAILED: "it could not be done, or something needs care (validate, health --strict)",
    USER_ERROR: "a wrong argument, name or setting; nothing was changed",
    DEFECT: "a defect of ori itself",
    INTERRUPTED: "interrupted",
}


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UserError("The working directory is no longer there. Change to one that is, and try again.") from error


@frozen
class Context:
    """What every command is given: the vault, found once, and how to answer."""

    vault_flag: str | None
    wants_json: bool
    is_json_asked: bool = False
    """Somebody said `--json`; it is not only that standard output is no terminal."""
    cwd: Path = field(factory=_working_directory)
    home: Path = field(factory=Path.home)

    @property
    def session(self) -> str:
        """The session that this command belongs to."""
        from ori_memory.learning.sessions import terminal_session

        return terminal_session(os.environ)

    def vault(self) -> Vault:
        """The vault that is meant.

        Raises: NoVault, ConfigError.
        """
        return find_vault(self.vault_flag, os.environ, self.cwd, self.home).vault


def answering(function: Callable[..., int]) -> Callable[..., int]:
    """A command that prints an answer: adds `--json/--text` and gives the function its Context."""

    @click.option("--json/--text", "as_json", default=None, help="JSON or text; JSON where it is no terminal.")
    @click.pass_obj
    @functools.wraps(function)
    def wrapped(context: Context, /, as_json: bool | None, **arguments: Any) -> int:
        wants = context.wants_json if as_json is None else as_json
        asked = context.is_json_asked if as_json is None else as_json
        return function(attrs.evolve(context, wants_json=wants, is_json_asked=asked), **arguments)

    return wrapped


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code."""

    command = _command(arguments)

    def report(message: str, code: int) -> None:
        if command in PROTOCOL:
            return
        if "--json" in arguments or ("--text" not in arguments and not sys.stdout.isatty()):
            print_failure(message)

    code = run_command_line(main, arguments, "ori", report)
    # A client takes some codes of a hook for an order to stop.
    return OK if command == "hook" and "--help" not in arguments else code


ELSEWHERE = {
    **dict.fromkeys(("orient", "brief"), "ori wake"),
    **dict.fromkeys(("search", "find", "ask", "ranked"), "ori query ranked"),
    **{name: f"ori query {name}" for name in ("similar", "important", "fading", "warm", "orphans", "dangling")},
    **{"backlinks": "ori query backlinks", "cross-project": "ori query cross-project", "warmth": "ori query warm"},
    **dict.fromkeys(("show", "get", "cat"), "ori read"),
    **dict.fromkeys(("move", "rename"), "ori mv"),
}
"""What a server's tools, a shell and the reference call commands by; `orient` looks most like `forget`."""


def _command(arguments: Sequence[str]) -> str:
    """The name of the command that is meant."""
    words = iter(arguments)
    for word in words:
        if word == "--vault":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


@functools.cache
def plugins() -> Plugins:
    """What is installed, found once a process."""
    from aries_kernel.discovery.registry import Plugins
    from ori_memory.cache_folder import cache_folder

    return Plugins.discover(cache_folder=cache_folder())


@click.group(
    cls=EntryPointGroup,
    entry_points="ori.commands",
    owner="ori-memory",
    plugins=plugins,
    built_in=COMMANDS,
    exit_codes=EXIT_CODES,
    elsewhere=ELSEWHERE,
    hint=lambda words: f" To keep a note: ori add '{' '.join(words)}'",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", prog_name="ori", message="%(prog)s %(version)s")
@click.option("--vault", metavar="DIR", help="The vault; otherwise ORI_VAULT, the folder above, or ~/.ori-memory.")
@click.option("--json/--text", "as_json", default=None, help="JSON or text; JSON where standard output is no terminal.")
@click.pass_context
def main(ctx: click.Context, vault: str | None, as_json: bool | None) -> None:
    """Memory that an agent keeps: markdown notes with links in a folder you own."""
    ctx.obj = Context(vault, as_json if as_json is not None else not sys.stdout.isatty(), as_json is True)
