"""Bodies for tests: made by `make_body`, ended with the test."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aries_body.confinement.choosing import choose
from aries_body.confinement.plan import Confinement, Kind, Limits
from aries_body.process.body import Body
from aries_body.process.clock import AwakeClock
from aries_body.process.services import NoServices, Services
from aries_body.process.starting import Launch
from aries_body.services.providers import groups_with
from aries_kernel.contracts.body import Group

__all__ = ["BodyMaker", "body", "is_alive", "make_body", "project"]


@functools.cache
def chosen(kind: Kind) -> Confinement:
    """Tried once for all tests of a process; what it found does not change meanwhile."""
    return Confinement("none") if kind == "none" else choose(os.environ, (kind,))


class BodyMaker:
    """Makes bodies in one project."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.made: list[Body] = []

    def __call__(
        self,
        kind: Kind = "none",
        *,
        services: Services | None = None,
        limits: Limits | None = None,
        clock: Callable[[], AwakeClock] = AwakeClock,
        groups: tuple[Group, ...] | None = None,
        hidden: tuple[Path, ...] = (),
    ) -> Body:
        confinement = chosen(kind)
        if confinement.kind != kind:
            pytest.skip(str(confinement))
        launch = Launch(
            project=self.project,
            confinement=confinement,
            environ=os.environ,
            groups=groups_with(()) if groups is None else groups,
            limits=limits or Limits(),
            hidden=hidden,
        )
        made = Body(launch, services or NoServices(), clock)
        self.made.append(made)
        return made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("def one():\n    return 1\n", encoding="utf-8")
    return folder.resolve()


@pytest.fixture
def make_body(project: Path) -> Iterator[BodyMaker]:
    maker = BodyMaker(project)
    yield maker
    for made in maker.made:
        made.close()


@pytest.fixture
def body(make_body: BodyMaker) -> Body:
    return make_body()


def is_alive(pid: int) -> bool:
    """Whether a process is there and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
