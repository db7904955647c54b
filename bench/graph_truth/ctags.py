"""Definitions as universal-ctags finds them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path


def definitions(root: Path, files: list[str], language: str) -> list[tuple[str, str, str]]:
    """File, name and kind letter of each tag of these files."""
    command = [
        "ctags", "--output-format=json", f"--language-force={language}", "--fields=+kn", "--extras=-{anonymous}",
        "-L", "-", "-f", "-",
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=root, input="\n".join(files), capture_output=True, text=True, timeout=600, check=True
    )
    rows = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    return [(row["path"], row["name"], row.get("kind", "")) for row in rows if row.get("_type") == "tag"]
