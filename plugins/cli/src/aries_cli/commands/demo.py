"""`aries demo`: a scripted model and real tools, on a copy of the current folder."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import click

from aries_cli.exit_codes import exit_code
from aries_cli.opening import Flags, make_host, real_surroundings
from aries_cli.running import run_once
from aries_cli.transcript import Transcript

__all__ = ["demo"]

_MOST_FILES = 3_000
_MOST_BYTES = 50_000_000
_SCRIPT = Path(__file__).with_name("demo.jsonl")


@click.command()
@click.pass_obj
def demo(flags: Flags) -> int:
    """Show a session without a key: a scripted model, real tools, a copy of this folder."""
    source = flags.folder()
    # Not ignoring errors would end a good demo with a traceback where a virus scanner still holds a file.
    with tempfile.TemporaryDirectory(prefix="aries-demo-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        work = folder / "work"
        work.mkdir()
        count = _copy(source, work)
        script = folder / "script.jsonl"
        shutil.copyfile(_SCRIPT, script)
        click.echo(
            "This is a demonstration. The model is a script: it knows nothing and says the same every time.\n"
            f"The tools are real and work on a copy of {source} ({count} files), removed at the end.\n"
        )
        return _play(flags, folder, work, script)


def _play(flags: Flags, folder: Path, work: Path, script: Path) -> int:
    surroundings = attrs.evolve(real_surroundings(), state_folder=folder / "state")
    chosen = attrs.evolve(flags, cwd=None, model=f"replay/{script}", permissions="all", phase="lean")
    host = make_host(chosen, surroundings, cwd=work, show=Transcript(sys.stdout))
    _, outcome = asyncio.run(
        run_once(host, "Look around, then write a small program and run it.", resume=None, fork=False)
    )
    click.echo(
        f"\n{outcome.status.value}: {outcome.answers} answers, {outcome.calls} calls, {outcome.seconds:.1f} s. "
        "Now with a model of your own:\n  export OPENAI_API_KEY=...\n  aries -p 'What does this project do?'"
    )
    return exit_code(outcome.status)


def _copy(source: Path, target: Path) -> int:
    """Copy what belongs to the project; gives the number of files."""
    count = size = 0
    for name in _names(source):
        file = source / name
        if file.is_symlink() or not file.is_file():
            continue
        size += file.stat().st_size
        if count >= _MOST_FILES or size > _MOST_BYTES:
            break
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target / name)
        count += 1
    return count


def _names(source: Path) -> Iterator[Path]:
    command = ["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        yield from _walk(source)
        return
    for name in listed.decode("utf-8", "surrogateescape").split("\0"):
        if name:
            yield Path(name)


def _walk(source: Path) -> Iterator[Path]:
    for file in sorted(source.rglob("*")):
        path = file.relative_to(source)
        if not any(part.startswith(".") or part in ("node_modules", "__pycache__") for part in path.parts):
            yield path
