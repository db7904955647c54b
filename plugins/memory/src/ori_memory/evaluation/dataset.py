"""A data set: documents, and questions of which it is known what answers them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs
from attrs import field, frozen

from ori_memory.evaluation.json_lines import DataSetError, Row, find_file, read_rows

__all__ = ["DataSet", "Document", "Query", "Unit", "read_dataset"]

Unit = Literal["turn", "session"]
"""What one document is: a row of `corpus.jsonl`, or of `sessions.jsonl`."""

_NO_ANSWER = "adversarial"


@frozen
class Document:
    """What becomes a note."""

    id: str
    title: str
    text: str
    group: str = ""
    session: str = ""
    date: str = ""
    """As it is given."""
    speaker: str = ""
    links: tuple[str, ...] = ()
    """Ids or titles of other documents, or any names."""


@frozen
class Query:
    """A question with the documents that answer it."""

    id: str
    text: str
    gold: tuple[str, ...]
    category: str = ""
    group: str = ""
    candidates: tuple[str, ...] = ()
    """Documents of the question's own pool; empty: it has none."""
    excluded: tuple[str, ...] = ()
    """Documents that do not count when they are found, neither for nor against."""


@frozen
class DataSet:
    """Documents and the questions that can be judged."""

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    unit: str
    """`turn` or `session`; `document` where there are no sessions."""
    left_out: Mapping[str, int] = field(factory=dict)
    """Why questions are not asked, and how many."""
    warnings: tuple[str, ...] = ()

    @property
    def has_groups(self) -> bool:
        return any(document.group for document in self.documents)

    def sampled(self, limit: int | None, seed: int) -> DataSet:
        """At most `limit` questions, drawn at random, in their order."""
        if limit is None or limit >= len(self.queries):
            return self
        drawn = sorted(random.Random(seed).sample(range(len(self.queries)), limit))
        return self._with([self.queries[place] for place in drawn], "not in the sample")

    def first(self, count: int) -> DataSet:
        """The first questions as they stand in the file."""
        return self._with(self.queries[:count], f"after the first {count}")

    def _with(self, queries: Sequence[Query], reason: str) -> DataSet:
        missing = len(self.queries) - len(queries)
        counted = Counter(self.left_out) + Counter({reason: missing} if missing > 0 else {})
        return attrs.evolve(self, queries=tuple(queries), left_out=dict(counted))


def read_dataset(folder: Path, unit: Unit = "turn", name: str = "") -> DataSet:
    """Read `corpus.jsonl` (or `sessions.jsonl`) and `queries.jsonl` of a folder, each plain or as `.gz`.

    `name`: another than the folder's.
    Raises: DataSetError for what makes the whole unsound; what concerns single questions is counted and told.
    """
    if not folder.is_dir():
        raise DataSetError(f"{folder} is no folder. A data set is one with corpus.jsonl and queries.jsonl.")
    file = "sessions" if unit == "session" else "corpus"
    documents = [_document(row) for row in _rows(folder, file)]
    if not documents:
        raise DataSetError(f"{folder}: {file}.jsonl holds no documents.")
    rows = _rows(folder, "queries")
    reading = _Questions({document.id for document in documents}, "gold_sessions" if unit == "session" else "gold")
    queries = tuple(query for row in rows if (query := reading.read(row)) is not None)
    if not queries:
        raise DataSetError(f"{folder}: no question is left to ask. Left out: {_counts(reading.left_out)}.")
    has_sessions = unit == "session" or any(document.session for document in documents)
    kind = unit if has_sessions else "document"
    return DataSet(
        name or folder.resolve().name, tuple(documents), queries, kind, dict(reading.left_out), reading.warnings
    )


def _rows(folder: Path, name: str) -> list[Row]:
    path = find_file(folder, name)
    if path is None:
        raise DataSetError(f"{folder} has neither {name}.jsonl nor {name}.jsonl.gz.")
    rows = list(read_rows(path))
    seen: dict[str, int] = {}
    for row in rows:
        id = row.name("id")
        if id in seen:
            raise row.wrong(f"the id '{id}' was given in line {seen[id]} already")
        seen[id] = row.line
    return rows


def _document(row: Row) -> Document:
    return Document(
        id=row.name("id"),
        title=" ".join(row.optional("title").split()),
        text=row.text("text"),
        group=row.optional("group"),
        session=row.optional("session"),
        date=row.optional("date"),
        speaker=row.optional("speaker"),
        links=row.names("links"),
    )


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in counts.items()) or "none"


@attrs.define
class _Questions:
    """Reads questions and keeps account of those that are not asked."""

    known: set[str]
    gold_field: str
    left_out: Counter[str] = field(factory=Counter)
    _strangers: list[str] = field(factory=list)
    _outside: list[str] = field(factory=list)

    def read(self, row: Row) -> Query | None:
        query = Query(
            id=row.name("id"),
            text=row.text("text"),
            gold=row.names(self.gold_field),
            category=row.optional("category"),
            group=row.optional("group"),
            candidates=row.names("candidates") if self.gold_field == "gold" else (),
        )
        reason = self._reason(query, row)
        if reason:
            self.left_out[reason] += 1
            return None
        if query.candidates and not set(query.gold) <= set(query.candidates):
            self._outside.append(query.id)
        return query

    def _reason(self, query: Query, row: Row) -> str:
        if query.category == _NO_ANSWER:
            return _NO_ANSWER
        if not query.text.strip():
            return "without a text"
        if not query.gold:
            return "without gold"
        for key, ids in ((self.gold_field, query.gold), ("candidates", query.candidates)):
            unknown = next((id for id in ids if id not in self.known), None)
            if unknown is not None:
                self._strangers.append(f"{row.path}, line {row.line}: '{unknown}' in '{key}'")
                return f"with {key} that no document has"
        return ""

    @property
    def warnings(self) -> tuple[str, ...]:
        found = []
        if self._strangers:
            count = len(self._strangers)
            found.append(f"{count} questions name ids that no document has and are left out; {self._strangers[0]}.")
        if self._outside:
            found.append(
                f"{len(self._outside)} questions have gold outside their own candidates, first '{self._outside[0]}'."
            )
        return tuple(found)
