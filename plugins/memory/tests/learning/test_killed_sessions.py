"""Three hundred sessions by four clients, killed at random: no finished one is lost, and none counts twice."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from ori_memory.memory import Memory
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import make_vault

TEA = "Green tea is brewed at 80 degrees"
SESSIONS = 75
LIBRARY = """
import pathlib, sys
from ori_memory.memory import Memory
from ori_memory.retrieval.answer import Asked
from ori_memory.vault.finding import open_vault
title, client, first, last = sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
vault = open_vault(pathlib.Path(sys.argv[1]))
for number in range(first, last):
    print("began", number, flush=True)
    with Memory.open(vault, session=f"{client}-{number}") as memory:
        memory.ask(Asked(f"{title} {client}x{number}", is_fast=True))
        memory.said(f"Session {number} of {client}: see [[{title}]].")
    print("done", number, flush=True)
"""
COMMANDS = """
import os, sys
root, title, client, first, last = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
from ori_memory.app import run
out, sys.stdout = sys.stdout, open(os.devnull, "w")
for number in range(first, last):
    print("began", number, file=out, flush=True)
    os.environ["ORI_SESSION"] = f"{client}-{number}"
    assert run(["--vault", root, "query", "ranked", f"{title} {client}x{number}", "--fast"]) == 0
    text = f"In {number} see [[{title}]]."
    assert run(["--vault", root, "add", f"Session {number} of {client}", "--content", text]) == 0
    print("done", number, file=out, flush=True)
"""


class Client:
    """Runs its sessions one after the other, in as many processes as it takes."""

    def __init__(self, root: Path, name: str, script: str) -> None:
        self.root, self.name, self.script = root, name, script
        self.done: set[int] = set()
        self.kills = 0
        self.error = ""

    def run(self) -> None:
        chance = random.Random(self.name)
        following = 0
        while following < SESSIONS:
            command = [sys.executable, "-c", self.script, str(self.root), TEA, self.name, str(following), str(SESSIONS)]
            patience = chance.randrange(6, 40)
            with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8")
                assert process.stdout is not None
                # To its end by one reader: `communicate` would drop lines that came together with the one before.
                for count, line in enumerate(process.stdout, 1):
                    following = self.take(line, following)
                    if count == patience:
                        process.kill()
                        self.kills += 1
                process.stdout.close()
                process.wait(timeout=120)
                errors.seek(0)
                self.error += errors.read()

    def take(self, line: str, following: int) -> int:
        word, _, number = line.strip().partition(" ")
        if not number:
            return following  # Killed in the middle of a line.
        if word == "done":
            self.done.add(int(number))
        return max(following, int(number) + 1)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_killed_clients_lose_no_finished_session_and_none_counts_twice(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    make_vault(root)
    config = root / "ori.config.yaml"
    text = config.read_text(encoding="utf-8").replace('# embedder: "minilm"', "embedder: ''")
    config.write_text(text, encoding="utf-8")
    (root / "notes" / f"{TEA}.md").write_text(f"# {TEA}\n\nHot.\n", encoding="utf-8")
    kinds = {"liba": LIBRARY, "libb": LIBRARY, "libc": LIBRARY, "cmds": COMMANDS}
    clients = [Client(root, name, script) for name, script in kinds.items()]
    threads = [threading.Thread(target=client.run) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=900)
    assert [client.error for client in clients] == [""] * 4
    assert sum(client.kills for client in clients) > 8
    with Memory.open(open_vault(root)) as memory:
        for _ in range(2):
            memory.teaching.learn()
        assert memory.warnings == ()
        credits = memory.learned.credits_of(memory.index.note(TEA).id)
        shown = memory.learned.shown()[memory.index.note(TEA).id].times
        assert memory.learned.status().soundness == "ok"
        events = memory.learned.open_events()
    cited = {one.words[-1]: one.sources.get("citation", 0) for one in credits}
    assert set(cited.values()) <= {0, 1}
    finished = {f"{client.name}x{number}" for client in clients for number in client.done}
    lost = {name for name in finished if cited.get(name, 0) != 1}
    sessions = {name.replace("x", "-") for name in lost}
    assert lost == set(), [event for event in events if event.session in sessions]
    killed = 4 * SESSIONS - len(finished)
    assert len(finished) <= shown <= len(finished) + killed
