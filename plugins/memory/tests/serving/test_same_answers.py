"""Command line, server, socket and library give the same answer for the same question, and teach the same."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ori_memory.answer import plain
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.retrieval.telling import answer_data
from ori_memory.serving.asking_server import DOOR, SOCKET, ask_server
from ori_memory.serving.desk import Desk
from ori_memory.serving.told import Call
from ori_memory.vault.finding import open_vault
from ori_memory.vault.vault import Vault

sys.path.insert(0, str(Path(__file__).parent))
from talking import environment

QUESTION = "how hot is green tea brewed"
NOTE = "notes/Green tea is brewed at 80 degrees.md"
CHANGING = {"duration_ms", "elapsed_ms", "milliseconds", "id", "modified", "vault", "created", "exploration_id"}
PAIRS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("ori_status", {}, ["status"]),
    ("ori_health", {}, ["health"]),
    ("ori_wake", {}, ["wake"]),
    ("ori_query", {"kind": "orphans"}, ["query", "orphans"]),
    ("ori_query", {"kind": "dangling"}, ["query", "dangling"]),
    ("ori_query", {"kind": "cross-project"}, ["query", "cross-project"]),
    ("ori_query", {"kind": "backlinks", "note": "Kettles have thermometers"},
     ["query", "backlinks", "Kettles have thermometers"]),
    ("ori_query_ranked", {"query": QUESTION}, ["query", "ranked", QUESTION]),
    ("ori_query_ranked", {"query": "rye", "limit": 2, "as_of": "2026-02-01", "folder": "notes"},
     ["query", "ranked", "rye", "--limit", "2", "--as-of", "2026-02-01", "--folder", "notes"]),
    ("ori_query_similar", {"query": QUESTION}, ["query", "similar", QUESTION]),
    ("ori_query_important", {}, ["query", "important"]),
    ("ori_query_fading", {"threshold": 1}, ["query", "fading", "--threshold", "1"]),
    ("ori_warmth", {"context": "tea"}, ["query", "warm", "tea"]),
    ("ori_explore", {"query": "green tea and kettles"}, ["explore", "green tea and kettles"]),
    ("ori_explore_start", {"query": "green tea"}, ["explore-start", "green tea"]),
    ("ori_validate", {"path": NOTE}, ["validate", NOTE]),
    ("ori_validate", {}, ["validate", "--all"]),
    ("ori_prune", {}, ["prune"]),
    ("ori_sql", {"sql": "select path, type from v_note order by path"},
     ["sql", "select path, type from v_note order by path"]),
    ("ori_read", {"note": NOTE}, ["read", NOTE]),
    ("ori_add", {"title": "Oolong likes ninety degrees", "content": "It is between green and black.", "tags": ["tea"]},
     ["add", "Oolong likes ninety degrees", "--content", "It is between green and black.", "--tag", "tea"]),
    ("ori_forget", {"query": "Rye bread rises slowly", "apply": True}, ["forget", "Rye bread rises slowly", "--apply"]),
    ("ori_update", {"file": "goals", "content": "- bake"}, ["update", "goals", "--content", "- bake"]),
    ("ori_index_build", {}, ["index", "build"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "command"), PAIRS, ids=[" ".join(pair[2])[:40] for pair in PAIRS])
def test_a_tool_tells_what_the_command_tells(
    vault: Vault, home: Path, tmp_path: Path, name: str, given: dict[str, Any], command: list[str]
) -> None:
    with Memory.open(vault) as memory:
        memory.sync()
    twin = open_vault(Path(shutil.copytree(vault.root, tmp_path / "twin")))
    printed = run(twin, home, *command)
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    told = json.loads(desk.answer(name, given, Call()).text)
    desk.close()
    assert bare(told["data"], vault) == bare(printed["data"], twin)
    assert told["success"] == printed["success"]
    assert learned(vault) == learned(twin)


def test_a_server_that_runs_answers_commands_as_they_answer_by_themselves(vault: Vault, home: Path, desk: Desk) -> None:
    ready(desk)
    (vault.root / "notes" / "Quince.md").write_text("# Quince\n\nJelly of quinces sets by itself.\n", encoding="utf-8")
    for command in (["query", "ranked", "jelly of quinces"], ["query", "similar", QUESTION], ["validate", NOTE]):
        by_server = run(vault, home, *command)
        desk.door.stop()
        assert not (vault.state_folder / SOCKET).exists() and not (vault.state_folder / DOOR).exists()
        alone = run(vault, home, *command)
        assert by_server == alone
        desk.door.start()
        ready(desk)


LOADED = """
import sys
from ori_memory.app import run
code = run(sys.argv[1:])
print("ori_memory.retrieval.asking" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("command", [["query", "ranked", QUESTION], ["query", "similar", QUESTION]])
def test_a_command_that_a_server_answers_loads_nothing_to_answer_it(
    vault: Vault, home: Path, desk: Desk, command: list[str]
) -> None:
    ready(desk)
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "--vault", str(vault.root), *command, "--json"],
        env=environment(home),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert json.loads(done.stdout)["success"]
    assert done.stderr.splitlines()[-1] == "False"


