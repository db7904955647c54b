"""A ranked answer as a document and as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aries_kernel.console.table import table
from ori_memory.answer import plain
from ori_memory.retrieval.answer import Answer, Hit, PartReport, PartState, Verdict
from ori_memory.retrieval.showing import tokens_of

__all__ = ["answer_data", "answer_text"]


def answer_data(
    answer: Answer, *, explain: bool = False, budget: int | None = None, warnings: Sequence[str] = ()
) -> dict[str, Any]:
    """For `--json` and the server; `budget`: tokens of the whole document, which holds as many notes as fit."""
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
    told = {"id": hit.id, "status": hit.status, "created": hit.created, "signals": dict(hit.signals)}
    return {**told, **({"why": list(hit.why)} if hit.why else {})}


def answer_text(answer: Answer, *, explain: bool = False) -> str:
    """For a person."""
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
            lines += [f"    {line}" for line in hit.why]
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
