"""Stores to test: a file, and a PostgreSQL server of our own where one can be had."""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from ori_memory.learned.store import LearnedStore

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def _programs() -> Path | None:
    """Where `initdb` is: Debian keeps it out of the way, one folder a version."""
    if (found := shutil.which("initdb")) is not None:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda file: file.parts[-3])
    return folders[-1].parent if folders else None


class Cluster:
    """A server that nobody else knows of: a socket in a folder, no port."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.data = folder / "data"
        # The server refuses to run as root.
        self.user = "postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        self._run("initdb", "-D", self.data, "-U", "ori", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        self.start()

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-l", self.folder / "log", "-w", "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://ori@/postgres?host={quote(str(self.folder))}"

    def _run(self, program: str, *words: object) -> None:
        command = [str(self.programs / program), *map(str, words)]
        options = {"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}
        with (self.folder.parent / f"{self.folder.name}.out").open("ab") as out:
            subprocess.run(command, check=True, stdout=out, stderr=out, timeout=120, cwd="/", **options)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    programs = _programs()
    if programs is None or sys.platform == "win32":
        pytest.skip("there is no PostgreSQL here: initdb is not found")
    # The path of a socket may have a hundred letters.
    with tempfile.TemporaryDirectory(prefix="ori-pg-") as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "pg"
        folder.mkdir()
        started = Cluster(folder, programs)
        yield started
        with contextlib.suppress(subprocess.CalledProcessError):  # A test may have stopped it.
            started.stop()


@pytest.fixture(params=["file", "server"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., LearnedStore]]:
    """Makes a store by name, the same one for the same name."""
    url = request.getfixturevalue("cluster").url if request.param == "server" else ""
    own = os.urandom(6).hex()
    made: list[LearnedStore] = []

    def make(name: str = "learned.db", now: datetime.datetime = NOON) -> LearnedStore:
        space = f"{own}-{name.removesuffix('.db')}"
        made.append(LearnedStore(tmp_path / name, clock=lambda: now, url=url, space=space))
        return made[-1]

    yield make
    for store in made:
        store.close()
