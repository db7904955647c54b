"""`aries graph`: questions about the repository, answered from its graph."""

from __future__ import annotations

from pathlib import Path

import click

from aries_body.commands.asking import Answerer, about, asking, limited
from aries_body.commands.judging import COMMANDS
from aries_body.operations.results import Dependency, Found, UseRow
from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError

__all__ = ["graph"]


@click.group()
def graph() -> None:
    """Ask about the repository: what matters, who uses what, where something is.

    The index is kept in the cache folder and brought up to date with every command.
    """


@graph.command(help=about("top_files"))
@limited(20)
@asking
def top(answerer: Answerer, limit: int) -> int:
    found = answerer.codebase.top_files(limit)
    return answerer.tell_rows(
        found,
        ("RANK", "SYMBOLS", "REFERENCES", "FILE"),
        lambda one: (f"{one.rank:.5f}", one.symbols, one.references, one.path),
    )


@graph.command(help=about("show_dependencies"))
@click.argument("file")
@click.option("--depth", type=click.IntRange(min=1), default=1, show_default=True, help="Steps to follow.")
@limited(50)
@asking
def deps(answerer: Answerer, file: str, depth: int, limit: int) -> int:
    return _neighbours(answerer, answerer.codebase.show_dependencies(file, depth, limit))


@graph.command(help=about("show_dependents"))
@click.argument("file")
@click.option("--depth", type=click.IntRange(min=1), default=1, show_default=True, help="Steps to follow.")
@limited(50)
@asking
def dependents(answerer: Answerer, file: str, depth: int, limit: int) -> int:
    return _neighbours(answerer, answerer.codebase.show_dependents(file, depth, limit))


def _neighbours(answerer: Answerer, found: Found[Dependency]) -> int:
    return answerer.tell_rows(
        found,
        ("DEPTH", "COUNT", "KINDS", "FILE"),
        lambda one: (
            one.depth,
            one.count or "",
            ", ".join(one.kinds) + (" (without import)" if one.is_indirect else ""),
            one.path,
        ),
    )


@graph.command(help=about("trace_path"))
@click.argument("from_file")
@click.argument("to_file")
@click.option("--max-depth", type=click.IntRange(min=1), default=10, show_default=True, help="Steps at most.")
@asking
def path(answerer: Answerer, from_file: str, to_file: str, max_depth: int) -> int:
    codebase = answerer.codebase
    way = codebase.trace_path(from_file, to_file, max_depth)

    def text() -> str:
        lines = list(way.items[:1])
        for source, target in zip(way.items, way.items[1:], strict=False):
            first = codebase.evidence(source, target)[0]
            lines.append(f"  {first.kind} {first.symbol}".rstrip() + f", line {first.line}\n{target}")
        return "\n".join(lines) or way.note

    return answerer.tell(way, text)


@graph.command(help=about("communities"))
@limited(20)
@asking
def communities(answerer: Answerer, limit: int) -> int:
    found = answerer.codebase.communities(limit)
    return answerer.tell_rows(
        found,
        ("ID", "FILES", "COHESION", "NAME", "CENTRAL FILES"),
        lambda one: (one.id, len(one.members), f"{one.cohesion:.2f}", one.name, ", ".join(one.members[:3])),
        free=("NAME", "CENTRAL FILES"),
    )


@graph.command(help=about("cycles"))
@limited(20)
@asking
def cycles(answerer: Answerer, limit: int) -> int:
    found = answerer.codebase.cycles(limit)
    return answerer.tell_rows(found, ("FILES", "A WAY ROUND"), lambda one: (len(one.members), " > ".join(one.example)))


@graph.command(help=about("search"))
@click.argument("query")
@click.option("--path", "within", metavar="PATH", help="A folder, a file, or a glob.")
@click.option("--regex", is_flag=True, help="The query is a regular expression.")
@click.option("--word", is_flag=True, help="Only whole words.")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Matches to pass over.")
@limited(30)
@asking
def search(answerer: Answerer, query: str, within: str | None, regex: bool, word: bool, offset: int, limit: int) -> int:
    found = answerer.codebase.search(query, limit, regex, within, word, offset)
    return answerer.tell_rows(
        found,
        ("KIND", "PLACE", "LINE"),
        lambda one: (one.kind, f"{one.path}:{one.line}", one.text.strip()),
        free=("LINE",),
    )


@graph.command(help=about("find_symbol"))
@click.argument("name")
@click.option("--kind", help="Only symbols of this kind: class, function, method, ...")
@asking
def symbol(answerer: Answerer, name: str, kind: str | None) -> int:
    found = answerer.codebase.find_symbol(name, kind)
    return answerer.tell_rows(
        found,
        ("KIND", "PLACE", "SIGNATURE", "ABOUT"),
        lambda one: (one.kind, f"{one.path}:{one.line}", one.signature or one.name, one.doc),
        free=("SIGNATURE", "ABOUT"),
    )


