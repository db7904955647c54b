"""Plugins of third parties that break their contract: named once, never a traceback, never the end of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PROVIDER = """
from attrs import frozen
from aries_kernel.model.messages import StopReason
from aries_kernel.model.request import ModelInfo
from aries_kernel.model.stream import Stopped, TextPiece

@frozen
class Options:
    pass

class Broken:
    options_type = Options
    def __init__(self, context): pass
    def model_info(self, model): return ModelInfo(model)
    def known_models(self): return ()
    def check(self, model): pass
    async def close(self): pass
    async def stream(self, request):
        yield TextPiece("begun")
        {defect}
        yield Stopped(StopReason.END)
"""


@pytest.fixture
def aries(tmp_path: Path) -> Run:
    """Runs the command with one more distribution, whose module and entry points are given."""

    def run(*arguments: str, module: str, entry_points: str) -> subprocess.CompletedProcess[str]:
        site = tmp_path / "site"
        info = site / "example_broken-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example-broken\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")
        (site / "example_broken.py").write_text(textwrap.dedent(module), encoding="utf-8")
        (tmp_path / "t.jsonl").write_text('{"pieces": [{"text": "ok"}]}\n', encoding="utf-8")
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_"))}
        return subprocess.run(
            [sys.executable, "-m", "aries_cli", *arguments],
            cwd=tmp_path, env={**keep, "HOME": str(tmp_path), "PYTHONPATH": str(site)},
            stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
        )  # fmt: skip

    return run


def test_a_defect_of_a_command_is_reported_as_one(aries: Run) -> None:
    module = "import click\n@click.command()\ndef breaks():\n    raise ZeroDivisionError('one by none')\n"
    done = aries("breaks", module=module, entry_points="[aries.commands]\nbreaks = example_broken:breaks\n")
    assert done.returncode == 70 and done.stdout == ""
    assert done.stderr.splitlines()[-1] == "aries: A defect of aries, please report it: ZeroDivisionError: one by none"


@pytest.mark.parametrize("value", ["example_broken:nothing", "example_broken:not_a_factory", "example_broken:raises"])
def test_a_provider_that_is_none_is_named_in_a_line(aries: Run, value: str) -> None:
    module = """
    not_a_factory = 3
    def raises(context):
        raise KeyError("no")
    raises.options_type = int
    """
    entry_points = f"[aries.providers]\nbroken = {value}\n"
    done = aries("-p", "hi", "-m", "broken/x", module=module, entry_points=entry_points)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr and "broken" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("defect", ["raise ZeroDivisionError('one by none')", "yield 'a text'"])
def test_a_defect_of_a_provider_ends_the_turn_and_keeps_the_session(aries: Run, tmp_path: Path, defect: str) -> None:
    done = aries(
        "-p", "hi", "-m", "broken/x", "--output-format", "json",
        module=PROVIDER.format(defect=defect), entry_points="[aries.providers]\nbroken = example_broken:Broken\n",
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert (done.returncode, result["status"]) == (1, "failed") and "Traceback" not in done.stderr
    assert result["reason"].startswith("The provider broken failed inside: ")
    [log] = tmp_path.rglob("sessions/*.jsonl")
    assert json.loads(log.read_text(encoding="utf-8").splitlines()[-1])["type"] == "TurnEnded"


@pytest.mark.parametrize("hook", ["aries_before_model", "aries_after_turn", "aries_session_end"])
def test_a_hook_that_fails_while_the_session_runs_is_named_once(aries: Run, hook: str) -> None:
    module = f"""
    from aries_kernel.hookspecs import hookimpl
    @hookimpl
    def {hook}(session):
        raise SystemExit("enough")
    """
    entry_points = "[aries.plugins]\nbroken = example_broken\n"
    done = aries("-p", "hi", "-m", "replay/t.jsonl", module=module, entry_points=entry_points)
    assert (done.returncode, done.stdout) == (0, "ok\n")
    assert done.stderr.count("\n") == 1 and f"example-broken 1.0 (aries.plugins/broken): {hook} failed" in done.stderr
