"""Answers: plain values with short representations, made to be read by people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

from attrs import field, frozen

__all__ = [
    "CHARACTERS_PER_TOKEN",
    "Cluster",
    "Dependency",
    "Evidence",
    "Found",
    "HitsAnswer",
    "ImportRow",
    "Match",
    "RankedFile",
    "Signature",
    "Stats",
    "Summary",
    "SymbolRow",
    "Tested",
    "Together",
    "TreeEntry",
    "UnusedExport",
    "UseRow",
]

T = TypeVar("T")
_SHOWN = 20
CHARACTERS_PER_TOKEN = 4


@frozen(repr=False)
class Found(Sequence[T], Generic[T]):
    """Rows of an answer. `total`: how many there are, shown or not; `note`: what a reader should know of it."""

    items: tuple[T, ...] = ()
    total: int = 0
    note: str = ""

    @classmethod
    def of(cls, rows: Sequence[T], *, offset: int = 0, limit: int | None = None, note: str = "") -> Found[T]:
        """A part of all rows."""
        end = None if limit is None else offset + limit
        return cls(tuple(rows[offset:end]), len(rows), note)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.items[index]

    def __repr__(self) -> str:
        lines = [repr(one) for one in self.items[:_SHOWN]]
        more = max(self.total, len(self.items)) - len(lines)
        if more > 0:
            lines.append(f"... {more:,} more")
        if self.note:
            lines.append(f"({self.note})")
        return "\n".join(lines) or "nothing found"


@frozen(repr=False)
class Match:
    """A line that a search found."""

    path: str
    line: int
    text: str
    """The line, cut to what can be read."""
    kind: str
    """`symbol`, `import`, `call`, `use` or `text`: what the match is."""
    score: float
    """Of its file, for this search."""

    def __repr__(self) -> str:
        return f"{self.path}:{self.line} [{self.kind}] {self.text.strip()}"


@frozen(repr=False)
class SymbolRow:
    """A definition; several sites of one (overloads, branches) are one row."""

    path: str
    line: int
    end_line: int
    kind: str
    name: str
    """Qualified: `Outer.Inner.run`."""
    signature: str
    doc: str
    is_exported: bool
    sites: tuple[int, ...] = ()
    """Lines of all its sites, where there are several."""
    modifiers: str = ""

    def __repr__(self) -> str:
        sites = f" ({len(self.sites)} sites)" if self.sites else ""
        return f"{self.path}:{self.line}-{self.end_line} {self.kind} {self.signature or self.name}{sites}"


@frozen(repr=False)
class Dependency:
    """A file on the other end of a tie."""

    path: str
    count: int
    """References; where there are none, import statements. 0 where it is only reached through others."""
    kinds: tuple[str, ...]
    depth: int = 1
    is_indirect: bool = False
    """Not imported itself: it is used through a file that hands its names on, or its names need no import."""

    def __repr__(self) -> str:
        kinds = f" {', '.join(self.kinds)}" if self.kinds else ""
        depth = f" depth {self.depth}" if self.depth > 1 else ""
        return f"{self.path} ({self.count}{kinds}{depth}{', without import' if self.is_indirect else ''})"


@frozen(repr=False)
class RankedFile:
    """A file with its rank and size."""

    path: str
    rank: float
    symbols: int
    references: int
    is_test: bool = False

    def __repr__(self) -> str:
        test = " (test)" if self.is_test else ""
        return f"{self.rank:.4f} {self.path} ({self.symbols} symbols, {self.references} references){test}"


@frozen(repr=False)
class HitsAnswer:
    """The most telling hubs and authorities, as pairs of path and score."""

    hubs: Found[tuple[str, float]]
    authorities: Found[tuple[str, float]]

    def __repr__(self) -> str:
        return f"authorities:\n{self.authorities!r}\nhubs:\n{self.hubs!r}"


@frozen(repr=False)
class Cluster:
    """Matches of one file."""

    path: str
    matches: tuple[object, ...]

    def __repr__(self) -> str:
        return f"{self.path} ({len(self.matches)})"


@frozen(repr=False)
class ImportRow:
    """An import, and the files of the project that it means."""

    line: int
    kind: str
    text: str
    files: tuple[str, ...]
    reason: str = ""
    """Why it means none."""

    def __repr__(self) -> str:
        return f"{self.line}: {self.text} -> {', '.join(self.files) or self.reason}"


@frozen(repr=False)
class UseRow:
    """One use of a symbol."""

    path: str
    line: int
    kind: str
    inside: str
    """The symbol it stands in; empty for the file itself."""
    target_path: str
    target: str
    is_indirect: bool = False

    def __repr__(self) -> str:
        via = " (indirect)" if self.is_indirect else ""
        return (
            f"{self.path}:{self.line} {self.inside or '(file)'} -> {self.kind} {self.target_path}::{self.target}{via}"
        )


@frozen(repr=False)
class Evidence:
    """A line that ties one file to another."""

    path: str
    line: int
    kind: str
    symbol: str
    """What is used; empty for an import of the file."""
    is_indirect: bool = False
    """By a re-export, a base class or a declaration: what is imported is in another file."""

    def __repr__(self) -> str:
        via = " (indirect)" if self.is_indirect else ""
        return f"{self.path}:{self.line} {self.kind} {self.symbol or '(the file)'}{via}"


@frozen(repr=False)
class UnusedExport:
    """A definition that is meant for others, of which no other file of the project is seen to use it."""

    symbol: SymbolRow
    is_used_here: bool

    def __repr__(self) -> str:
        return f"{self.symbol!r}{' (used in its own file)' if self.is_used_here else ''}"


@frozen(repr=False)
class Together:
    """A file that changed in the same commits."""

    path: str
    commits: int
    share: float
    """Of the commits that changed the file asked about."""

    def __repr__(self) -> str:
        return f"{self.path} ({self.commits} commits, {self.share:.0%})"


@frozen(repr=False)
class Tested:
    """A test that reaches a file."""

    path: str
    depth: int
    """1: it uses the file itself."""
    count: int
    is_named_alike: bool

    def __repr__(self) -> str:
        alike = ", named alike" if self.is_named_alike else ""
        return f"{self.path} (depth {self.depth}, {self.count} uses{alike})"


@frozen(repr=False)
class Summary:
    """What one file is."""

    path: str
    language: str
    line_count: int
    doc: str
    symbols: tuple[SymbolRow, ...]
    imports: tuple[ImportRow, ...]
    reference_count: int
    import_count: int
    dependents: int
    dependencies: int
    rank: float | None
    community: str
    is_test: bool
    error_line: int = 0
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        rank = "" if self.rank is None else f", rank {self.rank:.4f}"
        head = f"{self.path} ({self.language or 'text'}, {self.line_count} lines{rank})"
        lines = [head, *([self.doc] if self.doc else []), *self.notes]
        ties = f"{self.dependents} dependents, {self.dependencies} dependencies, {self.import_count} imports"
        return "\n".join([*lines, ties, *(f"  {one!r}" for one in self.symbols)])


@frozen(repr=False)
class TreeEntry:
    """A file or folder of the tree."""

    path: str
    type: str
    """`file`, `dir` or `truncated`: the rest of a folder."""
    depth: int
    files: int
    """Files in a folder, or those left out."""
    rank: float | None = None
    language: str = ""

    def __repr__(self) -> str:
        name = self.path.rpartition("/")[2] or self.path
        if self.type == "truncated":
            return f"{'  ' * self.depth}... {self.files} more"
        if self.type == "dir":
            return f"{'  ' * self.depth}{name}/ ({self.files} file{'s' * (self.files != 1)})"
        rank = "" if self.rank is None else f" {self.rank:.4f}"
        return f"{'  ' * self.depth}{name}{rank}"


@frozen(repr=False)
class Signature:
    """The repository on one page."""

    level: str
    markdown: str
    approx_tokens: int
    schema_version: str = "1.0"

    @classmethod
    def of(cls, level: str, markdown: str) -> Signature:
        """With its tokens counted as the kernel counts them: by length."""
        return cls(level, markdown, len(markdown) // CHARACTERS_PER_TOKEN)

    def __repr__(self) -> str:
        return self.markdown


@frozen(repr=False)
class Stats:
    """How large the project is and how well it was understood."""

    root: str
    file_count: int
    """Source files."""
    other_count: int
    """Files that are searched as text only."""
    skipped_count: int
    edge_count: int
    """Pairs of files, by direction."""
    symbol_count: int
    reference_count: int
    unique_symbols: int
    line_count: int
    languages: dict[str, int]
    error_count: int
    """Files with a line that could not be parsed."""
    test_count: int
    unresolved: int
    """Imports that should lead to a file of the project, or are only known when they run, and lead to none."""
    notes: tuple[str, ...] = field(default=())
    schema_version: str = "1.0"

    def __repr__(self) -> str:
        languages = ", ".join(f"{name} {count:,}" for name, count in self.languages.items())
        lines = [
            f"{self.root}: {self.file_count:,} source files ({languages}), {self.edge_count:,} edges, "
            f"{self.symbol_count:,} symbols, {self.reference_count:,} references",
            *self.notes,
        ]
        return "\n".join(lines)
