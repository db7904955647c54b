"""What user code asks of the host while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from made_bodies import BodyMaker
from made_services import Answers, Never

from aries_body.process.results import Status
from aries_body.process.services import ServiceRefused

_LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes")


def test_a_forked_process_cannot_speak_for_the_one_that_was_forked(make_body: BodyMaker) -> None:
    services = Answers(lambda name, given: "answered")
    body = make_body(services=services)
    code = """
import os
r, w = os.pipe()
if os.fork() == 0:
    try:
        web.fetch("x")
    except BaseException as error:
        os.write(w, repr(error).encode())
    say("child")
    os._exit(0)
os.wait()
print(os.read(r, 500).decode())
"""
    done = body.execute(code)
    assert "forked process cannot ask" in done.printed.text
    assert services.texts == [] and services.futures == []


def test_requests_are_answered_with_records_and_errors_with_exceptions(make_body: BodyMaker) -> None:
    def answer(name: str, given: Mapping[str, Any]) -> Any:
        if given.get("url") == "bad":
            raise ServiceRefused("not that one")
        if given.get("url") == "odd":
            return object()
        return {"name": name, "rows": [{"given": dict(given)}]}

    body = make_body(services=Answers(answer))
    assert body.execute("r = web.fetch('a')\nr.rows[0].given.url, r['name']").value == "('a', 'web.fetch')"
    assert "HostError: not that one" in (body.execute("web.fetch('bad')").error or "")
    assert "not plain data" in (body.execute("web.fetch('odd')").error or "")
    assert "plain values" in (body.execute("web.fetch(object())").error or "")
    assert "web.fetch(url) -> str" in (body.execute("web.fetch()").error or "")


def test_many_threads_may_ask_at_once(make_body: BodyMaker) -> None:
    body = make_body(services=Answers(lambda name, given: given["url"]))
    code = (
        "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(16) as pool:\n"
        "    found = list(pool.map(web.fetch, map(str, range(300))))\nfound == [str(n) for n in range(300)]"
    )
    assert body.execute(code).value == "True"


def test_waiting_for_the_host_is_no_time_of_the_code_and_ends_with_an_interrupt(make_body: BodyMaker) -> None:
    services = Never()
    body = make_body(services=services)
    body.start()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(body.execute, "web.fetch('x')", 0.2)
        assert services.asked.wait(30)
        body.interrupt()
        done = running.result(30)
    assert done.status is Status.INTERRUPTED and done.restart is None
    assert services.futures[0].cancelled()


def test_what_is_asked_after_the_execution_ended_is_refused(make_body: BodyMaker) -> None:
    services = Answers(lambda name, given: "late")
    body = make_body(services=services)
    body.execute(
        "import threading\nstart, errors, finished = threading.Event(), [], threading.Event()\n"
        "def work():\n    start.wait()\n    try:\n        web.fetch('x')\n    except Exception as e:\n"
        "        errors.append(str(e))\n    finished.set()\nthreading.Thread(target=work, daemon=True).start()"
    )
    body.execute("threading.Timer(0.05, start.set).start()")
    done = body.execute("finished.wait(20); errors")
    assert services.futures == [] or "late" not in (done.value or "")


def test_what_is_said_reaches_the_person_and_the_answer(make_body: BodyMaker) -> None:
    services = Answers(lambda name, given: None)
    body = make_body(services=services)
    done = body.execute("say('one'); say(2)")
    assert done.said == ("one", "2") == tuple(services.texts)
    assert "more than 100 times" in (body.execute("while True: say('x')").error or "")


def test_no_code_runs_on_after_a_request_that_was_cancelled(make_body: BodyMaker) -> None:
    def cancelled(name: str, given: Mapping[str, Any]) -> Any:
        raise ServiceRefused("Cancelled.", kind="cancelled")

    body = make_body(services=Answers(cancelled))
    for call in ("web.fetch('x')", "rlm_call('x')", "rlm_batch([('x', '')] * 3)"):
        done = body.execute(f"try:\n    {call}\nexcept Exception:\n    pass\nsay('went on')")
        assert done.status is Status.INTERRUPTED and done.said == ()
