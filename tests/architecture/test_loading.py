"""What importing our modules does: nothing heavy, nothing printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ori_memory.index.index import open_index
from ori_memory.vault.making import make_vault

HEAVY = (
    "alembic", "bs4", "graspologic_native", "httpx", "importlib.metadata", "mcp", "numpy", "onnxruntime", "rustworkx",
    "sqlalchemy", "stevedore", "threadpoolctl",
    "tokenizers", "urwid",
)  # fmt: skip

IMPORT_ALL = """
import importlib, json, sys
sys.path += json.loads(sys.argv[3])
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
print(json.dumps([name for name in json.loads(sys.argv[2]) if name in sys.modules]))
"""


def test_importing_every_module_imports_nothing_heavy_and_prints_nothing(sources: list[Any]) -> None:
    modules = [
        ".".join([source.member, *source.place.removesuffix(".py").removesuffix("__init__").strip("/").split("/")])
        for source in sources
        if not source.place.endswith("__main__.py") and not source.place.startswith("testing/")
    ]
    names = [module.strip(".") for module in modules]
    # Members that are not installed here are importable all the same: what they need comes with their first use.
    folders = sorted({str(source.path)[: -len(f"{source.member}/{source.place}")] for source in sources})
    command = [sys.executable, "-I", "-W", "error", "-c", IMPORT_ALL, json.dumps(names), json.dumps(HEAVY)]
    command.append(json.dumps(folders))
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert (done.stdout, done.stderr) == ("[]\n", "")


WRITING = (
    "ori_memory.index.applying", "ori_memory.index.linking", "ori_memory.index.mentioning", "ori_memory.index.writing",
    "ori_memory.index.understanding", "ori_memory.index.updating", "ori_memory.links.scanning", "ori_memory.notes.code",
    "ori_memory.notes.parsing", "ori_memory.notes.properties",
)  # fmt: skip
"""What parses notes and writes the index."""
RUN = """
import json, sys
from ori_memory.app import run
code = run(json.loads(sys.argv[1]))
print(json.dumps([name for name in json.loads(sys.argv[2]) if name in sys.modules]), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("command", [("status",), ("query", "ranked", "tea", "--fast")])
def test_an_unchanged_vault_is_asked_without_parser_and_writer(tmp_path: Path, command: tuple[str, ...]) -> None:
    vault = make_vault(tmp_path / "vault")
    for file in vault.root.rglob("*.md"):
        os.utime(file, (1_000_000_000, 1_000_000_000))  # A file that has just been written is looked at again.
    open_index(vault).close()
    arguments = json.dumps(["--vault", str(vault.root), *command, "--json"])
    done = subprocess.run(
        [sys.executable, "-c", RUN, arguments, json.dumps(WRITING)], capture_output=True, encoding="utf-8", timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
