"""The command line: flags, commands found through entry points, errors as one line and an exit code."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Sequence
from typing import Any, cast

import attrs
import click

from aries_cli.exit_codes import DEFECT, EXIT_CODES, FAILED, INTERRUPTED, OK, USER_ERROR
from aries_cli.opening import Flags, real_surroundings
from aries_cli.streams import abandon_output, mend_streams
from aries_kernel import __version__
from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import AriesError, PluginError, UnknownName, UserError
from aries_kernel.tools.output import escape_controls

__all__ = ["code_of", "main", "run"]

GROUP = "aries.commands"


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code; what went wrong is on standard error."""
    mend_streams()
    try:
        code = main.main(args=list(arguments), prog_name="aries", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else OK
    except AriesError as error:
        return _failed(" ".join([str(error), *getattr(error, "__notes__", ())]), code_of(error), arguments)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.UsageError as error:
        usage = f" See: {error.ctx.command_path} --help" if error.ctx else ""
        return _failed(error.format_message() + usage, USER_ERROR, arguments)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _failed("Interrupted.", INTERRUPTED, arguments)
    except BrokenPipeError:
        # The reader went away, as `head` does; nothing is left to be said to it.
        abandon_output()
        return FAILED
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename is not None else str(error)
        return _failed(f"The system refuses: {what}.", FAILED, arguments)
    except Exception as error:
        traceback.print_exc()
        return _failed(f"A defect of aries, please report it: {type(error).__name__}: {error}", DEFECT, arguments)


def code_of(error: AriesError) -> int:
    """The exit code for an error that ends the program."""
    return USER_ERROR if isinstance(error, UserError) else FAILED


def _failed(message: str, code: int, arguments: Sequence[str]) -> int:
    for line in message.splitlines():
        sys.stderr.write(f"aries: {escape_controls(line)}\n")
    try:
        if _wants_document(arguments):
            from aries_cli.headless import print_document
            from aries_cli.result import error_document

            # Whoever reads documents gets one, also when no session came about.
            print_document(error_document(message, code))
        sys.stdout.flush()
    except OSError:
        # Standard output does not take it, as with a full disk; the exit code and standard error say what happened.
        abandon_output()
    return code


def _wants_document(arguments: Sequence[str]) -> bool:
    """Whether `--output-format` names a format of documents, also where the arguments could not be parsed."""
    wanted = ""
    for one, following in zip(arguments, [*arguments[1:], ""], strict=False):
        flag, _, value = one.partition("=")
        if flag == "--output-format":
            wanted = value or following
    return wanted in ("json", "stream-json")


class _Commands(click.Group):
    """Commands by entry point: listed from the index, imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({entry.name for entry in _plugins().entries() if entry.group == GROUP})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        try:
            command = _load(cmd_name)
        except UnknownName:
            return None
        if not isinstance(command, click.Command):
            raise PluginError(
                f"The command {cmd_name} is not a click command.", distribution="", entry_point=f"{GROUP}/{cmd_name}"
            )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            known = self.list_commands(ctx)
            if args and args[0] not in known and not args[0].startswith("-"):
                raise UserError(
                    f"{UnknownName('command', args[0], known)} To give a prompt: aries -p '{' '.join(args)}'"
                ) from error
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
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), text) for code, text in EXIT_CODES.items()])


def _plugins() -> Plugins:
    surroundings = real_surroundings()
    return Plugins.discover(cache_folder=surroundings.cache_folder, environ=surroundings.environ)


def _load(name: str) -> object:
    """The command `name`. One of ours stays ours though a stranger offers the name too: it may be the one that tells.

    Raises: UnknownName, PluginError.
    """
    plugins = _plugins()
    try:
        return plugins.drivers.load(GROUP, name)
    except PluginError as error:
        for entry in plugins.entries():
            if (entry.group, entry.name, entry.distribution) == (GROUP, name, "aries-cli"):
                sys.stderr.write(f"aries: {error}\n")
                module, _, attribute = entry.value.partition(":")
                return getattr(importlib.import_module(module), attribute)
        raise


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="aries", message="%(prog)s %(version)s")
@click.option("-p", "--prompt", metavar="PROMPT", help="Run one prompt and leave. '-' reads it from standard input.")
@click.option("--stdin", "waits", is_flag=True, help="Wait for standard input and add it to the prompt.")
@click.option(
    "--output-format",
    "output",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    show_default=True,
    help="What -p prints: the answer, one result object, or every event as a line of JSON.",
)
@click.option("-m", "--model", metavar="PROVIDER/MODEL", help="The model of this session.")
@click.option("--cwd", metavar="DIR", help="The folder to work in; the current one if not given.")
@click.option("-c", "--continue", "continues", is_flag=True, help="Go on with the newest session of this folder.")
@click.option("-r", "--resume", metavar="ID", help="Go on with this session; a unique beginning of its id will do.")
@click.option("--fork", is_flag=True, help="With -c or --resume: work on a copy, leave the session as it is.")
@click.option("--phase", metavar="NAME", help="The set of tools: lean, full, plan, or one of your own.")
@click.option("--permissions", metavar="MODE", help="ask, edits, read-only or all.")
@click.option("--allow", metavar="RULE", multiple=True, help="Let calls pass that would ask, e.g. 'Bash(git status)'.")
@click.option("--deny", metavar="RULE", multiple=True, help="Calls that never pass.")
@click.option("--max-turns", type=click.IntRange(min=1), help="Most answers of the model.")
@click.option("--max-cost", type=click.FloatRange(min=0, min_open=True), help="Most US dollars.")
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), help="Most seconds.")
@click.option(
    "--disable", metavar="PLUGIN", multiple=True, help="Do not use this plugin: distribution, name, group/name."
)
@click.pass_context
def main(ctx: click.Context, /, **options: Any) -> int:
    """A coding agent in the terminal, on any model.

    Without a command: `-p` runs one prompt, a terminal starts a conversation.
    """
    flags = Flags(**{one.name: options[one.name] for one in attrs.fields(Flags)})
    ctx.obj = flags
    if ctx.invoked_subcommand is not None:
        return OK
    from aries_cli.sessions import target

    surroundings = real_surroundings()
    prompt = _prompt(options["prompt"], options["waits"])
    where = target(flags, surroundings, continues=options["continues"], resume=options["resume"], fork=options["fork"])
    if prompt is not None:
        from aries_cli.headless import run_headless

        return run_headless(prompt, where, surroundings, cast(Any, options["output"]))
    from aries_cli.chat import run_chat

    return run_chat(where, surroundings)


def _prompt(given: str | None, waits: bool) -> str | None:
    """The prompt, None for a conversation.

    Raises: UserError where there is neither a prompt nor a terminal.
    """
    from aries_cli.stdin import read_piped
    from aries_cli.terminal import is_terminal

    piped = None if sys.stdin is None or sys.stdin.isatty() else read_piped(wait=waits or given == "-")
    if given in (None, "-"):
        if piped is None and given is None and is_terminal():
            return None
        if piped is None:
            raise UserError(
                "There is no prompt. Give one with -p PROMPT, or send it through a pipe: echo PROMPT | aries"
            )
        return piped
    if not given.strip():
        raise UserError("The prompt is empty.")
    return f"{given}\n\n{piped}" if piped else given
