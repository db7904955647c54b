"""Reading many files on all cores: a process for each, since parsing holds Python's lock."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from attrs import define, field

from aries_body.index.facts import Parts
from aries_body.index.packs import Packs
from aries_body.index.reading import Reading, Summary, read_file
from aries_body.index.worker import receive, send

__all__ = ["Batch", "read_files"]

_WORTH_PROCESSES = 600_000
"""Bytes from which on starting processes pays."""
_BATCH = 150_000

_SIZE = itemgetter(1)

Batch = list[str]


def read_files(
    root: str, sizes: Sequence[tuple[str, int]], most: int, packs: Packs, *, processes: int | None, seconds: float
) -> Iterator[Reading]:
    """A reading for every path, in any order. `sizes`: paths with their bytes. `processes` None: one for each core.

    A file on which a process dies, or spends more than `seconds`, is left out with that reason.
    """
    cores = (os.cpu_count() or 1) if processes is None else processes
    if cores < 2 or sum(size for _, size in sizes) < _WORTH_PROCESSES:
        for _, same in groupby(sorted(sizes, key=_SIZE), _SIZE):
            twins: dict[bytes, Reading] = {}
            for path, _ in same:
                yield read_file(root, path, most, packs, twins)
        return
    pool = _Pool(root, most, packs, seconds)
    yield from pool.read(_batches(sizes), cores)


def _batches(sizes: Sequence[tuple[str, int]]) -> list[Batch]:
    """Large files first, each batch about as much work as the others."""
    batches: list[Batch] = []
    room = 0
    for path, size in sorted(sizes, key=lambda one: (-one[1], one[0])):
        if room <= 0:
            batches.append([])
            room = _BATCH
        batches[-1].append(path)
        room -= size + 500
    return batches


@define
class _Pool:
    """Threads that each drive one process and share a queue of batches."""

    root: str
    most: int
    packs: Packs
    seconds: float
    _todo: queue.SimpleQueue[Batch] = field(factory=queue.SimpleQueue, init=False)
    _done: queue.SimpleQueue[list[Reading] | BaseException] = field(factory=queue.SimpleQueue, init=False)
    _is_over: bool = field(default=False, init=False)
    _running: set[subprocess.Popen[bytes]] = field(factory=set, init=False)

    def read(self, batches: list[Batch], cores: int) -> Iterator[Reading]:
        for batch in batches:
            self._todo.put(batch)
        threads = [threading.Thread(target=self._drive, daemon=True) for _ in range(min(cores, len(batches)))]
        for thread in threads:
            thread.start()
        try:
            for _ in batches:
                done = self._done.get()
                if isinstance(done, BaseException):
                    raise done
                yield from done
        finally:
            self._is_over = True
            for process in list(self._running):
                _end(process)
            for thread in threads:
                thread.join(5.0)

    def _drive(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        try:
            while not self._is_over:
                try:
                    batch = self._todo.get_nowait()
                except queue.Empty:
                    return
                process = process or self._start()
                readings = self._ask(process, batch, self.seconds * 2)
                if readings is None:
                    self._stop(process)
                    process = None
                    readings = [] if self._is_over else self._one_by_one(batch)
                self._done.put(readings)
        except BaseException as error:
            # The reader waits for this batch: it gets the error instead.
            self._done.put(error)
        finally:
            if process is not None:
                self._stop(process)

    def _one_by_one(self, batch: Batch) -> list[Reading]:
        """Find the file that a process died on."""
        readings: list[Reading] = []
        process: subprocess.Popen[bytes] | None = None
        for path in batch:
            process = process or self._start()
            one = self._ask(process, [path], self.seconds)
            if one is None:
                self._stop(process)
                process = None
                reason = "reading it ended the process, or took too long"
                one = [Reading(path, b"", reason, Summary(), Parts(b"", b"", b""))]
            readings += one
        if process is not None:
            self._stop(process)
        return readings

    def _ask(self, process: subprocess.Popen[bytes], batch: Batch, seconds: float) -> list[Reading] | None:
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(seconds, _end, [process])
        timer.start()
        try:
            send(process.stdin, batch)
            rows: Any = receive(process.stdout)
        except (OSError, ValueError):
            return None  # It ended while it was asked.
        finally:
            timer.cancel()
        if rows is None:
            return None
        return [
            Reading(path, key, skipped, Summary(*summary), Parts(*parts), broken)
            for path, key, skipped, summary, parts, broken in rows
        ]

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "aries_body.index.worker"]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
        )
        self._running.add(process)
        assert process.stdin is not None
        # One that ended at once is noticed when it is asked.
        with contextlib.suppress(OSError):
            send(process.stdin, (list(sys.path), self.root, self.most, self.packs.places))
        return process

    def _stop(self, process: subprocess.Popen[bytes]) -> None:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            process.wait(2.0)
        except subprocess.TimeoutExpired:
            _end(process)
            process.wait(5.0)
        self._running.discard(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        process.kill()
