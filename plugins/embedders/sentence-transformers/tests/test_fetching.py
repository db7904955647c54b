"""A model is fetched from the hub where that is allowed, once; here the hub is a server on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PROGRAM = """
import sys
from pathlib import Path
from aries_kernel.contracts.embedder import EmbedderContext
from aries_kernel.errors import UserError
from ori_embedder_sentence_transformers import Options, SentenceTransformers
options = Options(model=sys.argv[1], allow_download=sys.argv[2] == "fetch")
embedder = SentenceTransformers(EmbedderContext(options, Path(sys.argv[3]), {}))
try:
    print(embedder.fingerprint, len(embedder.embed_query("tea")))
except UserError as error:
    print(error)
"""
COMMIT = "0" * 40


class Hub(ThreadingHTTPServer):
    """What the hub answers about one model, `somebody/tea`."""

    daemon_threads = True

    def __init__(self, folder: Path, home: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.home = folder, home
        self.asked: list[str] = []

    def run(self, model: str, how: str) -> str:
        environ = os.environ | {
            "HF_ENDPOINT": f"http://127.0.0.1:{self.server_port}",
            "HF_HOME": str(self.home),
            "HF_HUB_DISABLE_XET": "1",
        }
        command = [sys.executable, "-c", PROGRAM, model, how, str(self.home / "cache")]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, encoding="utf-8", timeout=200)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if not path.startswith(("/api/models/somebody/tea", "/somebody/tea/resolve/")):
            self.send_error(404)
            return
        data = self._file(path) if "/resolve/" in path else json.dumps(self._told(path)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def _file(self, path: str) -> bytes:
        return (self.server.folder / path.partition(f"/resolve/{COMMIT}/")[2]).read_bytes()

    def _told(self, path: str) -> object:
        files = [file for file in self.server.folder.rglob("*") if file.is_file()]
        names = {file.relative_to(self.server.folder).as_posix(): file.stat().st_size for file in files}
        if "/tree/" in path:
            return [{"type": "file", "path": name, "size": size, "oid": COMMIT} for name, size in names.items()]
        return {"id": "somebody/tea", "sha": COMMIT, "siblings": [{"rfilename": name} for name in names]}


@pytest.fixture
def hub(folder: Path, tmp_path: Path) -> Iterator[Hub]:
    with Hub(folder, tmp_path) as hub:
        thread = threading.Thread(target=hub.serve_forever)
        thread.start()
        yield hub
        hub.shutdown()
        thread.join()


def test_nobody_is_asked_unless_it_is_allowed(hub: Hub) -> None:
    assert "is not on this machine" in hub.run("somebody/tea", "look")
    assert hub.asked == []


def test_a_model_is_fetched_once_without_what_it_does_not_need(hub: Hub) -> None:
    told = hub.run("somebody/tea", "fetch")
    assert told.startswith("sentence-transformers:tea:") and told.endswith(" 1536")
    assert any(path.endswith("/model.safetensors") for path in hub.asked)
    assert not any(path.endswith(".md") for path in hub.asked)
    hub.asked.clear()
    assert hub.run("somebody/tea", "fetch") == told == hub.run("somebody/tea", "look")
    assert hub.asked == []
    # What was cut in the middle is made whole.
    next(hub.home.rglob("snapshots/*/vocab.txt")).unlink()
    assert hub.run("somebody/tea", "fetch") == told


def test_a_model_that_the_hub_does_not_know_is_an_error_with_a_cure(hub: Hub) -> None:
    told = hub.run("somebody/coffee", "fetch")
    assert "somebody/coffee could not be fetched from the hub" in told and "Check the name and the network" in told
