"""The real clients, at pinned versions, installed into a folder of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["PACKAGES", "install", "programs", "search_path"]

NODE = "node@22"
PACKAGES = {
    "claude-code": ("@anthropic-ai/claude-code@2.1.332", "claude"),
    "codex": ("@openai/codex@0.171.0", "codex"),
    "opencode": ("opencode-ai@1.18.33", "opencode"),
    "gemini": ("@google/gemini-cli@0.61.0", "gemini"),
    "qwen": ("@qwen-code/qwen-code@0.24.4", "qwen"),
    "hermes": ("hermes-agent[mcp]==0.19.0", "hermes"),
}
"""Bridge, package, program. Hermes comes from PyPI, the others from npm."""
_SECONDS = 1200


def install(folder: Path, name: str) -> None:
    """Install one client, and the Node that it needs, where it is not there yet."""
    if programs(folder, name).joinpath(PACKAGES[name][1]).exists():
        return
    package = PACKAGES[name][0]
    if name == "hermes":
        _run([sys.executable, "-m", "venv", str(folder / name)], folder)
        _run([str(programs(folder, name) / "python"), "-m", "pip", "install", "--quiet", package], folder)
        return
    if not _node(folder).exists():
        _npm(folder / "node22", NODE)
    _npm(folder / name, package)


def programs(folder: Path, name: str) -> Path:
    """Where the program of a client lies."""
    return folder / name / "bin" if name == "hermes" else folder / name / "node_modules" / ".bin"


def _node(folder: Path) -> Path:
    return folder / "node22" / "node_modules" / ".bin"


def search_path(folder: Path, name: str, usual: str) -> str:
    """PATH with the client and its Node first."""
    return os.pathsep.join([str(programs(folder, name)), str(_node(folder)), usual])


def _npm(folder: Path, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is not there; it comes with Node.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    _run([npm, "install", "--no-audit", "--no-fund", "--loglevel=error", package], folder)


def _run(words: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(words, cwd=folder, check=True, timeout=_SECONDS)
