"""What a session costs before any work: the characters of its first request, by phase and by mode of the tools.

    uv run python bench/first_request.py

sends one prompt to a scripted server on loopback, in an empty folder with a small AGENTS.md, and writes the size of the
JSON body that arrived to `bench/results/first_request.json`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from aries_kernel.testing.wire_server import Send, WireReply, WireServer

RESULTS = Path(__file__).parent / "results" / "first_request.json"
ANSWER = b'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'


async def first_body(phase: str, mode: str, folder: Path) -> dict[str, Any]:
    work = folder / (phase if mode == "bare" else f"{phase}-{mode}")
    work.mkdir()
    (folder / ".aries").mkdir(exist_ok=True)
    (folder / ".aries" / "config.yaml").write_text(json.dumps({"tools": {"mode": mode}}), encoding="utf-8")
    (work / "AGENTS.md").write_text("Use four spaces.\n", encoding="utf-8")
    async with WireServer(lambda _: WireReply((Send(ANSWER),))) as server:
        environ = {
            name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_", "OPENAI_"))
        }
        environ |= {"HOME": str(folder), "OPENAI_BASE_URL": server.url + "/v1", "OPENAI_API_KEY": "none"}
        command = [sys.executable, "-m", "aries_cli", "-p", "say hi", "-m", "openai/fake-model", "--phase", phase]
        process = await asyncio.create_subprocess_exec(*command, cwd=work, env=environ, stdin=subprocess.DEVNULL)
        if await process.wait() != 0:
            raise SystemExit(f"the run in phase {phase} failed")
        body = json.loads(server.requests[0].body)
        tools = [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in body.get("tools", [])]
        return {
            "phase": phase,
            "mode": mode,
            "body_characters": len(server.requests[0].body.decode("utf-8")),
            "tools": [tool["function"]["name"] for tool in body.get("tools", [])],
            "tool_characters": sum(map(len, tools)),
        }


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wanted = [("lean", "bare"), ("lean", "repl"), ("full", "bare"), ("plan", "bare")]
        rows = [await first_body(phase, mode, Path(folder)) for phase, mode in wanted]
    RESULTS.write_text(json.dumps({"prompt": "say hi", "phases": rows}, indent=2) + "\n", encoding="utf-8")
    for row in rows:
        print(f"{row['phase']}, {row['mode']}: {row['body_characters']:,} characters, {len(row['tools'])} tools")


if __name__ == "__main__":
    asyncio.run(main())