@graph.command(help=about("callers"))
@click.argument("name")
@limited(50)
@asking
def callers(answerer: Answerer, name: str, limit: int) -> int:
    found = answerer.codebase.callers(name, limit)
    return answerer.tell_rows(
        found, ("KIND", "PLACE", "IN", "WHAT"), lambda one: (one.kind, f"{one.path}:{one.line}", one.inside, one.target)
    )


@graph.command(help=about("callees"))
@click.argument("name")
@limited(50)
@asking
def callees(answerer: Answerer, name: str, limit: int) -> int:
    def row(one: UseRow) -> tuple[object, ...]:
        return one.kind, f"{one.path}:{one.line}", f"{one.target_path}::{one.target}"

    return answerer.tell_rows(answerer.codebase.callees(name, limit), ("KIND", "PLACE", "WHAT"), row)


@graph.command(help=about("tests_for"))
@click.argument("file")
@limited(20)
@asking
def tests(answerer: Answerer, file: str, limit: int) -> int:
    return answerer.tell_rows(
        answerer.codebase.tests_for(file, limit),
        ("DEPTH", "USES", "TEST"),
        lambda one: (one.depth, one.count or "", one.path),
    )


@graph.command(help=about("co_changes"))
@click.argument("file")
@limited(20)
@asking
def together(answerer: Answerer, file: str, limit: int) -> int:
    return answerer.tell_rows(
        answerer.codebase.co_changes(file, limit),
        ("COMMITS", "SHARE", "FILE"),
        lambda one: (one.commits, f"{one.share:.0%}", one.path),
    )


@graph.command(help=about("unused_exports"))
@limited(50)
@asking
def unused(answerer: Answerer, limit: int) -> int:
    return answerer.tell_rows(
        answerer.codebase.unused_exports(limit),
        ("KIND", "PLACE", "NAME", "USED IN ITS FILE"),
        lambda one: (
            one.symbol.kind,
            f"{one.symbol.path}:{one.symbol.line}",
            one.symbol.name,
            "yes" if one.is_used_here else "no",
        ),
    )


@graph.command(help=about("unresolved"))
@limited(50)
@asking
def unresolved(answerer: Answerer, limit: int) -> int:
    return answerer.tell_rows(
        answerer.codebase.unresolved(limit),
        ("REASON", "PLACE", "IMPORT"),
        lambda one: (one[1].reason, f"{one[0]}:{one[1].line}", one[1].text),
    )


@graph.command(help=about("skipped"))
@asking
def skipped(answerer: Answerer) -> int:
    return answerer.tell_rows(answerer.codebase.skipped(), ("PLACE", "REASON"), lambda one: one)


@graph.command("map", help=about("map"))
@click.argument("folder", default=".")
@click.option("--depth", type=click.IntRange(min=1), default=3, show_default=True, help="Folders to go down.")
@limited(200)
@asking
def map_(answerer: Answerer, folder: str, depth: int, limit: int) -> int:
    found = answerer.codebase.map(folder, depth, limit)
    return answerer.tell(found, lambda: "\n".join(repr(one) for one in found) or "no files")


@graph.command(help=about("page"))
@click.argument("output", type=click.Path(path_type=Path, dir_okay=False), default="graph.html")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@asking
def html(answerer: Answerer, output: Path, force: bool) -> int:
    place = output.resolve()
    if place.exists() and not force:
        raise UserError(f"{output} exists. Choose another name, or write over it with --force.")
    if not place.parent.is_dir():
        raise UserError(f"{place.parent}: there is no such folder.")
    data = answerer.codebase.page().encode("ascii")
    replace_bytes(place, data)
    return answerer.tell({"file": place.as_posix(), "bytes": len(data)}, lambda: str(place))


@graph.command(help=about("stats"))
@asking
def stats(answerer: Answerer) -> int:
    found = answerer.codebase.stats()

    def text() -> str:
        languages = ", ".join(f"{name} {count:,}" for name, count in found.languages.items())
        rows = {
            "root": found.root,
            "source files": f"{found.file_count:,} ({languages or 'none'}), {found.test_count:,} of them tests",
            "other text files": f"{found.other_count:,}",
            "left out": f"{found.skipped_count:,}",
            "lines": f"{found.line_count:,}",
            "symbols": f"{found.symbol_count:,} ({found.unique_symbols:,} names)",
            "references": f"{found.reference_count:,}",
            "edges": f"{found.edge_count:,}",
            "files with syntax errors": f"{found.error_count:,}",
            "imports that lead nowhere": f"{found.unresolved:,}",
        }
        width = max(map(len, rows))
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())

    return answerer.tell(found, text)


for _command in COMMANDS:
    graph.add_command(_command)
