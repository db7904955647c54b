"""Answers of the operations that judge code: what each figure means stands beside it."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Consistency", "Convention", "DuplicateRow", "Finding", "PlaceRow", "SimilarRow"]


@frozen(repr=False)
class DuplicateRow:
    """Code of the project that is like a given piece."""

    path: str
    line: int
    end_line: int
    kind: str
    name: str
    similarity: float
    """How sure it is that one was made from the other; from 0.5 on, unrelated code is hardly ever among it."""
    relation: str
    """`same`; `renamed`: other names or literals; `changed`: statements too; `part`: the piece is a part of it;
    `whole`: it is a part of the piece."""
    form: float
    """The share of short stretches that both have, whatever the names."""
    names: float
    """The share of names and literals that both have."""
    piece: str = ""
    """The function of the piece that it is like, where the piece has several."""

    def __repr__(self) -> str:
        piece = f" (like {self.piece})" if self.piece else ""
        return f"{self.similarity:.2f} {self.relation} {self.path}:{self.line}-{self.end_line} {self.name}{piece}"


@frozen(repr=False)
class SimilarRow:
    """A definition that is like what was asked about."""

    path: str
    line: int
    end_line: int
    kind: str
    name: str
    signature: str
    score: float
    """The mean of the parts below that could be compared, names and form counting double; for a field or a variable
    four fifths of it."""
    by_name: float
    """The share of the words of both names, rare words counting more."""
    by_signature: float | None
    """The share of parameters and types; None where one of both has none."""
    by_form: float | None
    """The share of short stretches of code; None where there is too little code."""

    def __repr__(self) -> str:
        return f"{self.score:.2f} {self.path}:{self.line}-{self.end_line} {self.kind} {self.signature or self.name}"


@frozen(repr=False)
class Finding:
    """A custom of the place that a snippet does not follow."""

    aspect: str
    """`naming of functions`, `handlers of errors` ..."""
    actual: str
    expected: str
    share: float
    """Of what is there, so much is as expected."""
    count: int
    """What was counted there."""
    line: int
    """Of the snippet."""
    example: str
    """Where the custom is seen: a path with a line."""

    def __repr__(self) -> str:
        expected = f"; {self.share:.0%} of {self.count} there: {self.expected} ({self.example})" if self.count else ""
        return f"line {self.line}: {self.aspect}: {self.actual}{expected}"


@frozen(repr=False)
class Consistency:
    """How a snippet fits a place."""

    path: str
    is_consistent: bool
    deviation: float
    """The share of the customs that could be compared which it does not follow."""
    findings: tuple[Finding, ...]
    checked: int
    """Customs that the snippet and the place both show."""
    files: int
    """Files that were compared with it."""
    note: str = ""

    def __repr__(self) -> str:
        verdict = "fits" if self.is_consistent else f"deviates in {len(self.findings)} of {self.checked} customs"
        lines = [f"{self.path}: {verdict} ({self.files} files compared)", *map(repr, self.findings)]
        return "\n".join([*lines, *([f"({self.note})"] if self.note else [])])


@frozen(repr=False)
class PlaceRow:
    """A file that something may belong into."""

    path: str
    score: float
    """The share of what it is about, and of the names it uses, that the file is about and uses too."""
    reasons: tuple[str, ...]
    community: str = ""
    """The group of tied files that it is in."""

    def __repr__(self) -> str:
        return f"{self.score:.2f} {self.path}: {'; '.join(self.reasons)}"


@frozen(repr=False)
class Convention:
    """A custom, counted."""

    topic: str
    subject: str
    value: str
    count: int
    share: float
    """Of everything counted for this subject."""
    files: int
    examples: tuple[str, ...]

    def __repr__(self) -> str:
        shown = f" ({', '.join(self.examples)})" if self.examples else ""
        return f"{self.topic}: {self.subject}: {self.value}, {self.count:,} times, {self.share:.0%}{shown}"
