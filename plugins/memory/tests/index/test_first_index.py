"""Several clients that meet a vault before it has an index."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from ori_memory.vault.making import make_vault

TEA = "Green tea is brewed at 80 degrees"


def test_whoever_asks_while_another_builds_the_first_index_is_answered_from_it(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault").root
    for number in range(40):
        (root / "notes" / f"n{number}.md").write_text(f"Filler {number}. [[n{number - 1}]]\n", encoding="utf-8")
    (root / "notes" / f"{TEA}.md").write_text("Hot.\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "ori_memory",
        "--vault",
        str(root),
        "query",
        "ranked",
        "--fast",
        "--json",
        "green tea",
    ]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") for _ in range(5)]
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert [answer["data"]["results"][0]["title"] for answer in answers] == [TEA] * 5
