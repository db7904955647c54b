"""`aries graph` where it judges code: likeness, duplicates, places, customs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from aries_body.commands.asking import Answerer, about, asking, limited
from aries_body.judgement.duplicates import THRESHOLD
from aries_body.operations.signature import BUDGETS, Level
from aries_body.operations.verdicts import DuplicateRow, SimilarRow
from aries_kernel.errors import UserError

__all__ = ["COMMANDS"]

_LARGEST = 1_000_000
_SOURCE = "CODE: a symbol, a file of the project, code itself, or - to read code from standard input."
_language = click.option("--language", metavar="NAME", help="The language of the code; found out if not given.")


def _code(given: str) -> str:
    if given != "-":
        return given
    text = sys.stdin.read(_LARGEST + 1)
    if not text.strip():
        raise UserError("Standard input is empty: there is no code to look at.")
    return text


@click.command(help=f"{about('find_similar_patterns')}\n\n{_SOURCE}")
@click.argument("code")
@_language
@limited(10)
@asking
def similar(answerer: Answerer, code: str, language: str | None, limit: int) -> int:
    def row(one: SimilarRow) -> tuple[object, ...]:
        parts = (one.by_name, one.by_signature, one.by_form)
        return f"{one.score:.2f}", *("" if part is None else f"{part:.2f}" for part in parts), _place(one), one.name

    found = answerer.codebase.find_similar_patterns(_code(code), limit, language)
    return answerer.tell_rows(found, ("SCORE", "NAME", "HEAD", "FORM", "PLACE", "DEFINITION"), row)


@click.command(help=f"{about('detect_duplication')}\n\n{_SOURCE}")
@click.argument("code")
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=THRESHOLD, show_default=True, help="The least similarity."
)
@_language
@limited(20)
@asking
def duplicates(answerer: Answerer, code: str, threshold: float, language: str | None, limit: int) -> int:
    found = answerer.codebase.detect_duplication(_code(code), threshold, limit, language)
    return answerer.tell_rows(
        found,
        ("SIMILARITY", "RELATION", "PLACE", "DEFINITION", "LIKE"),
        lambda one: (f"{one.similarity:.2f}", one.relation, _place(one), one.name, one.piece),
    )


@click.command(help=f"{about('suggest_location')}\n\nDESCRIPTION may be code, or - to read it from standard input.")
@click.argument("description")
@_language
@limited(5)
@asking
def where(answerer: Answerer, description: str, language: str | None, limit: int) -> int:
    found = answerer.codebase.suggest_location(_code(description), limit, language)
    return answerer.tell_rows(
        found,
        ("SCORE", "FILE", "REASONS"),
        lambda one: (f"{one.score:.2f}", one.path, "; ".join(one.reasons)),
        free=("REASONS",),
    )


@click.command(help=about("find_convention"))
@click.argument("topic", default="")
@click.option("--path", "within", metavar="PATH", help="A folder, a file, or a glob.")
@limited(30)
@asking
def conventions(answerer: Answerer, topic: str, within: str | None, limit: int) -> int:
    found = answerer.codebase.find_convention(topic, within, limit)
    return answerer.tell_rows(
        found,
        ("TOPIC", "SUBJECT", "SHARE", "TIMES", "CUSTOM", "FOR EXAMPLE"),
        lambda one: (
            one.topic, one.subject, f"{one.share:.0%}", one.count, one.value, one.examples[0] if one.examples else "",
        ),
        free=("CUSTOM", "FOR EXAMPLE"),
    )  # fmt: skip


@click.command(help=f"{about('is_consistent_with')}\n\nSNIPPET: a file, or - to read code from standard input.")
@click.argument("snippet")
@click.argument("path")
@_language
@asking
def check(answerer: Answerer, snippet: str, path: str, language: str | None) -> int:
    found = answerer.codebase.is_consistent_with(_read(snippet), path, language)
    return answerer.tell(found, lambda: repr(found))


@click.command(help=about("signature"))
@click.option("--level", type=click.Choice(tuple(BUDGETS)), default="standard", show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), help="Another limit than that of the level.")
@asking
def signature(answerer: Answerer, level: Level, max_tokens: int | None) -> int:
    found = answerer.codebase.signature(level, max_tokens)
    return answerer.tell(found, lambda: found.markdown)


COMMANDS = (similar, duplicates, where, conventions, check, signature)
"""For the group `graph`."""


def _place(one: SimilarRow | DuplicateRow) -> str:
    return f"{one.path}:{one.line}-{one.end_line}"


def _read(snippet: str) -> str:
    if snippet == "-":
        return _code(snippet)
    try:
        with Path(snippet).open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UserError(f"{snippet} cannot be read: {error.strerror or error}.") from error
    return data.decode("utf-8-sig", "replace")
