"""A vault, and hooks as clients run them: a process, a document on standard input, no shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ori_memory.hooks.running import SECONDS
from ori_memory.vault.making import init_vault
from ori_memory.vault.vault import Vault

Hook = Callable[..., Any]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return init_vault(tmp_path / "vault").vault


@pytest.fixture
def hook(vault: Vault, home: Path, tmp_path: Path) -> Hook:
    """Run a hook; gives its document, or None for nothing. `problems`: what it may say on standard error."""

    def running(name: str, payload: object, *arguments: str, problems: str = "", **env: str) -> Any:
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORI_", "CLAUDE_"))}
        done = subprocess.run(
            [sys.executable, "-m", "ori_memory", "hook", name, *arguments],
            input=payload if isinstance(payload, bytes) else json.dumps(payload).encode(),
            env={**keep, "HOME": str(home), "USERPROFILE": str(home), "ORI_NO_BACKGROUND": "1", SECONDS: "60", **env},
            cwd=tmp_path,
            capture_output=True,
            timeout=60,
        )
        said = done.stderr.decode()
        assert done.returncode == 0
        assert problems in said if problems else said == "", said
        return json.loads(done.stdout) if done.stdout else None

    return running
