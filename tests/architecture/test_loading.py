"""What importing our modules does: nothing heavy, nothing printed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

HEAVY = (
    "alembic", "httpx", "importlib.metadata", "mcp", "numpy", "onnxruntime", "sqlalchemy", "stevedore", "threadpoolctl",
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
