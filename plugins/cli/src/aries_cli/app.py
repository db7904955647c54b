"""The command line: flags, commands found through entry points, errors as one line and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

import attrs
import click

from aries_cli.exit_codes import EXIT_CODES
from aries_cli.opening import Flags, real_surroundings
from aries_kernel import __version__
from aries_kernel.console.group import EntryPointGroup
from aries_kernel.console.running import OK, run_command_line
from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import UserError

__all__ = ["main", "run"]


def run(arguments: Sequence[str]) -> int:
    """Run one command line and give its exit code; what went wrong is on standard error."""

    def report(message: str, code: int) -> None:
        if _wants_document(arguments):
            from aries_cli.headless import print_document
            from aries_cli.result import error_document

            # Whoever reads documents gets one, also when no session came about.
            print_document(error_document(message, code))

    return run_command_line(main, arguments, "aries", report)


def _wants_document(arguments: Sequence[str]) -> bool:
    """Whether `--output-format` names a format of documents, also where the arguments could not be parsed."""
    wanted = ""
    for one, following in zip(arguments, [*arguments[1:], ""], strict=False):
        flag, _, value = one.partition("=")
        if flag == "--output-format":
            wanted = value or following
    return wanted in ("json", "stream-json")


def _plugins() -> Plugins:
    surroundings = real_surroundings()
    return Plugins.discover(cache_folder=surroundings.cache_folder, environ=surroundings.environ)


@click.group(
    cls=EntryPointGroup,
    entry_points="aries.commands",
    owner="aries-cli",
    plugins=_plugins,
    exit_codes=EXIT_CODES,
    hint=lambda words: f" To give a prompt: aries -p '{' '.join(words)}'",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", prog_name="aries", message="%(prog)s %(version)s")
@click.option("-p", "--prompt", metavar="PROMPT", help="Run one prompt and leave. '-' reads it from standard input.")
@click.option("--image", "images", metavar="FILE", multiple=True, help="With -p: show the model this picture.")
@click.option("--stdin", "waits", is_flag=True, help="Wait for standard input and add it to the prompt.")
@click.option(
    "--output-format",
    "output",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    show_default=True,
    help="What -p prints: the answer, one result object, or every event as a line of JSON.",
)
@click.option("-m", "--model", metavar="MODEL", help="The model of this session: provider/model, or a shortname.")
@click.option("--effort", type=click.Choice(["low", "medium", "high", "max"]), help="How hard the model thinks.")
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
    if options["images"] and prompt is None:
        raise UserError("--image goes with a prompt: aries -p 'What is wrong here?' --image shot.png")
    where = target(flags, surroundings, continues=options["continues"], resume=options["resume"], fork=options["fork"])
    if prompt is not None:
        from aries_cli.headless import run_headless

        return run_headless(prompt, where, surroundings, cast(Any, options["output"]), options["images"])
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
