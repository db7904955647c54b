"""An exploration as a document and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from aries_kernel.console.width import cut
from ori_memory.exploring.exploration import Discovery, Exploration, SubQuestion, Trail
from ori_memory.retrieval.answer import Verdict
from ori_memory.retrieval.showing import tokens_of

__all__ = ["exploration_data", "exploration_text", "within_budget"]

_WIDEST = 400
"""Columns of the question that are told again; whoever pasted a page knows it."""


def within_budget(found: Exploration, budget: int | None, warnings: Sequence[str] = ()) -> Exploration:
    """What of it the budget holds as it is printed: how it was found is given up first, then notes; the first stays."""
    for short in _shorter(found) if budget is not None else ():
        found = short
        document = {"success": True, "data": exploration_data(short), "warnings": list(warnings)}
        if tokens_of(json.dumps(document, ensure_ascii=False, indent=2)) <= (budget or 0):
            break
    return found


def _shorter(found: Exploration) -> Iterator[Exploration]:
    yield found
    yield (found := evolve(found, passes=()))
    yield (found := evolve(found, sub_questions=tuple(evolve(one, reason="") for one in found.sub_questions)))
    yield (found := evolve(found, sub_questions=()))
    yield (found := evolve(found, trails=()))
    while len(found.discoveries) > 1:
        yield (found := evolve(found, discoveries=found.discoveries[:-1], left_out=found.left_out + 1))


def exploration_data(found: Exploration) -> dict[str, Any]:
    """For `--json` and the server (spec B.4)."""
    return {
        "query": found.question,
        "intent": found.intent,
        "verdict": found.verdict.value,
        "confidence": round(found.confidence, 3),
        "results": [_result(one) for one in found.discoveries],
        "count": len(found.discoveries),
        "left_out": found.left_out,
        "paths": [{"from": one.start, "to": one.end, "via": list(one.via)} for one in found.trails],
        "sub_queries": [
            {
                "query": one.text,
                "reason": one.reason,
                "depth": one.depth,
                "found": one.found,
                "new": one.new,
                "dead_end": one.dead_end,
            }
            for one in found.sub_questions
        ],
        "per_pass_results": [
            {
                "kind": one.kind,
                "depth": one.depth,
                "found": one.found,
                "new": one.new,
                "elapsed_ms": round(one.milliseconds, 1),
            }
            for one in found.passes
        ],
        "recursion_depth": max((one.depth for one in found.sub_questions), default=0),
        "converged": found.is_converged,
        "stopped": found.stopped,
        "seed_count": found.seeds,
        "total_candidates_scored": found.candidates,
        "elapsed_ms": round(found.milliseconds, 1),
    }


def _result(one: Discovery) -> dict[str, Any]:
    look = one.preview
    return {
        "path": one.path,
        "title": one.title,
        "score": one.score,
        "source": one.origin.value,
        "found_by": one.found_by,
        "snippet": {
            "description": look.description,
            "preview": look.text,
            "line": look.line,
            "type": look.type,
            "links": list(look.links),
        },
        **({"content": one.content} if one.content else {}),
    }


def exploration_text(found: Exploration) -> str:
    """For a person."""
    lines = []
    if found.verdict is Verdict.NOTHING:
        lines.append("Nothing relevant." + (" What comes nearest:" if found.discoveries else ""))
    for place, one in enumerate(found.discoveries, 1):
        lines += _lines(place, one)
    if found.left_out:
        lines.append(f"{found.left_out} more do not fit into the budget.")
    lines += ["", *_rounds(found)]
    if found.trails:
        lines += ["", "Ways along links:", *(f"  {_way(one)}" for one in found.trails)]
    lines += ["", f"{found.verdict.value} (confidence {found.confidence:.2f}), {found.intent}{_end(found)}"]
    return "\n".join(lines)


def _lines(place: int, one: Discovery) -> list[str]:
    how = {"flat": "", "graph": f"  (linked with {one.found_by})", "question": f"  (asked: {one.found_by})"}
    look = one.preview
    lines = [
        f"{place:2}. {one.title}  [{one.score:.2f}]{how[one.origin.value]}",
        f"    {one.path}:{look.line}" if look.line else f"    {one.path}",
    ]
    lines += [f"    {text}" for text in dict.fromkeys((look.description, look.text)) if text]
    if look.links:
        lines.append(f"    links: {', '.join(look.links)}")
    return lines + [f"    | {line}" for line in one.content.splitlines()]


def _rounds(found: Exploration) -> list[str]:
    """The question, and below it what each pass brought."""
    rows = [f"{one.kind}: {one.found} found, {one.new} new" for one in found.passes if one.kind != "questions"]
    rows += [_asked(one) for one in found.sub_questions]
    marks = ["├─"] * (len(rows) - 1) + ["└─"] * bool(rows)
    return [cut(found.question, _WIDEST), *(f"{mark} {row}" for mark, row in zip(marks, rows, strict=True))]


def _asked(one: SubQuestion) -> str:
    what = f"x {one.dead_end}" if one.dead_end else f"{one.new} new"
    return f"{'  ' * (one.depth - 1)}asked: {one.text}  [{what}]" + (f"  ({one.reason})" if one.reason else "")


def _way(one: Trail) -> str:
    return " > ".join((one.start, *one.via, one.end))


def _end(found: Exploration) -> str:
    return f"; stopped: {found.stopped}" if found.stopped else ""
