"""Running a command line: whatever goes wrong is a line on standard error and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

from aries_kernel.console.streams import abandon_output, mend_streams
from aries_kernel.errors import AriesError, UserError
from aries_kernel.tools.output import escape_controls

__all__ = ["DEFECT", "FAILED", "INTERRUPTED", "OK", "USER_ERROR", "code_of", "run_command_line"]

OK = 0
FAILED = 1
USER_ERROR = 2
DEFECT = 70
INTERRUPTED = 130

Report = Callable[[str, int], None]


def code_of(error: AriesError) -> int:
    """The exit code for an error that ends the program."""
    return USER_ERROR if isinstance(error, UserError) else FAILED


def run_command_line(
    command: click.Command, arguments: Sequence[str], name: str, report: Report = lambda message, code: None
) -> int:
    """Run `command` and give its exit code.

    `report` is told of a failure after standard error was: to put a document on standard output for whoever reads it.
    """
    mend_streams()
    try:
        message, code = _run(command, arguments, name)
    except BrokenPipeError:
        # The reader went away, as `head` does; nothing is left to be said to it.
        abandon_output()
        return FAILED
    if message is None:
        return code
    if code == INTERRUPTED and sys.stderr.isatty():
        sys.stderr.write("\n")  # The cursor stands behind what was asked, or behind ^C.
    for line in message.splitlines():
        sys.stderr.write(f"{name}: {escape_controls(line)}\n")
    try:
        report(message, code)
        sys.stdout.flush()
    except OSError:
        # Standard output does not take it, as with a full disk; the exit code and standard error say what happened.
        abandon_output()
    return code


def _run(command: click.Command, arguments: Sequence[str], name: str) -> tuple[str | None, int]:
    try:
        code = command.main(args=list(arguments), prog_name=name, standalone_mode=False)
        sys.stdout.flush()
        return None, code if isinstance(code, int) else OK
    except AriesError as error:
        return " ".join([str(error), *getattr(error, "__notes__", ())]), code_of(error)
    except click.exceptions.Exit as error:
        return None, error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n\n")
        return _needs_command(error.ctx), USER_ERROR
    except click.UsageError as error:
        usage = f" See: {error.ctx.command_path} --help" if error.ctx else ""
        return error.format_message() + usage, USER_ERROR
    except (click.exceptions.Abort, KeyboardInterrupt):
        return "Interrupted.", INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror or error
        return f"The system refuses: {what}.", FAILED
    except Exception as error:
        import traceback

        traceback.print_exc()
        return f"A defect of {name}, please report it: {type(error).__name__}: {error}", DEFECT


def _needs_command(ctx: click.Context | None) -> str:
    """What is missing where a group was named alone; its help says the rest."""
    if ctx is None or not isinstance(ctx.command, click.Group):
        return "Something is missing."
    return f"{ctx.command_path} needs a command: {', '.join(ctx.command.list_commands(ctx))}."
