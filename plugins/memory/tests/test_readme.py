"""What the README shows is run as it stands."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from ori_memory.app import main
from ori_memory.hooks.speaking import CLIENTS
from ori_memory.vault.making import init_vault

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL))


def run(arguments: list[str], cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    keep = {name: value for name, value in os.environ.items() if not name.startswith("ORI_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**keep, "HOME": str(cwd), "USERPROFILE": str(cwd)},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_the_first_two_minutes_work_line_by_line(tmp_path: Path) -> None:
    folder = tmp_path
    for line in BLOCKS["sh"].splitlines():
        words, stdin = shlex.split(line), ""
        if words[0] == "cd":
            folder = folder / words[1]
            continue
        if words[0] == "echo":
            stdin, words = words[1], words[words.index("|") + 1 :]
        assert words[0] == "ori"
        done = run(["-m", "ori_memory", *words[1:]], folder, stdin)
        assert done.returncode == 0, (line, done.stderr)
    assert (folder / "graph.html").is_file()


def test_the_example_of_the_library_runs(tmp_path: Path) -> None:
    done = run(["-c", BLOCKS["python"]], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'notes/Green tea is brewed at 80 degrees.md'" in done.stdout
    assert done.stdout.splitlines()[-1] == "notes/Green tea at 80 degrees.md"


def test_the_table_names_every_command_and_no_other(tmp_path: Path) -> None:
    told = set(re.findall(r"^\| `ori ([\w-]+)", README, re.MULTILINE))
    told |= set(re.findall(r"`ori (\w+) \w+`", README)) | set(re.findall(r", `ori (\w+)", README))
    known = set(main.list_commands(click.Context(main)))
    assert told == known
    init_vault(tmp_path)
    for first, second in re.findall(r"^\| `ori (query|graph|index|learned) ([\w-]+)", README, re.MULTILINE):
        assert run(["-m", "ori_memory", first, second, "--help"], tmp_path).returncode == 0


def test_the_readme_names_every_client_that_hooks_speak_to() -> None:
    told = README[README.index("`--client` names") : README.index("## Clients")]
    assert re.findall(r"`([a-z-]+)`", told.removeprefix("`--client`")) == list(CLIENTS)


def test_the_table_of_clients_is_what_they_did() -> None:
    results = Path(__file__).parents[3] / "bench" / "results" / "clients.json"
    told = README.partition("<!-- clients -->")[2].partition("<!-- end -->")[0].splitlines()[3:]
    for row, line in zip(json.loads(results.read_text(encoding="utf-8"))["clients"], told, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        did = [row["tool_called"], row["brief_told"], row["session_captured"]]
        assert cells[:2] == [row["client"], row["version"]]
        assert cells[3:6] == ["yes" if one else "no" for one in did]


def test_every_bridge_is_named_and_no_other() -> None:
    bridges = {folder.name for folder in (Path(__file__).parents[3] / "bridges").iterdir() if folder.is_dir()}
    told = README.partition("\nClients: ")[2].partition("Each is a distribution")[0]
    assert set(re.findall(r"`([a-z-]+)`", told)) == bridges
