"""Everything that code should not do, one after the other; the long form of this is in bench."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from made_bodies import BodyMaker
from torture import KINDS, Remains, torture

from aries_body.confinement.plan import Kind, Limits

_LIMITS = Limits(memory=300, processes=40)


@pytest.fixture
def before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Remains:
    # Other tests run beside this one and have folders of their own.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Remains.now()


@pytest.mark.parametrize("kind", ["bubblewrap", "landlock", "none"])
def test_the_host_answers_whatever_comes_and_keeps_nothing(before: Remains, make_body: BodyMaker, kind: Kind) -> None:
    body = make_body(kind, limits=_LIMITS)
    tally = torture(body, 30, random.Random(f"seed of {kind}"))
    assert tally.unexpected == []
    assert sum(tally.statuses.values()) == 30
    assert body.execute("40 + 2").value == "42"
    body.close()
    assert Remains.now() == before


def test_each_kind_of_misbehaviour_is_answered(make_body: BodyMaker) -> None:
    body = make_body(limits=_LIMITS)
    for name, (code, seconds) in KINDS.items():
        if name in ("print 100 MB", "loop that heeds nothing", "one long call"):
            continue  # the random ones have them, and they take their time
        assert body.execute(code, seconds).number > 0
        assert body.execute("40 + 2").value == "42", name
