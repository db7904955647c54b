"""A server as a process, and somebody who speaks its protocol line by line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ori_memory.vault.making import init_vault
from ori_memory.vault.vault import Vault

HANDSHAKE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "talker", "version": "1"},
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "talker", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
NOTES = {
    "Green tea is brewed at 80 degrees": "Above that it turns bitter. See [[Kettles have thermometers]].",
    "Kettles have thermometers": "Ours is off by two degrees. See [[Nowhere]].",
    "Rye bread rises slowly": "It is kneaded from rye, and baked with steam.",
}


def environment(home: Path, **more: str) -> dict[str, str]:
    """A clean one: no vault, no settings and no background work of whoever runs the tests."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORI_", "CLAUDE_"))}
    return {**keep, "HOME": str(home), "USERPROFILE": str(home), "ORI_NO_BACKGROUND": "1", **more}


def make_vault(root: Path, notes: Mapping[str, str] = NOTES) -> Vault:
    vault = init_vault(root).vault
    for title, text in notes.items():
        head = "---\ntype: insight\nstatus: active\ncreated: 2026-01-05\ndescription: About it\n---\n\n"
        (root / "notes" / f"{title}.md").write_text(f"{head}# {title}\n\n{text}\n", encoding="utf-8")
    return vault


class Talker:
    """`ori serve --mcp`, its lines read and written as they are."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ori_memory", "serve", "--mcp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
        )
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode("utf-8") + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method}
        self.send(json.dumps(message if params is None else {**message, "params": params}))
        return self._id

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        id = self.request(method, params)
        answer = self.read()
        assert answer["id"] == id, answer
        return answer

    def begin(self) -> dict[str, Any]:
        answer = self.ask("initialize", HANDSHAKE)
        self.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The document of a tool."""
        result = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        document: dict[str, Any] = json.loads(result["content"][0]["text"])
        assert result["isError"] is ("error" in document)
        return document

    def end(self) -> tuple[list[dict[str, Any]], str]:
        """End the input; what it still says, and what it says on standard error."""
        out, problems = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        return [json.loads(line) for line in out.splitlines()], problems.decode("utf-8")
