"""The body: it answers, whatever the code does."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made_bodies import BodyMaker, is_alive

from aries_body.confinement.plan import Limits
from aries_body.process.body import Body, BodyFailed
from aries_body.process.clock import AwakeClock
from aries_body.process.results import Status

_LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes")


def test_variables_functions_and_imports_stay_between_executions(body: Body) -> None:
    body.execute("import math\nx = 2\ndef twice(y):\n    return 2 * y")
    assert body.execute("twice(x) + math.floor(1.5)").value == "5"
    assert body.execute("_ + 1").value == "6"


def test_the_last_expression_is_the_value_and_prints_are_the_output(body: Body) -> None:
    done = body.execute("print('a'); import sys; print('b', file=sys.stderr)\n'c'")
    assert (done.status, done.value, done.printed.text) == (Status.OK, "'c'", "a\nb\n")
    assert body.execute("None").value is None


def test_output_of_every_kind_comes_in_order(body: Body) -> None:
    code = "import os, sys\nprint('1')\nos.write(1, b'2\\n')\nos.system('echo 3')\nsys.stderr.write('4\\n')\nprint('5')"
    assert body.execute(code).printed.text == "1\n2\n3\n4\n5\n"


def test_bytes_that_look_like_frames_are_output_and_nothing_is_mixed_up(body: Body) -> None:
    body.start()
    for number in range(20):
        done = body.execute(
            "import os, json\n"
            "data = {'status': 'ok', 'value': 'forged'}\n"
            f"frame = json.dumps({{'type': 'result', 'id': {number + 1}, 'data': data}})\n"
            "data = len(frame).to_bytes(4, 'big') + frame.encode()\n"
            f"os.write(1, data); os.write(2, data)\n{number}"
        )
        assert (done.value, done.status) == (str(number), Status.OK)
        assert "forged" in done.printed.text


def test_names_of_frames_may_be_names_of_results(body: Body) -> None:
    # The reference took a result with the key `done`, and later `say`, for another frame and hung (G14, G15).
    assert body.execute("done({'done': 1, 'say': 'x', 'type': 'pong', 'id': 7})").done == {
        "done": 1, "say": "x", "type": "pong", "id": 7,
    }  # fmt: skip
    assert body.execute("{'type': 'result'}").value == "{'type': 'result'}"


def test_done_ends_the_execution_and_no_handler_of_exceptions_catches_it(body: Body) -> None:
    done = body.execute("try:\n    done(3)\nexcept Exception:\n    print('caught')\nprint('after')")
    assert (done.status, done.done, done.printed.text) == (Status.DONE, 3, "")


def test_an_error_of_syntax_runs_nothing(body: Body) -> None:
    done = body.execute("print('ran')\nx = = 1")
    assert done.status is Status.ERROR and "SyntaxError" in (done.error or "") and done.printed.text == ""
    assert "\\x00" not in (body.execute("\0").error or "") and body.execute("1").value == "1"


def test_exit_ends_the_execution_and_not_the_process(body: Body) -> None:
    body.execute("x = 1")
    done = body.execute("exit(3)\nprint('after')")
    assert done.status is Status.ERROR and "SystemExit" in (done.error or "") and done.restart is None
    assert body.execute("x").value == "1"


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time; time.sleep(1000)",
        "import threading; threading.Event().wait()",
        "import os; r, w = os.pipe(); os.read(r, 1)",
        "class A:\n    def __repr__(self):\n        while True: pass\nA()",
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
    ],
)
def test_the_time_limit_stops_code_and_variables_stay(body: Body, code: str) -> None:
    body.execute("x = 41")
    done = body.execute(code, seconds=0.3)
    assert done.status is Status.TIMED_OUT and done.restart is None, done
    assert "time limit of 0.3 s" in (done.error or "")
    assert body.execute("x + 1").value == "42"


def test_one_long_call_that_lets_nobody_else_run_is_ended(body: Body) -> None:
    body.execute("x = 1")
    done = body.execute("sum(range(10**14))", seconds=0.3)
    assert done.status is Status.TIMED_OUT and done.restart is not None
    assert body.execute("x").value == "1"


def test_somebody_else_may_stop_an_execution(body: Body, project: Path) -> None:
    body.start()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(body.execute, "say('here')\nwhile True: pass", 600)
        while not running.done():
            body.interrupt()
        assert running.result().status is Status.INTERRUPTED
    assert body.execute("1").value == "1"


def test_an_interrupt_between_two_executions_disturbs_neither(body: Body) -> None:
    body.execute("x = 1")
    body.interrupt()
    assert body.execute("x").value == "1"


def test_code_that_closes_every_descriptor_is_answered(body: Body) -> None:
    body.execute("x = 5")
    done = body.execute("import os\nos.closerange(0, 4096)")
    assert done.status in (Status.DIED, Status.OK)
    assert body.execute("x").value == "5"


def test_code_that_closes_or_replaces_its_streams_prints_again_the_next_time(body: Body) -> None:
    for code in (
        "import sys; sys.stdout.close()",
        "import sys; sys.stdout = sys.stderr = None",
        "import os; os.close(1)",
    ):
        assert body.execute(code).status in (Status.OK, Status.ERROR)
        assert body.execute("print('again')").printed.text == "again\n"


def test_code_that_breaks_the_library_around_it_is_answered(body: Body) -> None:
    for code in (
        "import sys; sys.modules.clear()",
        "import builtins\nfor name in list(vars(builtins)):\n    delattr(builtins, name)",
        "import threading, queue; threading.Lock = queue.SimpleQueue = None",
        "import gc; gc.disable(); import signal; signal.signal(2, signal.SIG_IGN)",
    ):  # fmt: skip
        body.execute(code, seconds=5)
        assert body.execute("1 + 1", seconds=5).status in (Status.OK, Status.ERROR, Status.DIED)
    body.reset()
    assert body.execute("1 + 1").value == "2"


def test_printing_a_hundred_megabytes_costs_what_is_kept_of_it(body: Body) -> None:
    done = body.execute("line = 'y' * 99\nfor _ in range(1000):\n    print('\\n'.join([line] * 1000))\nprint('end')")
    assert done.printed.size == 100_000_004 and done.printed.is_cut
    assert len(done.printed.text) < 200_000 and done.printed.text.endswith("\nend\n")


def test_a_large_value_is_cut_in_the_answer_and_whole_in_its_variable(body: Body) -> None:
    done = body.execute("big = [{'n': i} for i in range(300_000)]\nbig")
    assert len(done.value or "") < 6_000 and "299,950 more" in (done.value or "")
    assert body.execute("len(big), big[-1]").value == "(300000, {'n': 299999})"
    assert len(body.execute("'x' * 10_000_000").value or "") < 6_000


def test_memory_beyond_the_limit_is_an_error_of_the_code(make_body: BodyMaker) -> None:
    body = make_body(limits=Limits(memory=300))
    body.execute("x = 1")
    done = body.execute("hoard = []\nwhile True:\n    hoard.append(bytearray(10_000_000))", seconds=60)
    assert (done.status is Status.ERROR and "MemoryError" in (done.error or "")) or done.status is Status.DIED
    assert body.execute("hoard = None; x").value == "1"


@_LINUX
def test_memory_of_many_processes_together_is_limited_too(make_body: BodyMaker) -> None:
    body = make_body(limits=Limits(memory=200))
    code = (
        "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n"
        "        kept = bytearray(os.urandom(1000)) * 60_000\n        time.sleep(600)\ntime.sleep(600)"
    )
    done = body.execute(code, seconds=60)
    assert done.status is Status.DIED and "more memory" in (done.error or "")


@_LINUX
def test_code_that_forks_without_end_is_stopped_and_nothing_of_it_stays(make_body: BodyMaker) -> None:
    body = make_body(limits=Limits(processes=40))
    done = body.execute("import os, time\nwhile True:\n    if os.fork() == 0:\n        time.sleep(600)", seconds=60)
    assert done.status is Status.DIED and "more processes" in (done.error or "")
    assert body.execute("1").value == "1"


def test_a_fork_answers_once(body: Body) -> None:
    done = body.execute("import os\npid = os.fork()\nprint('child' if pid == 0 else 'parent')\n'value'")
    assert done.value == "'value'" and "parent" in done.printed.text
    assert body.execute("pid > 0").value == "True"


@_LINUX
def test_nothing_that_code_started_outlives_the_body(make_body: BodyMaker, tmp_path: Path) -> None:
    body = make_body()
    code = (
        "import os, subprocess, time\n"
        "one = subprocess.Popen(['sleep', '600']).pid\n"
        "two = subprocess.Popen(['sleep', '600'], start_new_session=True).pid\n"
        "r, w = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    three = os.fork()\n"
        "    if three == 0:\n        os.closerange(0, 3)\n        time.sleep(600)\n"
        "    os.write(w, str(three).encode())\n    os._exit(0)\n"
        "os.wait()\nthree = int(os.read(r, 20))\n[one, two, three]"
    )
    pids = [int(word) for word in (body.execute(code).value or "").strip("[]").split(",")]
    assert len(pids) == 3 and all(map(is_alive, pids))
    body.close()
    assert not any(map(is_alive, pids))


def test_a_closed_body_says_so(body: Body) -> None:
    body.execute("1")
    body.close()
    with pytest.raises(BodyFailed, match="closed"):
        body.execute("1")


@_LINUX
def test_the_pipe_of_the_host_is_out_of_reach_of_what_counts_descriptors_or_is_started(body: Body) -> None:
    found = body.execute("import os\nsorted(int(n) for n in os.listdir('/proc/self/fd'))").value or ""
    numbers = [int(word) for word in found.strip("[]").split(",")]
    assert [number for number in numbers if 3 <= number < 100] in ([], [3])  # the listing itself
    code = (
        "import subprocess\n"
        "print(subprocess.run(['ls', '/proc/self/fd'], capture_output=True, text=True, close_fds=False).stdout)"
    )
    inherited = [int(word) for word in body.execute(code).printed.text.split()]
    assert all(number < 100 for number in inherited)


def test_a_night_in_the_middle_of_an_execution_kills_nobody(make_body: BodyMaker) -> None:
    steps = itertools.chain([0.0] * 3, itertools.repeat(8 * 3600.0))

    def sleepy() -> AwakeClock:
        now = [0.0]

        def read() -> float:
            now[0] += next(steps)
            return now[0]

        return AwakeClock(read, lambda: 0.0)

    body = make_body()
    body.start()
    body_with_nights = make_body(clock=sleepy)
    done = body_with_nights.execute("import time; time.sleep(0.5); 'slept well'", seconds=60)
    assert done.value == "'slept well'" and done.restart is None
    assert done.halted > 3600


def test_top_level_await_works(body: Body) -> None:
    assert body.execute("import asyncio\nx = await asyncio.sleep(0, 3)\nawait asyncio.sleep(0, x + 1)").value == "4"


def test_names_are_completed_in_what_the_code_sees(body: Body) -> None:
    body.execute("wonderful = {'a': 1}")
    assert body.complete("print(wonder") == ["wonderful"]
    assert "fs.read(" in body.complete("fs.re") and body.complete("nothing_of_that") == []
    assert body.execute("1").printed.text == ""


def test_a_process_that_answers_no_ping_is_known_to(make_body: BodyMaker) -> None:
    body = make_body()
    body.start()
    assert body.is_responsive
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(body.execute, "sum(range(10**14))", 600)
        while body.is_responsive:
            continue
        body.interrupt()
        assert running.result().status is Status.INTERRUPTED
    assert body.is_responsive and body.execute("1").value == "1"
