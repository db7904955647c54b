"""`aries usage`: tokens and money, from the records that sessions keep."""

from __future__ import annotations

import datetime
import json
import shutil

import attrs
import click

from aries_cli.opening import Flags
from aries_cli.sessions import open_store
from aries_cli.spending_report import KEYS, Sum, avoidable, summed
from aries_kernel.console.table import table
from aries_kernel.host import Surroundings
from aries_kernel.model.spending import Spending
from aries_kernel.router.ledger import read_spendings

__all__ = ["usage"]


@click.command()
@click.option("--by", type=click.Choice(list(KEYS)), default="day", show_default=True, help="What a line stands for.")
@click.option("--days", type=click.IntRange(min=1), help="Only the last so many days, today included.")
@click.option("--session", "session", metavar="ID", help="Only this session; a unique beginning of its id will do.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_obj
def usage(flags: Flags, by: str, days: int | None, session: str | None, as_json: bool) -> int:
    """Show what was spent: every request, also hidden ones and those that failed."""
    surroundings, problems = flags.surroundings(), list[str]()
    found = _chosen(surroundings, days, session, problems)
    sums, total = summed(found, by), Sum("total")
    for one in found:
        total.add(one)
    if as_json:
        document = {
            "by": by,
            "rows": [_plain(one) for one in sums],
            "total": _plain(total),
            "avoidable_misses": [{"reason": reason, "tokens": tokens} for reason, tokens in avoidable(found)],
            "problems": problems,
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    elif not found:
        click.echo("Nothing was spent yet." if days is None and session is None else "Nothing was spent there.")
    else:
        _print(by, [*sums, total] if len(sums) > 1 else sums, avoidable(found))
    if not as_json:
        for problem in problems:
            click.echo(f"aries: {problem}", err=True)
    return 0


def _chosen(surroundings: Surroundings, days: int | None, session: str | None, problems: list[str]) -> list[Spending]:
    """What the options ask for.

    Raises: UnknownName, UserError for a session that cannot be meant.
    """
    folder = surroundings.state_folder / "usage"
    today = surroundings.now().replace(hour=0, minute=0, second=0, microsecond=0)
    first = today - datetime.timedelta(days=days - 1) if days is not None else None
    since = first.timestamp() if first is not None else 0.0
    found = list(read_spendings(folder, problems, since=since))
    if first is not None:
        found = [one for one in found if one.at[:10] >= f"{first:%Y-%m-%d}"]
    if session is None:
        return found
    known = {one.session for one in found}
    id = session if session in known else open_store(surroundings).find(session).stem
    return [one for one in found if one.session == id]


def _plain(one: Sum) -> dict[str, object]:
    return {
        "key": one.key,
        "requests": one.requests,
        "failed": one.failed,
        "hidden": one.hidden,
        **attrs.asdict(one.usage),
        "cache_missed": one.missed,
        "cost_usd": round(one.known_cost, 9) if one.unknown < one.requests or not one.requests else None,
        "requests_of_unknown_cost": one.unknown,
    }


def _print(by: str, sums: list[Sum], misses: list[tuple[str, int]]) -> None:
    header = (by.upper(), "REQUESTS", "FRESH", "CACHED", "STORED", "MISSED", "OUTPUT", "US$")
    rows = [
        (
            one.key,
            f"{one.requests}{f' ({one.hidden} hidden)' if one.hidden else ''}",
            *(f"{count:,}" for count in _counts(one)),
            one.cost,
        )
        for one in sums
    ]
    click.echo(
        table(header, rows, free=(by.upper(),) if by == "model" else (), width=shutil.get_terminal_size().columns)
    )
    if misses:
        click.echo("\nTokens that a cache would have served, and why it could not:")
        click.echo(table(("TOKENS", "REASON"), [(f"{tokens:,}", reason) for reason, tokens in misses]))


def _counts(one: Sum) -> tuple[int, ...]:
    return one.usage.input, one.usage.cache_read, one.usage.cache_write, one.missed, one.usage.output
