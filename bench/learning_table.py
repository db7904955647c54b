"""The README's tables of learning, made from `bench/results/learning.json`.

uv run python bench/learning_table.py          # writes them into plugins/memory/README.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from readme_table import Place, row

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results" / "learning.json"
README = ROOT / "plugins" / "memory" / "README.md"
MISSING = "Not measured yet: `bench/learning/proof.py` writes the figures.\n"
KINDS = {
    "question": "– the question itself",
    "in other words": "– the question in other words",
    "another fact": "– words of a sentence of a note",
}
GROUPS = {
    "related": "related",
    "near": "near",
    "unrelated": "unrelated",
    "seen": "asked before",
}
SURE = ("seen", "related", "near", "unrelated")
TOGETHER = {"related": "related", "several": "related, that need several notes", "unrelated": "unrelated"}


def table_text(results: Mapping[str, Any] | None) -> str:
    """The tables with what one must know to read them; `results` None: nothing was measured."""
    if not results or not results.get("sets"):
        return MISSING
    habits = results["habits"]
    intro = (
        f"Simulated users ({results['seeds']} a vault, {habits['sessions']} sessions of at most {habits['questions']} "
        f"questions about {habits['topics']} of their topics). Of the uses {_percent(habits['silent'])} leave no "
        "trace, "
        f"and {_percent(habits['wrong'])} of the citations name a wrong note. *Related*: never asked, answered by a "
        "note that also answers a question of the sessions. *Near*: of the same topics, answered by other notes. "
        "*Unrelated*: of other topics, answered by other notes. Before: the same list without what was learned, which "
        "is what a memory without any use gives. Intervals: 95 %, over questions, paired."
    )
    parts = [
        intro,
        _changes(results["sets"]),
        _bounds(results["sets"]),
        _guards(results["sets"]),
        _sureness(results),
        _sureness_bins(results),
        _ablations(results),
        _together(results),
        _parts(results),
        _speed(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _changes(sets: Sequence[Mapping[str, Any]]) -> str:
    head = [
        "set (users)",
        "questions",
        "number",
        "recall@1 before",
        "after",
        "difference",
        "relative",
        "recall@5",
        "MRR@10",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for one in sets:
        name = f"{one['name']} ({one['users']})"
        for group, title in GROUPS.items():
            if group in one["groups"]:
                lines.append(_change(name, title, one["groups"][group]))
                name = ""
            kinds = one["related_by_kind"]
            if group == "related" and len(kinds) > 1:
                lines += [_change("", KINDS[kind], kinds[kind]) for kind in KINDS if kind in kinds]
    return "\n".join(lines)


def _change(name: str, title: str, found: Mapping[str, Any]) -> str:
    first, five, rank = (found[key] for key in ("recall@1", "recall@5", "mrr@10"))
    relative = "–" if first["relative"] is None else f"{first['relative']:+.1%}"
    return row(
        [
            name,
            title,
            f"{found['questions']:,}",
            f"{first['before']:.3f}",
            f"**{first['after']:.3f}**",
            f"{first['difference']:+.3f} [{first['low']:+.3f}, {first['high']:+.3f}]",
            relative,
            f"{five['before']:.3f} → {five['after']:.3f}",
            f"{rank['before']:.3f} → {rank['after']:.3f}",
        ]
    )


def _bounds(sets: Sequence[Mapping[str, Any]]) -> str:
    """What learning could bring: a wrong note cited, a silent use, a question with two notes leave less than all."""
    head = [
        "related questions: recall@1",
        "before",
        "after",
        "at most, where credit was for one of its notes",
        "and that note is among the first ten",
        "of who knows all",
        "questions with such credit",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for one in sets:
        first, most = one["groups"]["related"]["recall@1"], one["bounds"]
        figures = (first["before"], first["after"], *(most[f"recall@1 {of}"] for of in ("of an oracle", "among ten")))
        cells = [f"{figure:.3f}" for figure in (*figures, most["recall@1 of all"])]
        lines.append(row([one["name"], *cells, _percent(most["credited"])]))
    return "\n".join(lines)


def _guards(sets: Sequence[Mapping[str, Any]]) -> str:
    head = [
        "set",
        "of the questions never asked: related, near",
        "share of places of the top 50 notes: relevance",
        "learned",
        "never shown, and still found",
        "one note cited for everything: first for unrelated questions, before → after",
        "recall@1 of these",
        "asked anew through the whole pipeline, and different",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for one in sets:
        shares, adverse = one["exposure"], one["adversary"]
        change = adverse["unrelated"]["recall@1"]
        first = " → ".join(f"{count / adverse['questions']:.1%}" for count in adverse["first"])
        lines.append(
            row(
                [
                    one["name"],
                    ", ".join(f"{share:.0%}" for share in _held(one["held"])),
                    f"{shares['relevance']:.1%}",
                    f"{shares['learned']:.1%}",
                    f"{shares['reached']:,} of {shares['never_shown']:,}",
                    first,
                    f"{change['before']:.3f} → {change['after']:.3f}",
                    f"{one['differing']} of {one['checked']}",
                ]
            )
        )
    return "\n".join(lines)


def _held(counts: Mapping[str, int]) -> tuple[float, float]:
    never_asked = sum(counts[group] for group in ("related", "near", "unrelated"))
    return counts["related"] / never_asked, counts["near"] / never_asked


def _sureness(results: Mapping[str, Any]) -> str:
    """What answers claim, with and without what use has proven, beside what is right."""
    if "sureness" not in results:
        return ""
    head = [
        "confidence of answers after use",
        "questions",
        "answers",
        "first note right",
        "claimed, what use proves not counted",
        "counted",
        "expected calibration error, not counted",
        "counted",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for name, groups in results["sureness"].items():
        for group, found in ((group, groups[group]) for group in SURE if group in groups):
            before, after = found["before"], found["after"]
            cells = [f"{found['answers']:,}", f"{found['right']:.2f}"]
            cells += [f"{of['claimed']:.2f}" for of in (before, after)]
            lines.append(row([name, GROUPS[group], *cells, *(f"{_error(of['bins']):.3f}" for of in (before, after))]))
    return "\n".join(lines)


def _error(bins: Sequence[Sequence[float]]) -> float:
    return sum(abs(claimed - right) for _, claimed, right in bins) / sum(count for count, _, _ in bins)


def _sureness_bins(results: Mapping[str, Any]) -> str:
    """Of all sets together, by what is claimed: the share right, of how many."""
    if "sureness" not in results:
        return ""
    groups = [group for group in SURE if any(group in of for of in results["sureness"].values())]
    sides = [(group, side) for group in groups for side in ("before", "after")]
    titles = [f"{GROUPS[group]}: use {'not ' * (side == 'before')}counted" for group, side in sides]
    sums = [
        [
            [sum(values) for values in zip(*rows, strict=True)]
            for rows in zip(
                *(of[group][side]["bins"] for of in results["sureness"].values() if group in of), strict=True
            )
        ]
        for group, side in sides
    ]
    head = ["claimed (all sets): right, of so many answers", *titles]
    lines = [row(head), row(["---"] * len(head))]
    for number in range(len(sums[0])):
        low, high = (place / len(sums[0]) for place in (number, number + 1))
        cells = [
            f"{bins[number][2] / bins[number][0]:.2f} of {bins[number][0]:,}" if bins[number][0] else "–"
            for bins in sums
        ]
        lines.append(row([f"{low:.1f} to {high:.1f}", *cells]))
    return "\n".join(lines)


def _ablations(results: Mapping[str, Any]) -> str:
    if "ablations" not in results:
        return ""
    groups = ("seen", "related", "near", "unrelated")
    head = ["credit with a part changed: recall@1", "set", *(GROUPS[group] for group in groups)]
    lines = [row(head), row(["---"] * len(head))]
    for name, variants in results["ablations"].items():
        for title, found in variants.items():
            lines.append(row([title, name, *(_difference(found.get(group)) for group in groups)]))
    return "\n".join(lines)


def _difference(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "–"
    first = found["recall@1"]
    return f"{first['difference']:+.3f} [{first['low']:+.3f}, {first['high']:+.3f}]"


def _together(results: Mapping[str, Any]) -> str:
    if "together" not in results:
        return ""
    head = [
        "notes used together, in the walk",
        "weight",
        "questions",
        "number",
        "recall@5 without",
        "difference",
        "all in the first five without",
        "difference",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for name, weights in results["together"].items():
        for one in weights:
            for group in TOGETHER:
                found = one.get(group)
                if found:
                    cells = [name, str(one["weight"]), TOGETHER[group], f"{found['questions']:,}"]
                    lines.append(row([*cells, *_gain(found["recall@5"]), *_gain(found.get("all@5"))]))
    return "\n".join(lines)


def _gain(found: Mapping[str, Any] | None) -> tuple[str, str]:
    if found is None:
        return "–", "–"
    return f"{found['before']:.3f}", f"{found['difference']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]"


def _parts(results: Mapping[str, Any]) -> str:
    if "parts" not in results:
        return ""
    head = [
        "set",
        "part",
        "questions",
        "nDCG@10 it brings",
        "ms it takes",
        "reward the bandit sees",
        "its rank correlation with the labels",
        "right about the sign",
    ]
    lines = [row(head), row(["---"] * len(head))]
    for name, parts in results["parts"].items():
        for part, found in parts.items():
            brings, correlation, sign = found["brings"], found["rank_correlation"], found["same_sign"]
            lines.append(
                row(
                    [
                        name,
                        part,
                        f"{found['questions']:,}",
                        f"{brings['ndcg@10']:+.3f} [{brings['low']:+.3f}, {brings['high']:+.3f}]",
                        f"{found['milliseconds']:.1f}",
                        f"{found['reward']:+.3f}",
                        "–" if correlation is None else f"{correlation:+.2f}",
                        "–" if sign is None else f"{sign:.0%} of {found['decided']}",
                    ]
                )
            )
    return "\n".join(lines)


def _speed(results: Mapping[str, Any]) -> str:
    if "speed" not in results:
        return ""
    found, reading = results["speed"], results["speed"]["reading_ms"]
    return (
        f"With {found['credits']:,} credits in a vault of {found['notes']:,} notes credit takes "
        f"{found['stage_ms']['median']:.1f} ms of a question in a server (one in twenty more than "
        f"{found['stage_ms']['p95']:.1f}). In a process that asks one question, or the first one after something was "
        f"learned, reading takes {reading['compared']:.1f} ms; where nobody has compared the earlier questions since, "
        f"which is done after the answer, {reading['not_yet']:.1f}. By the processor's clock."
    )


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


PLACE = Place(README, RESULTS, "learning", table_text)
with_table = PLACE.with_table


if __name__ == "__main__":
    PLACE.write()
