"""Answers and failures of the small model, as user code gets them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any

import pytest
from made_bodies import BodyMaker

from aries_body.process.results import Status


class _Model:
    """Fails for questions that say so."""

    def begin(self, execution: int) -> None:
        return

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        if "fail" in arguments["question"]:
            future.set_result({"ok": False, "kind": "timeout", "reason": "No answer within 60 s."})
        else:
            future.set_result({"ok": True, "text": f"{arguments['question']}/{arguments['context']}"})
        return future

    def said(self, text: str) -> None:
        return


def test_an_answer_is_a_text(make_body: BodyMaker) -> None:
    body = make_body(services=_Model())
    assert body.execute("a = rlm_call('q', 'c')\na, a.ok, isinstance(a, str), a.upper()").value == (
        "('q/c', True, True, 'Q/C')"
    )


@pytest.mark.parametrize(
    "use",
    [
        "str(f)", "f'{f}'", "'%s' % f", "'a' + f", "f + 'a'", "len(f)", "list(f)", "'x' in f", "f.strip()", "f[0]",
        "'; '.join([f])", "sorted([f, f])", "open('x', 'w').write(f)", "int(f)", "f.text", "print(f)",
        "fs.write('x', f)",
    ],
)  # fmt: skip
def test_a_failure_cannot_be_taken_for_an_answer(make_body: BodyMaker, use: str) -> None:
    body = make_body(services=_Model())
    body.execute("f = rlm_call('fail')")
    done = body.execute(use)
    assert done.status is Status.ERROR, use
    assert "NoAnswer" in (done.error or "") or "TypeError" in (done.error or "") or "OSError" in (done.error or "")


def test_a_failure_is_false_says_why_and_shows_itself(make_body: BodyMaker) -> None:
    body = make_body(services=_Model())
    assert body.execute("f = rlm_call('fail')\nf.ok, bool(f), f.kind, f.reason").value == (
        "(False, False, 'timeout', 'No answer within 60 s.')"
    )
    assert body.execute("f").value == "<no answer (timeout): No answer within 60 s.>"


def test_answers_of_a_batch_come_in_the_order_of_the_questions(make_body: BodyMaker) -> None:
    body = make_body(services=_Model())
    code = "found = rlm_batch([('fail' if i == 3 else f'q{i}', i) for i in range(12)])"
    assert body.execute(f"{code}\n[i for i, a in enumerate(found) if a.ok and a == f'q{{i}}/{{i}}']").value == (
        "[0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]"
    )
