"""`ori sql`: questions in SQL."""

from __future__ import annotations

import json
import sys

import click

from aries_kernel.console.table import table
from aries_kernel.console.width import terminal_width
from aries_kernel.errors import UserError
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering
from ori_memory.memory import Memory
from ori_memory.operations.sql import MOST_ROWS, SqlAnswer, SqlTable, describe_schema, run_sql

__all__ = ["sql"]

_WHOLE = ("id", "path", "source", "target")
"""How columns end that a narrow terminal leaves whole: half a path or id is of no use."""


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("statement", required=False)
@click.option("--limit", type=click.IntRange(1, MOST_ROWS), default=MOST_ROWS, help=f"Rows at most, up to {MOST_ROWS}.")
@click.option("--timeout", type=click.FloatRange(0.01, 60), default=2.0, help="Seconds; then it is killed.")
@click.option("--schema", is_flag=True, help="Tell what can be asked.")
@click.option("--stdin", "from_stdin", is_flag=True, help="Read the statement from standard input.")
@answering
def sql(context: Context, statement: str | None, limit: int, timeout: float, schema: bool, from_stdin: bool) -> int:
    """Run one STATEMENT that only reads, over the views v_note, v_link, v_dangling and more (--schema).

    A statement that begins with a comment is fine; options may stand before it or after it.
    """
    vault = context.vault()
    with Memory.open(vault) as memory:
        memory.index.close()  # Synced: an answer from a stale index would be a wrong one.
        warnings = list(memory.warnings)
    if schema:
        tables = describe_schema(vault)
        print_answer({"tables": tables}, as_json=context.wants_json, text=lambda: _schema(tables), warnings=warnings)
        return 0
    answer = run_sql(vault, _statement(statement, from_stdin), limit=limit, seconds=timeout)
    if answer.is_truncated:
        warnings.append(f"There are more rows than the {len(answer.rows):,} that are shown.")
    if answer.cells_cut:
        warnings.append(f"{answer.cells_cut:,} texts were longer than 4,096 bytes and were cut there.")
    print_answer(answer, as_json=context.wants_json, text=lambda: _rows(answer), warnings=warnings)
    return 0


def _statement(given: str | None, from_stdin: bool) -> str:
    if from_stdin or given == "-":
        if given not in (None, "-"):
            raise UserError("Give the statement either as an argument or with --stdin, not both.")
        return sys.stdin.buffer.read(1 << 20).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if given is None:
        raise UserError('Give a statement: ori sql "select path from v_note". What can be asked: ori sql --schema')
    if given.startswith("-") and not any(sign in given for sign in " \n\t"):
        raise UserError(f"There is no option '{given}'. See: ori sql --help")
    return given


def _rows(answer: SqlAnswer) -> str:
    shown = [[_shown(cell) for cell in row] for row in answer.rows]
    count = f"{len(shown)} row{'' if len(shown) == 1 else 's'}"
    free = [name for name in answer.columns if not name.lower().endswith(_WHOLE)]
    return f"{table(answer.columns, shown, free=free, width=terminal_width())}\n({count})"


def _shown(cell: object) -> str:
    if cell is None:
        return "NULL"
    return json.dumps(cell) if isinstance(cell, dict) else str(cell)


def _schema(tables: tuple[SqlTable, ...]) -> str:
    lines = []
    for one in tables:
        rows = f"{one.rows:,} rows" if one.rows >= 0 else "rows not known"
        lines.append(f"{one.kind} {one.name} ({rows}): {one.about}")
        lines += [f"  {column.name}{f'  {column.note}' if column.note else ''}" for column in one.columns]
    return "\n".join(lines)
