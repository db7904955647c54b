"""From a command line to an open codebase, and from its answer to text or one JSON document."""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from aries_body.index.place import cache_folder
from aries_body.operations.catalogue import operations_of
from aries_body.operations.codebase import Codebase
from aries_body.operations.results import Found
from aries_body.operations.shapes import plain
from aries_kernel.console.table import table
from aries_kernel.console.width import terminal_width
from aries_kernel.tools.output import escape_controls

__all__ = ["Answerer", "about", "asking", "limited"]

_WORTH_A_BAR = 100
"""Files; fewer are read before anybody looks."""


@frozen
class Answerer:
    """The open project, and how its answer is to be printed."""

    codebase: Codebase
    wants_json: bool

    def tell(self, answer: object, text: Callable[[], str]) -> int:
        """Print an answer: as a document, or what `text` gives, with notes on standard error."""
        if self.wants_json:
            document = plain(answer, _document)
            sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        else:
            shown = escape_controls(text())
            sys.stdout.write(shown if shown.endswith("\n") or not shown else f"{shown}\n")
        for note in self.codebase.project.notes:
            sys.stderr.write(f"aries: {escape_controls(note)}\n")
        return 0

    def tell_rows(
        self,
        answer: Found[Any],
        header: Sequence[str],
        row: Callable[[Any], Sequence[object]],
        free: Sequence[str] = (),
    ) -> int:
        """Print the rows of an answer as a table; what was cut off and noted stands below."""

        def text() -> str:
            lines = []
            if answer.items:
                lines.append(table(header, [row(one) for one in answer], free=free, width=terminal_width()))
            if answer.total > len(answer.items):
                lines.append(f"{len(answer.items):,} of {answer.total:,}")
            if answer.note:
                lines.append(answer.note)
            return "\n".join(lines) or "nothing found"

        return self.tell(answer, text)


def about(operation: str) -> str:
    """The text of an operation, for the help of its command."""
    return next(one.doc for one in operations_of(Codebase) if one.name == operation).replace("\n\n", "\n\n\b\n")


def asking(function: Callable[..., int]) -> Callable[..., int]:
    """Adds `--root` and `--json`, opens the project, and hands the command an `Answerer`."""

    @click.option("--root", type=click.Path(path_type=Path), help="The project's folder; found from here if not given.")
    @click.option("--json", "as_json", is_flag=True, help="One JSON document.")
    @click.pass_context
    @functools.wraps(function)
    def ask(ctx: click.Context, /, root: Path | None, as_json: bool, **arguments: Any) -> int:
        with _opened(_root(ctx, root)) as codebase:
            return function(Answerer(codebase, as_json), **arguments)

    return ask


def limited(default: int) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Adds `--limit`."""
    return click.option(
        "--limit", type=click.IntRange(min=1), default=default, show_default=True, help="Rows to show at most."
    )


def _root(ctx: click.Context, given: Path | None) -> Path:
    from aries_body.tree.root import find_root, known_home, real_root

    home = known_home()
    # The flags of the command line know a folder to work in.
    folder = getattr(ctx.obj, "folder", None)
    here = folder() if callable(folder) else Path.cwd()
    return real_root(here / given.expanduser(), home) if given is not None else find_root(here, home)


@contextlib.contextmanager
def _opened(root: Path) -> Iterator[Codebase]:
    with _progress() as progress:
        codebase = Codebase.open(root, cache_folder=cache_folder(), progress=progress)
    try:
        yield codebase
    finally:
        codebase.close()


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error where that is a terminal and there is something to wait for."""
    bar: Any = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        if not sys.stderr.isatty() or total < _WORTH_A_BAR:
            return
        if bar is None:
            bar = click.progressbar(length=total, label="reading", file=sys.stderr, show_pos=True)
            bar.__enter__()
        bar.update(done - bar.pos)

    try:
        yield show
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


def _document(answer: Found[Any], rows: list[Any]) -> dict[str, Any]:
    return {"items": rows, "total": answer.total, "note": answer.note}