def test_the_library_gives_what_the_server_gives(vault: Vault, desk: Desk) -> None:
    told = json.loads(desk.answer("ori_query_ranked", {"query": QUESTION}, Call()).text)
    with Memory.open(vault, environ={"ORI_NO_BACKGROUND": "1"}) as memory:
        assert told["data"] == plain(answer_data(memory.ask(Asked(QUESTION))))


def test_a_door_takes_errands_of_its_own_version_alone(
    vault: Vault, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(desk)
    assert ask_server(vault, "validate", {"note": NOTE}) is not None
    assert ask_server(vault, "validate", {"note": "nobody"}) is None
    assert ask_server(vault, "remove", {}) is None
    monkeypatch.setattr("ori_memory.serving.asking_server.__version__", "0.0.1")
    assert ask_server(vault, "validate", {"note": NOTE}) is None


def test_a_vault_whose_path_is_too_long_for_a_socket_has_a_door_all_the_same(tmp_path: Path) -> None:
    from talking import make_vault

    vault = make_vault(tmp_path / ("long" * 30) / "vault")
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    ready(desk)
    door = json.loads((vault.state_folder / DOOR).read_text(encoding="utf-8"))
    assert ask_server(vault, "validate", {"note": NOTE}) is not None
    (vault.state_folder / DOOR).write_text(json.dumps({**door, "token": "wrong"}), encoding="utf-8")
    assert ask_server(vault, "validate", {"note": NOTE}) is None
    desk.close()
    assert not (vault.state_folder / DOOR).exists()


@pytest.mark.parametrize("line", [b"", b"\n", b"{\n", b"[]\n", b'{"version": 1}\n', b"\xff\n", b"[" * 50_000 + b"\n"])
def test_whatever_comes_through_the_door_is_refused_in_words(vault: Vault, desk: Desk, line: bytes) -> None:
    ready(desk)
    with at_the_door(vault) as guest:
        guest.sendall(line)
        guest.shutdown(socket.SHUT_WR)
        with guest.makefile("rb") as file:
            assert "refused" in json.loads(file.read())
    assert ask_server(vault, "validate", {"note": NOTE}) is not None


def test_what_is_forgotten_and_superseded_is_gone_from_the_next_answer(desk: Desk) -> None:
    def found(question: str) -> list[str]:
        told = json.loads(desk.answer("ori_query_ranked", {"query": question}, Call()).text)
        return [one["title"] for one in told["data"]["results"]]

    assert "Rye bread rises slowly" in found("rye bread")
    desk.answer("ori_forget", {"query": "Rye bread rises slowly", "apply": True}, Call())
    assert "Rye bread rises slowly" not in found("rye bread")
    new = {"title": "Kettles have no thermometers", "supersedes": "Kettles have thermometers"}
    desk.answer("ori_add", new, Call())
    assert "Kettles have thermometers" not in found("kettles thermometers")


def test_a_second_server_of_a_vault_takes_over_the_door(vault: Vault, desk: Desk) -> None:
    ready(desk)
    second = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    second.start()
    assert second.keeper.is_synced.wait(60) and second.keeper.is_warm.wait(60)
    assert not second.door.is_open.is_set()
    desk.door.stop()
    assert second.door.is_open.wait(60)
    assert ask_server(vault, "validate", {"note": NOTE}) is not None
    second.close()
    assert not (vault.state_folder / SOCKET).exists()


def test_a_socket_that_a_killed_server_left_is_no_hindrance(vault: Vault, home: Path) -> None:
    (vault.state_folder / SOCKET).write_text("", encoding="utf-8")
    assert run(vault, home, "query", "ranked", QUESTION)["data"]["results"][0]["path"] == NOTE
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    ready(desk)
    desk.close()
    assert not (vault.state_folder / SOCKET).exists()


def at_the_door(vault: Vault) -> socket.socket:
    """A guest that has said nothing yet; by a port where the path is too long for a socket of the vault."""
    place = vault.state_folder / SOCKET
    if place.exists():
        guest = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        guest.connect(str(place))
        return guest
    port = json.loads((vault.state_folder / DOOR).read_text(encoding="utf-8"))["port"]
    return socket.create_connection(("127.0.0.1", port))


def ready(desk: Desk) -> None:
    """Wait until the server answers errands."""
    assert desk.keeper.is_synced.wait(60) and desk.keeper.is_warm.wait(60) and desk.door.is_open.wait(60)


def run(vault: Vault, home: Path, *command: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "ori_memory", "--vault", str(vault.root), *command, "--json"],
        env=environment(home),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def bare(value: Any, vault: Vault) -> Any:
    """Without what differs from one moment, or one vault, to the next."""
    if isinstance(value, dict):
        return {name: bare(one, vault) for name, one in value.items() if name not in CHANGING}
    if isinstance(value, list):
        return [bare(one, vault) for one in value]
    if isinstance(value, str) and "index of" in value:
        return value.split("index of")[0]
    return "history" if isinstance(value, str) and "/.history/" in value else value


def learned(vault: Vault) -> Any:
    with Memory.open(vault) as memory:
        paths = {note.id: note.path for note in memory.index.notes()}
        counts = sorted((paths[id], one.count) for id, one in memory.learned.accesses().items())
        boosts = sorted((paths[id], round(value, 3)) for id, value in memory.learned.boosts().items())
    return counts, boosts
