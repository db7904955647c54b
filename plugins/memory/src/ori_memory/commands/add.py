"""`ori add`: keep a note."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

import click

from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.model import CONFIDENCES, TYPES, Source
from ori_memory.operations.composing import NewNote

__all__ = ["add"]

_DATE = click.DateTime(formats=["%Y-%m-%d"])


@click.command()
@click.argument("title")
@click.option(
    "-t",
    "--type",
    "type_",
    type=click.Choice([*TYPES, "map"]),
    default=None,
    help="Guessed from its words if not given.",
)
@click.option("-c", "--content", help="What the note says.")
@click.option(
    "-f", "--content-file", type=click.Path(path_type=Path, dir_okay=False), help="Read the content from a file."
)
@click.option("--content-stdin", is_flag=True, help="Read the content from standard input.")
@click.option("-d", "--description", default="", help="One sentence; taken from the content if not given.")
@click.option("-p", "--project", multiple=True, help="A project it belongs to.")
@click.option("--tag", multiple=True, help="A tag.")
@click.option("--confidence", type=click.Choice(CONFIDENCES), default=None)
@click.option("--supersedes", multiple=True, metavar="NOTE", help="The note that this one takes the place of.")
@click.option("--valid-from", type=_DATE, help="YYYY-MM-DD")
@click.option("--valid-until", type=_DATE, help="YYYY-MM-DD")
@click.option("--pin", is_flag=True, help="Never propose it for pruning or archiving.")
@click.option("--source-client", default="", help="Which program it came from.")
@click.option("--source-session", default="", help="Which session of that program.")
@click.option("--source-file", default="", help="Which file it is about.")
@click.option("--source-commit", default="", help="Which commit it is about.")
@answering
def add(
    context: Context,
    title: str,
    type_: str | None,
    content: str | None,
    content_file: Path | None,
    content_stdin: bool,
    description: str,
    project: tuple[str, ...],
    tag: tuple[str, ...],
    confidence: str | None,
    supersedes: tuple[str, ...],
    valid_from: datetime.datetime | None,
    valid_until: datetime.datetime | None,
    pin: bool,
    source_client: str,
    source_session: str,
    source_file: str,
    source_commit: str,
) -> int:
    """Keep a note. TITLE is a sentence that says one thing. A note that is there already is answered with its id."""
    request = NewNote(
        title=title,
        content=_content(context, content, content_file, content_stdin),
        type=type_ or "",
        description=description,
        projects=project,
        tags=tag,
        confidence=confidence or "",
        supersedes=supersedes,
        valid_from=valid_from.date() if valid_from else None,
        valid_until=valid_until.date() if valid_until else None,
        is_pinned=pin,
        source=Source(source_client, source_session, source_file, source_commit),
    )
    with Memory.open(context.vault(), session=context.session) as memory:
        added = memory.add(request)
        verb = "kept" if added.is_new else "there already"
        print_answer(
            added,
            as_json=context.wants_json,
            text=lambda: f"{verb}: {added.path}  ({added.id})",
            warnings=(*added.warnings, *memory.warnings),
        )
    return 0


def _content(context: Context, content: str | None, file: Path | None, is_stdin: bool) -> str:
    """The content, from the one place that was named.

    Raises: UserError for several places, an empty or unreadable one.
    """
    if sum((content is not None, file is not None, is_stdin)) > 1:
        raise UserError("Give the content once: --content, --content-file or --content-stdin.")
    if content is None and file is None and not is_stdin:
        return ""
    if file is not None:
        try:
            text = (context.cwd / file).read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError(f"{file} is not UTF-8 text.") from error
    else:
        text = content if content is not None else sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    if not text.strip():
        raise UserError("The content is empty; nothing was kept.")
    return text
