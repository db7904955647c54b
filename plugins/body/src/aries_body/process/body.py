"""The body as the host sees it: runs code, answers always, replaces a process that is gone."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from aries_body.confinement.choosing import is_too_wide
from aries_body.process.clock import AwakeClock
from aries_body.process.frames import BrokenFrame, Frame
from aries_body.process.incarnation import Incarnation
from aries_body.process.kept import KeptBindings
from aries_body.process.output import Printed
from aries_body.process.requests import Requests
from aries_body.process.results import Executed, Restart, Status
from aries_body.process.services import NoServices, Services
from aries_body.process.starting import Launch
from aries_body.process.watching import Ended, Watch

__all__ = ["Body", "BodyFailed"]

_START_WITHIN = 30.0
_REPLAY_WITHIN = 5.0
_COMPLETE_WITHIN = 1.0
_OUTPUT_WITHIN = 2.0
_MOST_SAID = 100


class BodyFailed(Exception):
    """No process could be started, or it is not confined as it should be."""


class Body:
    """One process at a time. `execute` blocks and belongs into a thread; `interrupt` and `close` may come from any."""

    def __init__(
        self, launch: Launch, services: Services | None = None, clock: Callable[[], AwakeClock] = AwakeClock
    ) -> None:
        self._launch, self._services, self._clock = launch, services or NoServices(), clock
        self._turn = threading.Lock()
        self._lock = threading.Lock()
        self._process: Incarnation | None = None
        self._requests: Requests | None = None
        self._watch: Watch | None = None
        self._said: list[str] = []
        self._bindings = KeptBindings()
        self._number = 0
        self._is_closed = False

    @property
    def launch(self) -> Launch:
        """What it was started with."""
        return self._launch

    @property
    def pid(self) -> int | None:
        """The process that was started last; None where there is none."""
        process = self._process
        return None if process is None else process.pid

    @property
    def is_responsive(self) -> bool:
        """False while the process does not even answer pings: it stands still, or one long call holds all of it up."""
        watch = self._watch
        return watch is None or watch.is_answering

    def start(self) -> None:
        """Start the process now rather than with the first execution.

        Raises: BodyFailed.
        """
        with self._turn:
            if self._process is None:
                self._process = self._started()

    def execute(self, code: str, seconds: float = 90.0) -> Executed:
        """Run code and say what came of it, whatever it does.

        `seconds` are those in which the machine was awake and the code did not wait for the host.
        Raises: BodyFailed where no process can be started.
        """
        with self._turn:
            if self._is_closed:
                raise BodyFailed("The body is closed.")
            restart = None
            if self._process is None:
                self._process = self._started()
            elif self._process.is_gone.is_set():
                restart = self._replace(f"The process was gone. {self._process.death}")
            executed = self._execute(code, seconds, restart)
            if executed is None:
                death = self._process.death or "It did not answer any more."
                restart = self._replace(f"The process was gone. {death}")
                executed = self._execute(code, seconds, restart)
            if executed is None:
                raise BodyFailed("A new process does not answer either.")
            return executed

    def complete(self, text: str) -> list[str]:
        """Names that the end of `text` may become; none where the process is gone or busy with something else."""
        with self._turn:
            if self._process is None or self._process.is_gone.is_set() or self._is_closed:
                return []
            answer = self._ask(self._process, _COMPLETE_WITHIN, "complete", text=text)
            names = answer.data.get("names") if isinstance(answer, Frame) else None
            return [str(name) for name in names] if isinstance(names, list) else []

    def interrupt(self) -> None:
        """Stop the execution under way, if there is one."""
        with self._lock:
            watch, process = self._watch, self._process
        if watch is not None and process is not None:
            watch.is_interrupted = True
            process.inbox.put(Frame("wake", 0, {}))

    def reset(self) -> None:
        """Forget all variables; the next execution gets a new process."""
        with self._turn:
            self._end()
            self._bindings = KeptBindings()

    def close(self) -> None:
        """End the process and whatever it started."""
        self._is_closed = True
        self.interrupt()
        with self._turn:
            self._end()

    def _end(self, why: str = "") -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end(why)

    def _started(self) -> Incarnation:
        project = self._launch.project
        if self._launch.confinement.is_confined and is_too_wide(project):
            raise BodyFailed(
                f"{project} holds your home folder, all of which the code could read. Go to a project in it."
            )
        try:
            process = Incarnation(self._launch, self._take)
        except OSError as error:
            raise BodyFailed(f"The process could not be started: {error}.") from error
        watch = Watch(self._clock(), _START_WITHIN)
        ended = watch.wait(process, 0, "ready", lambda: False)
        problem = f"{process.death} {ended.value}" if isinstance(ended, Ended) else self._open_ways(ended)
        if problem:
            process.end()
            said = process.output.take(0.0).text.strip()
            raise BodyFailed(f"The process could not be started: {problem.strip()} {said[-2000:]}".strip())
        return process

    def _open_ways(self, ready: Frame) -> str:
        """What a confinement that was found to hold leaves open this time; it must never be less than was said."""
        kind, applied = self._launch.confinement.kind, ready.data.get("applied", {})
        open_ways = [str(name) for name, is_held in applied.items() if not is_held]
        if kind == "none" or (applied and open_ways in ([], ["start"] if self._launch.confinement.gaps else [])):
            return ""
        return f"the confinement by {kind} does not hold ({', '.join(open_ways) or 'nothing was tried'})."

    def _execute(self, code: str, seconds: float, restart: Restart | None) -> Executed | None:
        """None where the process did not even begin."""
        process = self._process
        assert process is not None
        self._number += 1
        number, marker = self._number, os.urandom(16)
        requests = Requests(number, self._services, process.send)
        watch = Watch(self._clock(), seconds)
        with self._lock:
            self._requests, self._watch, self._said = requests, watch, []
        self._services.begin(number)
        process.output.expect(marker)
        try:
            process.send("execute", number, code=code, marker=marker.hex())
            answer = watch.wait(process, number, "result", lambda: requests.are_open, requests.cancel)
        except BrokenFrame:
            return Executed(number, Status.ERROR, Printed("", 0), error="The code is too large.")
        finally:
            with self._lock:
                self._requests = self._watch = None
            requests.close()
        if answer is Ended.NEVER_BEGAN:
            return None
        printed = process.output.take(_OUTPUT_WITHIN)
        if isinstance(answer, Frame):
            return self._answered(number, answer, printed, watch, restart)
        return self._died(number, answer, printed, watch)

    def _answered(
        self, number: int, answer: Frame, printed: Printed, watch: Watch, restart: Restart | None
    ) -> Executed:
        data = answer.data
        self._bindings.update(data.get("bindings"))
        known = data.get("status") in (Status.OK, Status.DONE, Status.ERROR, Status.INTERRUPTED)
        status = Status(data["status"]) if known else Status.ERROR
        error = None if data.get("error") is None else str(data["error"])
        if watch.has_interrupted and status in (Status.ERROR, Status.INTERRUPTED):
            status = Status.INTERRUPTED if watch.is_interrupted else Status.TIMED_OUT
        if status is Status.TIMED_OUT:
            error = f"{error}\nStopped at the time limit of {watch.limit:g} s."
        return Executed(
            number=number,
            status=status,
            printed=printed,
            value=None if data.get("value") is None else str(data["value"]),
            error=error,
            done=data.get("done"),
            said=tuple(self._said),
            seconds=float(data.get("seconds", 0.0)),
            restart=restart,
            halted=watch.halted,
        )

    def _died(self, number: int, how: Ended, printed: Printed, watch: Watch) -> Executed:
        process = self._process
        assert process is not None
        if how is Ended.GONE:
            process.end()
            status, reason = Status.DIED, f"The process is gone. {process.death}"
        elif watch.is_interrupted:
            status, reason = Status.INTERRUPTED, "The execution did not heed the interrupt, so its process was ended."
        else:
            status = Status.TIMED_OUT
            reason = f"The execution did not stop at the time limit of {watch.limit:g} s, so its process was ended."
        return Executed(
            number=number,
            status=status,
            printed=printed,
            error=reason,
            said=tuple(self._said),
            seconds=watch.seconds,
            restart=None if self._is_closed else self._replace(reason),
            halted=watch.halted,
        )

    def _replace(self, reason: str) -> Restart:
        """Start anew and bring back what can be brought back, within a deadline."""
        began = time.monotonic()
        self._end(reason)
        kept, self._bindings = self._bindings, KeptBindings()
        self._process = self._started()
        lost = dict(kept.lost)
        if kept.names:
            failed = self._restore(self._process, kept)
            if failed is None:
                lost |= dict.fromkeys(kept.names, f"not back within {_REPLAY_WITHIN:g} s")
                self._end()
                self._process = self._started()
            else:
                lost |= failed
        names = tuple(name for name in kept.names if name not in lost)
        return Restart(reason.strip(), names, lost, time.monotonic() - began)

    def _restore(self, process: Incarnation, kept: KeptBindings) -> dict[str, str] | None:
        """What did not come back; None where the attempt had to be given up."""
        answer = self._ask(process, _REPLAY_WITHIN, "restore", values=kept.values, sources=kept.sources)
        if not isinstance(answer, Frame) or answer.data.get("status") != "ok":
            return None
        self._bindings.update(answer.data.get("bindings"))
        return {str(name): str(why) for name, why in dict(answer.data.get("failed", {})).items()}

    def _ask(self, process: Incarnation, seconds: float, kind: str, **data: object) -> Frame | Ended:
        """Have the process do something that is no execution; whatever is printed meanwhile is dropped."""
        marker = os.urandom(16)
        process.output.expect(marker)
        self._number += 1
        process.send(kind, self._number, marker=marker.hex(), **data)
        watch = Watch(self._clock(), seconds)
        answer = watch.wait(process, self._number, "result", lambda: False)
        if isinstance(answer, Frame):
            process.output.take(_OUTPUT_WITHIN)
        return answer

    def _take(self, frame: Frame) -> None:
        """What the process asks or says, on the thread that reads."""
        with self._lock:
            requests, watch, process, said = self._requests, self._watch, self._process, self._said
        if frame.type == "pong" and watch is not None:
            watch.answered(frame.id)
        elif frame.type == "request" and requests is not None:
            requests.take(frame)
        elif frame.type == "request" and process is not None:
            Requests.refuse(frame, process.send)
        elif frame.type == "say" and watch is not None and len(said) < _MOST_SAID:
            said.append(str(frame.data.get("text", "")))
            self._services.said(said[-1])
