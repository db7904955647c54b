"""What the loop itself costs: time per answer beside model and tools, and the start of the command.

    uv run python bench/loop_overhead.py

A scripted provider answers at once with one call of a tool that does nothing; what is left is ours: assembling, policy,
the session log with its disk writes, hooks. Medians over several sessions go to `bench/results/loop_overhead.json`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from attrs import define

from aries_kernel.contracts.tool import ToolContext, ToolOutput
from aries_kernel.testing.fakes import ScriptedProvider, _Path, call, end, make_host, text

RESULTS = Path(__file__).parent / "results" / "loop_overhead.json"
ANSWERS, SESSIONS, STARTS = 200, 5, 11


@define
class Nothing:
    """Does nothing, differently each time."""

    context: ToolContext
    name: ClassVar[str] = "Nothing"
    description: ClassVar[str] = "Do nothing."
    arguments: ClassVar[type[Any]] = _Path
    reads_only: ClassVar[bool] = True

    def effects(self, arguments: Any) -> Sequence[Any]:
        return ()

    async def run(self, arguments: Any) -> ToolOutput:
        return ToolOutput(arguments.path)


async def one_session(folder: Path) -> float:
    """Seconds per answer."""
    script = [[text("on "), call("Nothing", path=str(step)), end()] for step in range(ANSWERS)]
    limits = {"max_turns": None, "max_calls": None}
    host = make_host(
        folder, ScriptedProvider([*script, [text("ok"), end()]]), tools=(Nothing,), settings={"budget": limits}
    )
    agent = host.open()
    start = time.perf_counter()
    await agent.run("go")
    spent = time.perf_counter() - start
    await host.close()
    return spent / (ANSWERS + 1)


def start_of(*arguments: str) -> float:
    """Seconds of a whole process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "aries_cli", *arguments], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        turns = [asyncio.run(one_session(Path(folder) / str(number))) for number in range(SESSIONS)]
    version = [start_of("--version") for _ in range(STARTS)]
    tools = [start_of("tools") for _ in range(STARTS)]
    result = {
        "answers_per_session": ANSWERS + 1,
        "sessions": SESSIONS,
        "milliseconds_per_answer_median": round(1000 * statistics.median(turns), 3),
        "version_milliseconds_median": round(1000 * statistics.median(version), 1),
        "tools_milliseconds_median": round(1000 * statistics.median(tools), 1),
        "starts": STARTS,
    }
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
