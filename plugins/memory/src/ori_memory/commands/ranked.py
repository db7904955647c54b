"""`ori query ranked`, `ori query similar`: the notes that answer a question, best first."""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

import click

from aries_kernel.console.table import table
from aries_kernel.tools.output import escape_controls
from ori_memory.answer import plain, print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Answer, Asked, Hit, PartReport, PartState, Verdict
from ori_memory.retrieval.showing import tokens_of

__all__ = ["ranked", "similar"]

_OPTIONS = (
    click.argument("question", nargs=-1, required=True),
    click.option("--limit", type=click.IntRange(min=1), help="Notes at most; otherwise retrieval.limit."),
    click.option("--explain", is_flag=True, help="What each signal said of each note, and what each part did."),
    click.option("--as-of", metavar="DATE", help="Answer as on that day (2026-01-31)."),
    click.option("--include-archived", is_flag=True, help="Archived, superseded and released notes too."),
    click.option("--project", "projects", multiple=True, help="Only notes of this project; may be given again."),
    click.option("--folder", default="", help="Only notes below this folder."),
    click.option("--budget", type=click.IntRange(min=150), metavar="TOKENS", help="Tokens the answer may take."),
    click.option("--without", multiple=True, metavar="PART", help="Leave out a signal or a stage."),
)


def _options(function: Callable[..., int]) -> Callable[..., int]:
    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), function)


@click.command()
@_options
@click.option("--fast", is_flag=True, help="Words and links only: no model is loaded.")
@click.option("--only", multiple=True, metavar="SIGNAL", help="Ask this signal only; may be given again.")
@answering
def ranked(context: Context, only: tuple[str, ...], fast: bool, **given: Any) -> int:
    """The notes that answer QUESTION: words, meaning, links and warmth together.

    Exit code 0 also where nothing relevant is found; the answer says so.
    """
    return _answer(context, _asked(only=only or None, is_fast=fast, **given), given["explain"], given["budget"])


@click.command()
@_options
@answering
def similar(context: Context, **given: Any) -> int:
    """The notes that mean what QUESTION means, by their vectors alone."""
    return _answer(context, _asked(only=("semantic",), is_fast=False, **given), given["explain"], given["budget"])


def _asked(
    *,
    question: tuple[str, ...],
    limit: int | None,
    as_of: str | None,
    only: tuple[str, ...] | None,
    is_fast: bool,
    explain: bool,
    **more: Any,
) -> Callable[[int], Asked]:
    day = None if as_of is None else _day(as_of)
    text = " ".join(question)
    return lambda usual: Asked(text, limit=limit or usual, as_of=day, only=only, is_fast=is_fast, **more)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"'{text}' is no date; write it as 2026-01-31.", param_hint="--as-of") from error


def _answer(context: Context, asked: Callable[[int], Asked], explain: bool, budget: int | None) -> int:
    with Memory.open(context.vault()) as memory:
        answer = memory.ask(asked(memory.vault.config.retrieval.limit))
        memory.notice(*answer.notices)
        print_answer(
            _within(budget, answer, explain, memory.warnings),
            as_json=context.wants_json,
            text=lambda: escape_controls(_text(answer, explain)),
            warnings=memory.warnings,
        )
    return 0


def _within(budget: int | None, answer: Answer, explain: bool, warnings: Sequence[str]) -> dict[str, Any]:
    """The document, with as many notes as fit; what was counted without its braces and keys may be too long for it."""
    data = _data(answer, explain)
    while budget is not None and data["results"] and _tokens(data, warnings) > budget:
        if len(data["results"]) == 1 and data["signals_skipped"]:
            data["signals_skipped"] = {}
        elif len(data["results"]) == 1 and data["results"][0]["snippet"]:
            data["results"][0]["snippet"] = ""
        else:
            data["results"].pop()
            data["count"], data["left_out"] = data["count"] - 1, data["left_out"] + 1
    return data


def _tokens(data: dict[str, Any], warnings: Sequence[str]) -> int:
    return tokens_of(
        json.dumps(plain({"success": True, "data": data, "warnings": warnings}), ensure_ascii=False, indent=2)
    )


def _data(answer: Answer, explain: bool) -> dict[str, Any]:
    results = [
        {
            "path": hit.path,
            "title": hit.title,
            "score": hit.score,
            "snippet": hit.snippet,
            "line": hit.line,
            **({"mark": hit.mark} if hit.mark else {}),
            **(_explained(hit) if explain else {}),
        }
        for hit in answer.hits
    ]
    ran = [part.name for part in answer.signals if part.state is PartState.RAN]
    skipped = {part.name: part.reason for part in answer.signals if part.state is not PartState.RAN}
    found: dict[str, Any] = {
        "query": answer.question,
        "verdict": answer.verdict.value,
        "confidence": round(answer.confidence, 3),
        "intent": answer.intent,
        "period": answer.period,
        "results": results,
        "count": len(results),
        "left_out": answer.left_out,
        "signals_run": ran,
        "signals_skipped": skipped,
    }
    if explain:
        found["parts"] = [*answer.signals, *answer.stages]
        found["milliseconds"] = round(answer.milliseconds, 1)
    return found


def _explained(hit: Hit) -> dict[str, Any]:
    return {"id": hit.id, "status": hit.status, "created": hit.created, "signals": dict(hit.signals)}


def _text(answer: Answer, explain: bool) -> str:
    lines = []
    if answer.verdict is Verdict.NOTHING:
        lines.append("Nothing relevant." + (" What comes nearest:" if answer.hits else ""))
    for place, hit in enumerate(answer.hits, 1):
        mark = f"  ({hit.mark})" if hit.mark else ""
        lines.append(f"{place:2}. {hit.title}  [{hit.score:.2f}]{mark}")
        lines.append(f"    {hit.path}:{hit.line}" if hit.line else f"    {hit.path}")
        if hit.snippet:
            lines.append(f"    {hit.snippet}")
        if explain:
            lines.append("    " + ", ".join(f"{name} {score:.2f}" for name, score in hit.signals.items()))
    if answer.left_out:
        lines.append(f"{answer.left_out} more do not fit into the budget.")
    lines.append("")
    period = f", {answer.period}" if answer.period else ""
    lines.append(
        f"{answer.verdict.value} (confidence {answer.confidence:.2f}), {answer.intent}{period}; {_ran(answer)}"
    )
    if explain:
        rows = [_row(part) for part in (*answer.signals, *answer.stages)]
        lines += ["", *table(("PART", "STATE", "FOUND", "MS", "REASON"), rows).rstrip().splitlines()]
    return "\n".join(lines)


def _ran(answer: Answer) -> str:
    ran = [part.name for part in answer.signals if part.state is PartState.RAN]
    others = [part.name for part in answer.signals if part.state is not PartState.RAN]
    return f"by {', '.join(ran) or 'no signal'}" + (f" (not {', '.join(others)})" if others else "")


def _row(part: PartReport) -> tuple[object, ...]:
    return part.name, part.state.value, part.found, f"{part.milliseconds:.1f}", part.reason
