"""A command line whose commands are entry points: listed from the index, imported when they run."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from aries_kernel.errors import PluginError, UnknownName, UserError

if TYPE_CHECKING:
    from aries_kernel.discovery.registry import Plugins

__all__ = ["EntryPointGroup"]


class EntryPointGroup(click.Group):
    """A click group over one entry-point group.

    `owner` is the distribution whose commands stay its own though a stranger offers the name too: one of them may be
    the command that tells. Those named in `built_in`, each with its `module:attribute`, run without a look at what is
    installed, which would take longer than they do. `hint` turns words that are no command into advice. `elsewhere`
    tells what a name that people try is called here: one that merely looks alike may do harm.
    """

    def __init__(
        self,
        *args: Any,
        entry_points: str,
        owner: str,
        plugins: Callable[[], Plugins],
        exit_codes: Mapping[int, str],
        built_in: Mapping[str, str] | None = None,
        hint: Callable[[list[str]], str] = lambda words: "",
        elsewhere: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self._entry_points, self._owner, self._plugins = entry_points, owner, plugins
        self._exit_codes, self._hint, self._elsewhere = exit_codes, hint, elsewhere or {}
        self._built_in = built_in or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({entry.name for entry in self._plugins().entries() if entry.group == self._entry_points})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        try:
            command = self._load(cmd_name)
        except UnknownName:
            return None
        if not isinstance(command, click.Command):
            where = f"{self._entry_points}/{cmd_name}"
            raise PluginError(f"The command {cmd_name} is not a click command.", distribution="", entry_point=where)
        return command

    def _load(self, name: str) -> object:
        if name in self._built_in:
            return _attribute(self._built_in[name])
        plugins = self._plugins()
        try:
            return plugins.drivers.load(self._entry_points, name)
        except PluginError as error:
            for entry in plugins.entries():
                if (entry.group, entry.name, entry.distribution) == (self._entry_points, name, self._owner):
                    sys.stderr.write(f"{error}\n")
                    return _attribute(entry.value)
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            known = self.list_commands(ctx)
            if args and args[0] in self._elsewhere:
                raise UserError(f"There is no command '{args[0]}': it is `{self._elsewhere[args[0]]}`.") from error
            if args and args[0] not in known and not args[0].startswith("-"):
                raise UserError(f"{UnknownName('command', args[0], known)}{self._hint(args)}") from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            try:
                command = self.get_command(ctx, name)
            except PluginError as error:
                rows.append((name, f"(broken: {error})"))
            else:
                rows.append((name, command.get_short_help_str(90) if command else ""))
        for title, lines in (
            ("Commands", rows),
            ("Exit codes", [(str(code), text) for code, text in self._exit_codes.items()]),
        ):
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines)


def _attribute(value: str) -> object:
    module, _, attribute = value.partition(":")
    return getattr(importlib.import_module(module), attribute)
