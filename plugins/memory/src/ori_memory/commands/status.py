"""`ori status`, `ori health`, `ori doctor`: how the vault is."""

from __future__ import annotations

import platform
import sqlite3

import attrs
import click

from aries_kernel.errors import AriesError
from ori_memory import __version__
from ori_memory.answer import print_answer
from ori_memory.app import Context, answering, plugins
from ori_memory.memory import Memory
from ori_memory.operations.caring import Health, Status, mend
from ori_memory.operations.caring import health as health_of
from ori_memory.operations.caring import status as status_of
from ori_memory.vault.vault import Vault

__all__ = ["doctor", "health", "status"]

_SHOWN = 10


@click.command()
@answering
def status(context: Context) -> int:
    """The vault at a glance."""
    with Memory.open(context.vault()) as memory:
        found = status_of(memory)
        print_answer(found, as_json=context.wants_json, text=lambda: _status(found), warnings=memory.warnings)
    return 0


@click.command()
@click.option("--fix", is_flag=True, help="Do what is safe: finish what was cut short, build the index anew.")
@click.option("--strict", is_flag=True, help="Exit code 1 where something needs care.")
@answering
def health(context: Context, fix: bool, strict: bool) -> int:
    """What needs care: links that lead nowhere, notes nobody links to, invalid and unreadable notes."""
    with Memory.open(context.vault()) as memory:
        done = mend(memory) if fix else ()
        found = attrs.evolve(health_of(memory), mended=done)
        print_answer(found, as_json=context.wants_json, text=lambda: _health(found), warnings=memory.warnings)
    is_well = not (found.dangling or found.ambiguous or found.invalid or found.quarantined)
    return 1 if strict and not is_well else 0


@click.command()
@answering
def doctor(context: Context) -> int:
    """Check that everything ori needs works here."""
    rows = [("ok", "ori", f"{__version__} on Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")]
    problems = plugins().check()
    rows += [("wrong", "plugin", str(problem)) for problem in problems]
    with Memory.open(context.vault()) as memory:
        index = memory.index.status()
        rows.append(("ok", "vault", str(memory.vault.root)))
        rows.append(("note" if index.is_temporary else "ok", "index", f"{index.notes} notes, {index.size:,} bytes"))
        rows += [("note", "file", f"{one.path}: {one.reason}") for one in index.quarantine]
        rows.append(_embedder(memory.vault))
        learned = memory.learned.status().soundness
        rows.append(("ok" if learned in ("ok", "absent") else "wrong", "learned", learned))
        rows += [("note", "vault", warning) for warning in memory.warnings]
    data = [{"grade": grade, "what": what, "text": text} for grade, what, text in rows]
    print_answer(data, as_json=context.wants_json, text=lambda: "\n".join(f"{a:5}  {b}: {c}" for a, b, c in rows))
    return 1 if any(grade == "wrong" for grade, _, _ in rows) else 0


def _embedder(vault: Vault) -> tuple[str, str, str]:
    """Whether a text becomes a vector; without any embedder notes are found by their words all the same."""
    from ori_memory.vectors.loading import load_embedder

    try:
        embedder = load_embedder(vault)
        if isinstance(embedder, str):
            return "note", "embedder", embedder
        size = len(embedder.embed_query("A sentence.")) // 4
        return "ok", "embedder", f"{embedder.fingerprint}, {size} numbers a passage"
    except Exception as error:  # Foreign code.
        told = str(error) if isinstance(error, AriesError) else f"{type(error).__name__}: {error}"
        return "wrong", "embedder", f"{vault.config.embedding.embedder}: {told}"


def _status(found: Status) -> str:
    return (
        f"{found.vault}\n{found.notes} notes, {found.inbox} in the inbox, {found.orphans} that nobody links to, "
        f"{found.dangling} links that lead nowhere"
    )


def _health(found: Health) -> str:
    parts = [
        f"{found.notes} notes",
        *found.mended,
        *_part(
            "links that lead nowhere",
            [f"[[{target}]] in {', '.join(sources[:3])}" for target, sources in found.dangling],
        ),
        *_part(
            "links that several notes answer to", [f"[[{t}]] in {s}: {', '.join(c)}" for s, t, c in found.ambiguous]
        ),
        *_part("notes that are not valid", [f"{path}: {'; '.join(errors)}" for path, errors in found.invalid]),
        *_part("notes with odd bytes", [f"{path}: {remark}" for path, remark in found.odd]),
        *(
            _part("copies that a synchroniser left", [f"{path}, beside {one}" for path, one in found.copies])
            if found.copies
            else ()
        ),
        *_part("files that are left out", [f"{path}: {reason}" for path, reason in found.quarantined]),
        *_part("notes that nobody links to", list(found.orphans)),
        *_part("notes that fade", [f"{path}: {value:.2f}" for path, value in found.fading]),
        f"learned store: {found.learned}",
        *(
            f"evidence {name} has found nothing in any session; `ori plugins` and its README say what it needs"
            for name in found.silent_evidence
        ),
    ]
    return "\n".join(parts)


def _part(title: str, lines: list[str]) -> list[str]:
    more = len(lines) - _SHOWN
    shown = [f"  {line}" for line in lines[:_SHOWN]] + ([f"  ... and {more} more"] if more > 0 else [])
    return [f"{len(lines)} {title}", *shown]
