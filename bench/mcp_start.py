"""What serving costs: the first answer, each tool, memory over many calls, starts and kills, hooks.

    uv run python bench/mcp_start.py --vault ARCHIVE [--sizes 1500 7772]

ARCHIVE is a vault as `.tar.gz`; of it so many notes are taken, in the order of their paths. Vectors are drawn at
random, as in `retrieval_speed.py`: what a search costs does not depend on their values. Starts are processes, measured
beside a server of the standard library that knows one answer, and beside one that imports the protocol's library first.
Hooks are processes at 5,000 notes, without a server. Writes `bench/results/mcp.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from retrieval_speed import prepare, unpacked

RESULTS = Path(__file__).parent / "results" / "mcp.json"
ORI = [sys.executable, "-m", "ori_memory"]
HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
STARTS, CALLS, MANY, KILLS, HOOKED = 15, 30, 2_000, 50, 5_000
PLAIN = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}), flush=True)
"""
LIBRARY = """
import asyncio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
async def main():
    server = Server("plain")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
asyncio.run(main())
"""


class Client:
    """Lines of a server's process."""

    def __init__(self, command: Sequence[str], env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._id = 0

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params or {}}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.ask("initialize", HANDSHAKE)
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def call(self, name: str, arguments: dict[str, Any]) -> Any:
        return json.loads(self.ask("tools/call", {"name": name, "arguments": arguments})["content"][0]["text"])

    def rss_mb(self) -> float:
        text = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii")
        return round(int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)

    def end(self) -> None:
        self.process.communicate(timeout=60)


def environment() -> dict[str, str]:
    """As somebody has it who installed the package: modules are compiled once."""
    left_out = ("PYTHONDONTWRITEBYTECODE", "ORI_VAULT")
    return {key: value for key, value in os.environ.items() if key not in left_out} | {"ORI_NO_BACKGROUND": "1"}


