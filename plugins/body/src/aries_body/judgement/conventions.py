"""Customs of the project, counted, with examples from the files that matter most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from aries_body.judgement.naming import is_kin, stem, style_of, words_of
from aries_body.judgement.profile import Profile
from aries_body.judgement.traits import TOPICS
from aries_body.operations.verdicts import Convention
from aries_body.operations.wanted import Wanted

if TYPE_CHECKING:
    from aries_body.index.project import Project
    from aries_body.operations.texts import Texts

__all__ = ["topic_of", "topics_of", "uses_of"]

_EXAMPLES = 3
_LOOKED_AT = 300
_WORDS = {
    "naming": ("name", "naming", "case", "casing", "identifier"),
    "errors": ("error", "exception", "raise", "throw", "catch", "fail", "failure", "handling"),
    "docs": ("doc", "docstring", "documentation", "comment"),
    "types": ("type", "typing", "annotation", "hint"),
    "imports": ("import", "export", "require", "module"),
    "tests": ("test", "testing", "assertion", "spec"),
    "layout": ("layout", "format", "formatting", "indent", "indentation", "quote", "style", "semicolon"),
}
_TEST_NAMES = (
    ("test_*", re.compile(r"test_.*")),
    ("*_test", re.compile(r".*_test")),
    ("*.test.*", re.compile(r".*\.test")),
    ("*.spec.*", re.compile(r".*\.spec")),
    ("*Test", re.compile(r".*Tests?(?:Case)?")),
)


def topic_of(text: str) -> str | None:
    """The topic that a text names: `error handling` is `errors`; None where it is about something else."""
    stems = [stem(word) for word in words_of(text)]
    for topic in TOPICS:
        known = {stem(word) for word in (*_WORDS[topic], topic)}
        if stems and all(one in known or one in _FILLERS for one in stems) and known.intersection(stems):
            return topic
    return None


_FILLERS = {
    stem(word)
    for word in ("style", "convention", "custom", "the", "of", "code", "how", "in", "and", "are", "is", "we", "do")
}


@define
class _Counted:
    count: int = 0
    files: int = 0
    examples: list[str] = field(factory=list)


def topics_of(
    project: Project, profiles: Mapping[str, Profile], topics: Sequence[str], paths: Sequence[str]
) -> list[Convention]:
    """Customs that files show, topic by topic. `paths`: those that matter most first."""
    found: dict[tuple[str, str, str], _Counted] = {}
    for path in paths:
        for one in profiles[path].traits:
            if one.topic in topics and (one.topic != "tests" or project.is_test(path)):
                example = f"{path}:{one.line}" + (f" {one.example}" if one.example else "")
                _count(found, (one.topic, one.subject, one.value), one.times, example)
        if "naming" in topics and (style := style_of(_bare(path))):
            _count(found, ("naming", "files", style), 1, path)
        if "tests" in topics and project.is_test(path):
            _count(found, ("tests", "file names", _test_name(path)), 1, path)
            _count(found, ("tests", "places", _test_place(path)), 1, path)
    return _conventions(found, topics)


def _count(found: dict[tuple[str, str, str], _Counted], key: tuple[str, str, str], times: int, example: str) -> None:
    row = found.setdefault(key, _Counted())
    row.count += times
    row.files += 1
    if len(row.examples) < _EXAMPLES:
        row.examples.append(example)


def _conventions(found: Mapping[tuple[str, str, str], _Counted], topics: Sequence[str]) -> list[Convention]:
    totals: Counter[tuple[str, str]] = Counter()
    for (topic, subject, _), row in found.items():
        totals[topic, subject] += row.count
    rows = [
        Convention(*key, row.count, row.count / totals[key[:2]], row.files, tuple(row.examples))
        for key, row in found.items()
    ]
    order = {topic: number for number, topic in enumerate(topics)}
    return sorted(
        rows, key=lambda row: (order[row.topic], -totals[row.topic, row.subject], row.subject, -row.count, row.value)
    )


def _bare(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _test_name(path: str) -> str:
    name = path.rpartition("/")[2].rpartition(".")[0]
    return next((told for told, form in _TEST_NAMES if form.fullmatch(name)), "other names")


def _test_place(path: str) -> str:
    for folder in path.split("/")[:-1]:
        if folder.lower() in ("test", "tests", "__tests__", "spec", "specs", "testing", "testdata"):
            return f"in a folder {folder}/"
    return "beside what they test"


def uses_of(
    project: Project, texts: Texts, topic: str, is_taken: Callable[[str], bool], by_rank: Callable[[str], float]
) -> list[Convention]:
    """How the project does something that no topic stands for: names with these words, by how many files use them."""
    wanted = {stem(word) for word in words_of(topic)}
    longest = max(words_of(topic), key=len, default="")
    if not wanted:
        return []
    # A stem is written in all its forms.
    near = set(filter(project.is_source, texts.hits(Wanted(stem(longest).encode("utf-8"))).paths))
    paths = sorted(filter(is_taken, near), key=lambda path: (-by_rank(path), path))[:_LOOKED_AT]
    found: dict[tuple[str, str, str], _Counted] = {}
    for path in paths:
        seen: dict[tuple[str, str], tuple[int, int]] = {}
        for subject, name, line in _mentions(project, path):
            parts = words_of(name)
            if all(any(is_kin(part, one) for part in parts) for one in wanted):
                times, first = seen.get((subject, name), (0, line))
                seen[subject, name] = times + 1, min(first, line)
        for (subject, name), (times, line) in seen.items():
            _count(found, (topic, subject, name), times, f"{path}:{line}")
    rows = _conventions(found, (topic,))
    return sorted(rows, key=lambda row: (-row.files, -row.count, row.subject, row.value))


def _mentions(project: Project, path: str) -> Iterable[tuple[str, str, int]]:
    facts = project.facts(path)
    for one in facts.uses:
        subject = "decorators" if one.kind == "decorator" else "base classes" if one.kind == "base" else "uses"
        yield subject, f"{one.root}.{one.path}" if one.path else one.root, one.line
    for item in facts.imports:
        yield "imports", f"{item.module} {item.name}".strip(), item.line
    for symbol in facts.symbols:
        yield "definitions", symbol.qualified, symbol.line
