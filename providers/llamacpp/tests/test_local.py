"""`aries local` with a program that behaves like llama-server: a real process, found again by another one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in for llama-server is a script with a first line")

STAND_IN = """#!{python}
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

flags = dict(zip(sys.argv[1::1], sys.argv[2::1]))
print("arguments", json.dumps(sys.argv[1:]), flush=True)
if "broken" in flags["-m"]:
    sys.exit("error: failed to load model")

class Pages(BaseHTTPRequestHandler):
    def do_GET(self):
        record = {{"/props": {{"default_generation_settings": {{"n_ctx": int(flags["-c"])}}}},
                  "/v1/models": {{"data": [{{"id": flags["--alias"]}}]}}}}.get(self.path, {{"status": "ok"}})
        self.answer(json.dumps(record).encode(), "application/json")

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        event = {{"choices": [{{"index": 0, "delta": {{"content": "from here"}}, "finish_reason": "stop"}}]}}
        self.answer(b"data: " + json.dumps(event).encode() + b"\\n\\n", "text/event-stream")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

HTTPServer((flags["--host"], int(flags["--port"])), Pages).serve_forever()
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def aries(tmp_path: Path, port: int) -> Iterator[Run]:
    home, work = tmp_path / "home", tmp_path / "work"
    (home / ".aries").mkdir(parents=True)
    work.mkdir()
    program = tmp_path / "llama-server"
    program.write_text(STAND_IN.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o700)
    for name in ("good.gguf", "broken.gguf"):
        (tmp_path / name).write_bytes(b"GGUF")
    settings = {
        "url": f"http://127.0.0.1:{port}",
        "binary": str(program),
        "context_window": 9000,
        "gpu_layers": 3,
        "models": {
            "good": {"path": str(tmp_path / "good.gguf")},
            "wide": {"path": str(tmp_path / "good.gguf"), "context_window": 12000, "arguments": ["-t", "1"]},
            "broken": {"path": str(tmp_path / "broken.gguf")},
            "missing": {"path": str(tmp_path / "missing.gguf")},
        },
    }
    (home / ".aries" / "config.yaml").write_text(json.dumps({"local": settings}), encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ARIES_"))}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "aries_cli", *arguments],
            cwd=work,
            env={**kept, "HOME": str(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    yield run
    run("local", "stop")


def status(aries: Run) -> Any:
    return json.loads(aries("local", "status", "--json").stdout)


def test_a_server_is_started_used_and_stopped(aries: Run) -> None:
    started = aries("local", "start", "good")
    assert started.returncode == 0, started.stderr
    assert "aries -m llamacpp/good" in started.stdout
    found = status(aries)
    assert (found["health"]["state"], found["running"]["model"]) == ("ready", "good")
    answered = aries("-p", "hi", "-m", "llamacpp/good")
    assert (answered.stdout, answered.stderr) == ("from here\n", "")
    assert aries("local", "stop").stdout == "good is stopped.\n"
    found = status(aries)
    assert (found["health"]["state"], found["running"]) == ("silent", None)


@pytest.mark.parametrize(("name", "window"), [("good", "9000"), ("wide", "12000")])
def test_the_settings_reach_the_server(aries: Run, name: str, window: str, port: int) -> None:
    aries("local", "start", name)
    log = Path(status(aries)["running"]["log"]).read_text(encoding="utf-8")
    arguments = json.loads(log.splitlines()[0].removeprefix("arguments "))
    expected = {"--alias": name, "-c": window, "-ngl": "3", "--port": str(port), "--host": "127.0.0.1"}
    assert {flag: arguments[arguments.index(flag) + 1] for flag in expected} == expected
    assert "--jinja" in arguments
    assert arguments[-2:] == (["-t", "1"] if name == "wide" else ["-ngl", "3"])


def test_a_server_that_ends_at_once_shows_its_last_words(aries: Run) -> None:
    started = aries("local", "start", "broken")
    assert started.returncode == 1
    assert "failed to load model" in started.stderr
    assert status(aries)["running"] is None


@pytest.mark.parametrize(
    ("name", "said"), [("missing", "local.models.missing.path"), ("nothing", "Known: broken, good, missing, wide")]
)
def test_a_model_that_cannot_be_started_is_named(aries: Run, name: str, said: str) -> None:
    started = aries("local", "start", name)
    assert started.returncode == 2 and said in started.stderr


def test_which_model_is_asked_where_there_are_several(aries: Run) -> None:
    started = aries("local", "start")
    assert started.returncode == 2 and "Known: good, wide, broken, missing" in started.stderr


def test_a_second_server_is_not_started_beside_the_first(aries: Run) -> None:
    aries("local", "start", "good")
    again = aries("local", "start", "wide")
    assert again.returncode == 2 and "good is running already" in again.stderr


def test_of_two_that_start_at_once_one_runs_and_stays_on_record(aries: Run) -> None:
    with ThreadPoolExecutor(4) as pool:
        started = list(pool.map(lambda name: aries("local", "start", name), ["good", "wide"] * 2))
    assert sorted(one.returncode for one in started) == [0, 2, 2, 2]
    running = next(name for name, one in zip(["good", "wide"] * 2, started, strict=True) if one.returncode == 0)
    assert all(f"{running} is running already" in one.stderr for one in started if one.returncode)
    assert status(aries)["running"]["model"] == running


def test_what_somebody_else_started_is_neither_replaced_nor_stopped(aries: Run, port: int) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with HTTPServer(("127.0.0.1", port), Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        started = aries("local", "start", "good")
        stopped = aries("local", "stop")
        server.shutdown()
    assert started.returncode == 2 and "did not start" in started.stderr
    assert "somebody else" in stopped.stdout


def test_a_program_that_is_not_installed_is_named(aries: Run, tmp_path: Path) -> None:
    (tmp_path / "llama-server").unlink()
    started = aries("local", "start", "good")
    assert started.returncode == 2 and "local.binary" in started.stderr


@pytest.mark.parametrize("url", ["", "http://", "127.0.0.1:8080", "https://127.0.0.1:8080", "http://127.0.0.1:99999"])
@pytest.mark.parametrize("command", [("start", "good"), ("status",)])
def test_an_address_that_is_none_is_named(aries: Run, tmp_path: Path, url: str, command: tuple[str, ...]) -> None:
    file = tmp_path / "home" / ".aries" / "config.yaml"
    settings = json.loads(file.read_text(encoding="utf-8"))
    settings["local"]["url"] = url
    file.write_text(json.dumps(settings), encoding="utf-8")
    done = aries("local", *command)
    assert done.returncode == 2 and "local.url" in done.stderr


def test_models_on_this_machine_are_not_a_projects_to_choose(aries: Run, tmp_path: Path) -> None:
    folder = tmp_path / "work" / ".aries"
    folder.mkdir()
    (folder / "config.yaml").write_text("local: {binary: /bin/evil}", encoding="utf-8")
    shown = aries("config", "show")
    assert "local is ignored in a project's file" in shown.stderr
    assert "/bin/evil" not in shown.stdout
