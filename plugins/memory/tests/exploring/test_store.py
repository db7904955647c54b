"""Where explorations are kept: one store, several clients, an end after a day."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aries_kernel.errors import UserError
from ori_memory.exploring.exploration import Exploring
from ori_memory.exploring.navigating import conclude, expand, start
from ori_memory.exploring.steps import Step
from ori_memory.memory import Memory

Open = Callable[..., Memory]
ASKED = Exploring("bubye tributary limpopo", is_fast=True)

EXPAND = """
import sys
from pathlib import Path
from ori_memory.exploring.navigating import expand
from ori_memory.exploring.steps import Step
from ori_memory.memory import Memory
from ori_memory.vault.finding import open_vault
import datetime

day = datetime.datetime(2026, 3, 1, 13, tzinfo=datetime.UTC)
with Memory.open(open_vault(Path(sys.argv[1])), now=lambda: day) as memory:
    memory.index
    {before}
    for number in range(int(sys.argv[3])):
        expand(memory, sys.argv[2], Step(ask=f"moss {{number}} {{sys.argv[4]}}"))
"""
KILL_BEFORE_RENAME = "Path.replace = lambda *paths: __import__('os').kill(__import__('os').getpid(), 9)"


def process(vault: Path, id: str, count: int, name: str, before: str = "pass") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", EXPAND.format(before=before), str(vault), id, str(count), name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def test_two_processes_expand_the_same_exploration_and_no_step_is_lost(memory: Memory, vault: Path) -> None:
    id = start(memory, ASKED, budget=20).session.id
    clients = [process(vault, id, 4, name) for name in ("one", "two")]
    for client in clients:
        _, told = client.communicate(timeout=120)
        assert client.returncode == 0, told
    session = expand(memory, id, Step(ask="fern")).session
    assert [node.id for node in session.nodes] == [f"n{number}" for number in range(10)]
    assert session.spent == 9 and len({node.target for node in session.nodes}) == 10


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_a_client_killed_between_write_and_rename_leaves_the_session_as_it_was(memory: Memory, vault: Path) -> None:
    id = start(memory, ASKED).session.id
    client = process(vault, id, 1, "one", KILL_BEFORE_RENAME)
    client.communicate(timeout=120)
    folder = vault / ".ori" / "explorations"
    assert client.returncode == -signal.SIGKILL and list(folder.glob(".aries-*.tmp"))
    now = expand(memory, id, Step(ask="moss"))
    assert [node.target for node in now.session.nodes] == [ASKED.text, "moss"]
    assert not list(folder.glob(".aries-*.tmp"))


def test_after_a_day_without_use_it_has_expired(open_memory: Open) -> None:
    id = start(open_memory(), ASKED, budget=9).session.id
    expand(open_memory(20), id, Step(ask="moss"))
    expand(open_memory(43), id, Step(ask="fern"))
    with pytest.raises(UserError, match="has expired"):
        expand(open_memory(68), id, Step(ask="reed"))


def test_a_new_one_sweeps_the_expired(open_memory: Open, vault: Path) -> None:
    old = start(open_memory(), ASKED).session.id
    young = start(open_memory(23), ASKED).session.id
    newest = start(open_memory(25), ASKED).session.id
    assert {file.stem for file in (vault / ".ori" / "explorations").glob("*.json")} == {young, newest}
    with pytest.raises(UserError, match=young):
        conclude(open_memory(25), old)


def test_an_unknown_one_names_those_that_can_be_gone_on_with(memory: Memory) -> None:
    ids = [start(memory, ASKED).session.id for _ in range(2)]
    conclude(memory, ids[0])
    with pytest.raises(UserError) as error:
        expand(memory, "exp-0", Step(ask="moss"))
    assert ids[1] in str(error.value) and ids[0] not in str(error.value)


@pytest.mark.parametrize(
    "id", ["../../ori.config", "exp-../x", "", "exp-", "/etc/passwd", "exp-a.json", "exp-A", "exp-1\n"]
)
def test_an_id_is_no_path(memory: Memory, vault: Path, id: str) -> None:
    (vault / "ori.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserError):
        expand(memory, id, Step(ask="moss"))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": 1}', "null", "\udcff"])
def test_a_damaged_file_is_told_and_stands_in_nobodys_way(memory: Memory, vault: Path, text: str) -> None:
    id = start(memory, ASKED).session.id
    file = vault / ".ori" / "explorations" / f"{id}.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match="start anew"):
        expand(memory, id, Step(ask="moss"))
    other = start(memory, ASKED).session.id
    assert expand(memory, other, Step(ask="moss")).session.id == other


def test_where_nothing_can_be_written_it_says_so_and_explore_works(memory: Memory, vault: Path) -> None:
    (vault / ".ori" / "explorations").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserError, match="a vault that can be written"):
        start(memory, ASKED)
    assert memory.explore(ASKED).discoveries


def test_ids_cannot_be_guessed(open_memory: Open) -> None:
    ids = {start(open_memory(), ASKED).session.id for _ in range(3)}
    assert len(ids) == 3 and all(len(id) == len("exp-") + 16 for id in ids)