def clocked(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def told(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    worst = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {"median_ms": round(statistics.median(ordered), 1), "p95_ms": round(worst, 1)}


def part_of(source: Path, target: Path, size: int) -> Path:
    notes = sorted(path for path in source.rglob("*.md") if not any(part.startswith(".") for part in path.parts))
    for note in notes[:size]:
        place = target / note.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(note, place)
    return target


def starts(command: Sequence[str]) -> dict[str, float]:
    def start() -> None:
        client = Client(command, environment())
        client.ask("initialize", HANDSHAKE)
        times.append((time.perf_counter() - began) * 1000)
        client.process.kill()
        client.end()

    times: list[float] = []
    for _ in range(STARTS + 1):
        began = time.perf_counter()
        start()
    return told(times[1:])


def first_calls(root: Path) -> dict[str, float]:
    """After the start: the list of tools, and the first answer of a tool, which waits for library, index and model."""
    listed, called = [], []
    for _ in range(5):
        began = time.perf_counter()
        client = Client([*ORI, "serve", "--mcp", "--vault", str(root)], environment())
        client.begin()
        client.ask("tools/list")
        listed.append((time.perf_counter() - began) * 1000)
        client.call("ori_query_ranked", {"query": "garden"})
        called.append((time.perf_counter() - began) * 1000)
        client.end()
    return {
        "tools_listed_ms": round(statistics.median(listed), 1),
        "first_tool_ms": round(statistics.median(called), 1),
    }


def tools(root: Path, questions: Sequence[str], note: str) -> dict[str, Any]:
    client = Client([*ORI, "serve", "--mcp", "--vault", str(root)], environment())
    client.begin()
    for _ in range(3):
        client.call("ori_query_ranked", {"query": questions[0]})
    given: dict[str, Callable[[int], dict[str, Any]]] = {
        "ori_query_ranked": lambda number: {"query": questions[number % len(questions)]},
        "ori_query_similar": lambda number: {"query": questions[number % len(questions)]},
        "ori_explore": lambda number: {"query": questions[number % len(questions)]},
        "ori_warmth": lambda number: {"context": questions[number % len(questions)]},
        "ori_orient": lambda number: {},
        "ori_wake": lambda number: {},
        "ori_status": lambda number: {},
        "ori_health": lambda number: {},
        "ori_query": lambda number: {"kind": "orphans"},
        "ori_query_important": lambda number: {},
        "ori_query_fading": lambda number: {},
        "ori_read": lambda number: {"note": note},
        "ori_validate": lambda number: {"path": note},
        "ori_add": lambda number: {"title": f"A note of the bench, number {number}", "content": f"It says {number}."},
        "ori_sql": lambda number: {"sql": "select count(*) from v_link"},
        "ori_index_build": lambda number: {},
    }
    found = {}
    for name, arguments in given.items():
        count = CALLS if name not in ("ori_health", "ori_sql", "ori_add", "ori_explore") else CALLS // 3
        client.call(name, arguments(10_000))
        times = [
            clocked(lambda name=name, number=number: client.call(name, given[name](number))) for number in range(count)
        ]
        found[name] = told(times)
    client.end()
    return found


def flat(root: Path, questions: Sequence[str]) -> dict[str, Any]:
    """Resident memory while the same tools are called over and over."""
    client = Client([*ORI, "serve", "--mcp", "--vault", str(root)], environment())
    client.begin()
    grown = []
    for number in range(MANY):
        name = ("ori_query_ranked", "ori_status", "ori_wake", "ori_query")[number % 4]
        given = {"query": questions[number % len(questions)]} if name == "ori_query_ranked" else {}
        client.call(name, {"kind": "orphans"} if name == "ori_query" else given)
        if (number + 1) % (MANY // 4) == 0:
            grown.append(client.rss_mb())
    client.end()
    return {"calls": MANY, "rss_mb_at_each_quarter": grown}


def kills(root: Path) -> dict[str, Any]:
    before = {path.name for path in (root / ".ori").iterdir()}
    clients = []
    for number in range(KILLS):
        client = Client([*ORI, "serve", "--mcp", "--vault", str(root)], environment())
        client.begin()
        if number % 5 == 0:
            client.call("ori_status", {})
        (client.process.kill if number % 2 else client.process.terminate)()
        clients.append(client)
        client.end()
    last = Client([*ORI, "serve", "--mcp", "--vault", str(root)], environment())
    last.begin()
    notes = last.call("ori_status", {})["data"]["notes"]
    last.end()
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, encoding="utf-8", check=True).stdout
    left = [line for line in listing.splitlines() if str(root) in line]
    files = sorted({path.name for path in (root / ".ori").iterdir()} - before)
    return {"starts_and_kills": KILLS, "processes_left": len(left), "files_new": files, "notes_afterwards": notes}


def hooks(root: Path) -> dict[str, Any]:
    note = next(root.glob("**/*.md"))
    transcript = root.parent / "transcript.jsonl"

    def run(name: str, payload: dict[str, Any]) -> None:
        text = json.dumps({"cwd": str(root), "session_id": "bench", **payload}).encode()
        subprocess.run([*ORI, "hook", name], input=text, env=environment(), capture_output=True, check=True)

    def validate(number: int) -> None:
        run("validate", {"hook_event_name": "PostToolUse", "tool_input": {"file_path": str(note)}})

    def capture(number: int) -> None:
        run("capture", {"hook_event_name": "SessionEnd", "transcript_path": str(transcript)})

    def write_note(number: int) -> None:
        note.write_text(note.read_text(encoding="utf-8") + f"\nLine {number}.\n", encoding="utf-8")

    def write_transcript(number: int) -> None:
        said = [
            f"We decided to use the {os.urandom(4).hex()} host for {os.urandom(4).hex()} from now on." for _ in range(4)
        ]
        rows = [{"type": "user", "message": {"role": "user", "content": text}} for text in said]
        transcript.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    moments: dict[str, tuple[Callable[[int], None], Callable[[int], None]]] = {
        "orient": (lambda number: None, lambda number: run("orient", {"hook_event_name": "SessionStart"})),
        "validate, after the note changed": (write_note, validate),
        "capture, four candidates": (write_transcript, capture),
    }
    found = {}
    for name, (before, moment) in moments.items():
        times = []
        for number in range(STARTS + 1):
            before(number)
            times.append(clocked(lambda moment=moment, number=number: moment(number)))
        found[name] = told(times[1:])
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vault", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_500, 7_772])
    chosen = parser.parse_args()
    serve = [*ORI, "serve", "--mcp", "--vault"]
    result: dict[str, Any] = {"machine": {"cores": os.cpu_count(), "python": sys.version.split()[0]}}
    with tempfile.TemporaryDirectory() as folder:
        source = unpacked(chosen.vault, Path(folder))
        result["initialize"] = {
            "a server of the standard library": starts([sys.executable, "-c", PLAIN]),
            "the protocol's library alone": starts([sys.executable, "-c", LIBRARY]),
        }
        result["vaults"] = []
        for size in chosen.sizes:
            root = part_of(source, Path(folder) / f"notes-{size}", size)
            fresh = part_of(source, Path(folder) / f"fresh-{size}", size)
            subprocess.run([*ORI, "init", str(fresh), "--adopt"], env=environment(), capture_output=True, check=True)
            made = prepare(root)
            asked = made.pop("questions")
            note = next(path for path in sorted(root.rglob("*.md"))).relative_to(root).as_posix()
            row = {"notes": made["notes"], "initialize": starts([*serve, str(root)])}
            row["initialize_without_an_index"] = starts([*serve, str(fresh)])
            row |= {"start": first_calls(root), "tools": tools(root, asked, note)}
            result["vaults"].append(row)
            print(json.dumps(row, indent=1))
        small = Path(folder) / f"notes-{chosen.sizes[0]}"
        result["memory"] = flat(small, asked)
        result["kills"] = kills(small)
        hooked = part_of(source, Path(folder) / "hooked", HOOKED)
        prepare(hooked)
        result["hooks_at_5000_notes"] = hooks(hooked)
    result["machine"]["load_at_the_end"] = [round(one, 2) for one in os.getloadavg()]
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in result.items() if key != "vaults"}, indent=1))


if __name__ == "__main__":
    main()
