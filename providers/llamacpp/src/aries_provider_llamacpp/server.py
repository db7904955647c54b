"""The process of llama-server: started in the background, found again, stopped."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import attrs
from attrs import frozen
from cattrs import Converter

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import FatalError, UnknownName, UserError
from aries_kernel.settings.schema import Local

if TYPE_CHECKING:
    import httpx
    import psutil

__all__ = ["Health", "LocalServer", "Running"]

_POLL_SECONDS = 0.2
_ANSWER_SECONDS = 5.0
_STOP_SECONDS = 10.0
_LOG_LINES = 8


@frozen
class Running:
    """A server that `aries local start` began."""

    pid: int
    started: float
    """When the process began, by the system's own account: with the pid it names one process for ever."""
    model: str
    path: str
    url: str
    context_window: int
    log: str


@frozen
class Health:
    """What a server answers now."""

    state: str
    """`ready`, `loading`, `silent` where nobody listens, or `other` where something else does."""
    detail: str = ""


@frozen
class LocalServer:
    """One server a person, recorded in the state folder."""

    settings: Local
    folder: Path
    environ: Mapping[str, str]

    @property
    def _record(self) -> Path:
        return self.folder / "server.json"

    def running(self) -> Running | None:
        """The server that was started here and still runs."""
        try:
            found = _converter().structure(json.loads(self._record.read_text(encoding="utf-8")), Running)
        except FileNotFoundError:
            return None
        except Exception:
            return None  # Written by another version or damaged: whose process it was cannot be told.
        return found if _process(found) is not None else None

    def start(self, name: str, wait_seconds: float) -> Running:
        """Start the server with the model `name` and wait until it is ready.

        Raises: UnknownName, UserError for what is wrong with settings or machine, FatalError where the server ends or
        does not get ready; nothing is left running then.
        """
        model = self.settings.models.get(name)
        if model is None:
            raise UnknownName("model under local.models", name, self.settings.models)
        file = Path(model.path).expanduser()
        if not file.is_file():
            raise UserError(f"local.models.{name}.path: there is no file {file}.")
        host, port = self.address()
        window = model.context_window or self.settings.context_window
        command = [self._binary(), "-m", str(file), "--alias", name, "--host", host, "--port", str(port), "--jinja"]
        command += ["-c", str(window), "-ngl", str(self.settings.gpu_layers), *model.arguments]
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._alone(wait_seconds):
            self._require_free(name)
            return self._begin(command, name, file, window, wait_seconds)

    @contextlib.contextmanager
    def _alone(self, patience: float) -> Iterator[None]:
        """Of two that start at the same instant, the second one finds the server of the first."""
        import filelock

        lock = filelock.FileLock(self.folder / "server.lock", timeout=patience, mode=0o600)
        try:
            lock.acquire()
        except filelock.Timeout as error:
            raise UserError("Another `aries local start` is under way. See: aries local status") from error
        try:
            yield
        finally:
            lock.release()

    def _begin(self, command: list[str], name: str, file: Path, window: int, wait_seconds: float) -> Running:
        log = self.folder / "server.log"
        process = self._spawn(command, log)
        started = _creation_time(process.pid)
        running = Running(process.pid, started, name, str(file), self.settings.url, window, str(log))
        data = json.dumps(attrs.asdict(running)).encode()
        try:
            replace_bytes(self._record.resolve(), data, mode=0o600)
            self._wait(process, name, log, wait_seconds)
        except BaseException:
            process.kill()
            process.wait()
            self._record.unlink(missing_ok=True)
            raise
        return running

    def stop(self) -> Running | None:
        """End the server that was started here; None where there is none."""
        import psutil

        running = self.running()
        process = _process(running) if running is not None else None
        if process is not None:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except psutil.TimeoutExpired:
                process.kill()
                process.wait(_STOP_SECONDS)
        self._record.unlink(missing_ok=True)
        return running

    def health(self) -> Health:
        """Ask whoever listens at the configured address."""
        import httpx

        try:
            answer = self._get("/health")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return Health("silent", type(error).__name__)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Health("other", type(error).__name__)
        if answer.status_code == 200:
            return Health("ready")
        return Health("loading" if answer.status_code == 503 else "other", f"status {answer.status_code}")

    def _serves(self, name: str) -> bool:
        """Whether who listens has the model `name`: another program may have taken the port meanwhile."""
        import httpx

        try:
            listed = self._get("/v1/models").json()["data"]
            return any(one["id"] == name for one in listed)
        except (httpx.HTTPError, ValueError, LookupError, TypeError):
            return False  # It is not the server that was started.

    def _get(self, page: str) -> httpx.Response:
        import httpx

        # The environment's proxies are for other machines.
        with httpx.Client(trust_env=False, timeout=_ANSWER_SECONDS) as client:
            return client.get(f"{self.settings.url.rstrip('/')}{page}")

    def address(self) -> tuple[str, int]:
        """Host and port of the settings. Raises: UserError."""
        parts = urlsplit(self.settings.url)
        try:
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise UserError(f"local.url: {self.settings.url}: {error}.") from error
        if parts.scheme != "http" or not host or parts.path.strip("/"):
            raise UserError(f"local.url: {self.settings.url} is not of the form http://HOST:PORT.")
        return host, port or 80

    def _require_free(self, name: str) -> None:
        running = self.running()
        if running is not None:
            raise UserError(f"{running.model} is running already ({running.url}). Stop it with: aries local stop")
        health = self.health()
        if health.state != "silent":
            raise UserError(
                f"Something that aries did not start listens at {self.settings.url} already. If it is a llama-server, "
                f"use it as llamacpp/{name}; otherwise choose another port with local.url."
            )

    def _binary(self) -> str:
        found = shutil.which(str(Path(self.settings.binary).expanduser()), path=self.environ.get("PATH"))
        if found is None:
            raise UserError(
                f"local.binary: the program {self.settings.binary} is not found. Install llama.cpp, or give the path "
                "of its llama-server."
            )
        return found

    def _spawn(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        # It outlives this command, and neither the terminal nor Ctrl-C there is its business.
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "DETACHED_PROCESS", 0)
        try:
            with log.open("wb") as output:
                return subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env=dict(self.environ),
                    start_new_session=os.name == "posix",
                    creationflags=flags,
                )
        except OSError as error:
            raise UserError(f"local.binary: {command[0]} cannot be started: {error.strerror or error}.") from error

    def _wait(self, process: subprocess.Popen[bytes], name: str, log: Path, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            is_ready = self.health().state == "ready" and self._serves(name)
            # Asked last: another server that was begun at the same moment may answer in the place of one that ended.
            if process.poll() is not None:
                raise FatalError(f"The server ended with code {process.returncode}. {_last_words(log)}")
            if is_ready:
                return
            if time.monotonic() > deadline:
                raise FatalError(
                    f"The server was not ready within {seconds:g} s and was stopped. Wait longer with --wait. "
                    f"{_last_words(log)}"
                )
            time.sleep(_POLL_SECONDS)


@functools.cache
def _converter() -> Converter:
    return Converter()


def _creation_time(pid: int) -> float:
    import psutil

    try:
        return psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return 0.0  # It ended at once, and the wait tells why.


def _process(running: Running) -> psutil.Process | None:
    import psutil

    try:
        found = psutil.Process(running.pid)
        is_same = found.create_time() == running.started and found.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return None  # Gone, or another person's process that has its number now.
    return found if is_same else None


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-_LOG_LINES:]
    return f"The end of {log}:\n" + "\n".join(lines) if lines else f"It wrote nothing to {log}."
