"""Definitions as universal-ctags finds them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from explaining import Tag


def definitions(root: Path, files: list[str], language: str) -> list[tuple[str, Tag]]:
    """File and tag of each definition in these files."""
    command = [
        "ctags", "--output-format=json", f"--language-force={language}", "--fields=+kn", "--extras=-{anonymous}",
        "-L", "-", "-f", "-",
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=root, input="\n".join(files), capture_output=True, text=True, timeout=600, check=True
    )
    rows = (json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    return [
        (row["path"], Tag(row["name"], row.get("kind", ""), int(row.get("line", 1))))
        for row in rows
        if row.get("_type") == "tag"
    ]


def by_file(tags: list[tuple[str, Tag]]) -> dict[str, list[Tag]]:
    """The tags of each file."""
    found: dict[str, list[Tag]] = {}
    for path, tag in tags:
        found.setdefault(path, []).append(tag)
    return found
