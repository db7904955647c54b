"""A process that is gone, the next one, and what comes back."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from made_bodies import BodyMaker, is_alive
from made_services import Answers

from aries_body.process.body import Body, BodyFailed
from aries_body.process.results import Status

_LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes")


def test_code_that_heeds_no_interrupt_is_ended_and_what_can_be_had_comes_back(body: Body) -> None:
    body.execute("import json\nx = [1, {'a': (2, 3)}]\ndef f():\n    return json.dumps(x)\ngenerator = (i for i in x)")
    done = body.execute("import signal\nsignal.signal(2, lambda *_: None)\nwhile True: pass", seconds=0.3)
    assert done.status is Status.TIMED_OUT
    assert done.restart is not None and set(done.restart.kept) == {"json", "x", "f"}
    assert dict(done.restart.lost) == {"generator": "generator"}
    assert body.execute("f()").value == "'[1, {\"a\": [2, 3]}]'"


@pytest.mark.parametrize(
    "code",
    [
        "import os; print('last words'); os._exit(7)",
        "import os, signal; print('last words'); os.kill(os.getpid(), signal.SIGKILL)",
        "import ctypes; print('last words'); ctypes.string_at(0)",
        "import os; print('last words'); [os.close(n) for n in range(3, 1000) if n not in ()]" if False else
        "import os, faulthandler; print('last words'); os.abort()",
    ],
)  # fmt: skip
def test_a_process_that_dies_is_told_replaced_and_its_last_words_are_kept(body: Body, code: str) -> None:
    body.execute("x = 5")
    done = body.execute(code)
    assert done.status is Status.DIED and done.restart is not None and done.restart.kept == ("x",)
    assert done.printed.text.startswith("last words")
    assert body.execute("x").value == "5"


def test_a_process_that_is_killed_between_two_executions_is_replaced(body: Body) -> None:
    body.execute("x = 5; import os")
    pid = int(body.execute("os.getpid()").value or 0)
    os.kill(pid, signal.SIGKILL)
    while is_alive(pid):
        continue
    done = body.execute("x")
    assert done.value == "5"
    assert (done.restart is not None) or body.execute("x").value == "5"


def test_bindings_that_take_too_long_to_come_back_are_lost_and_named(body: Body) -> None:
    body.execute("x = 1\nimport os, time\nos.environ['SLOW'] = ''")
    body.execute("class Slow:\n    import os, time\n    'SLOW' in os.environ or time.sleep(600)")
    done = body.execute("os._exit(1)")
    assert done.restart is not None and set(done.restart.lost) >= {"x", "Slow"} and done.restart.kept == ()
    assert body.execute("1").value == "1"


def test_nothing_is_asked_of_the_host_while_variables_come_back(make_body: BodyMaker) -> None:
    services = Answers(lambda name, given: "text")
    body = make_body(services=services)
    body.execute("import os\nclass A:\n    text = web.fetch('x')")
    assert len(services.futures) == 1
    done = body.execute("os._exit(1)")
    assert len(services.futures) == 1
    assert done.restart is not None and "A" in done.restart.lost


def test_records_and_objects_of_own_classes_come_back(make_body: BodyMaker) -> None:
    body = make_body(services=Answers(lambda name, given: {"a": [{"b": 1}]}))
    body.execute(
        "import os\nfrom dataclasses import dataclass\nfrom collections import Counter\nr = web.fetch('x')\n"
        "@dataclass\nclass P:\n    x: int\np = P(3)\nc = Counter('aab')\nlam = lambda: 1\nf = open(os.devnull)"
    )
    done = body.execute("os._exit(1)")
    assert done.restart is not None and set(done.restart.lost) == {"lam", "f"}
    assert body.execute("r.a[0].b, p.x, c['a']").value == "(1, 3, 2)"


def test_a_start_that_fails_leaves_no_folder_and_is_told(
    make_body: BodyMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(BodyFailed, match="could not be started"):
        make_body().start()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_deleted_variable_does_not_come_back(body: Body) -> None:
    body.execute("import os\nx = 1\ny = 2")
    body.execute("del x")
    done = body.execute("os._exit(1)")
    assert done.restart is not None and set(done.restart.kept) == {"os", "y"}
    assert "NameError" in (body.execute("x").error or "")
