"""A vault, a server as a process, and a desk in this one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ori_memory.serving.desk import Desk
from ori_memory.vault.vault import Vault

sys.path.insert(0, str(Path(__file__).parent))
from talking import Talker, environment, make_vault

Start = Callable[..., Talker]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return make_vault(tmp_path / "vault")


@pytest.fixture
def start(vault: Vault, home: Path) -> Iterator[Start]:
    """Start a server of the vault; it is ended with the test."""
    started: list[Talker] = []

    def starting(*arguments: str, **env: str) -> Talker:
        started.append(Talker(["--vault", str(vault.root), *arguments], environment(home, **env)))
        return started[-1]

    yield starting
    for talker in started:
        talker.__exit__(None, None, None)


@pytest.fixture
def desk(vault: Vault) -> Iterator[Desk]:
    desk = Desk(vault, {"ORI_NO_BACKGROUND": "1"}, grace=60)
    desk.start()
    yield desk
    desk.close()
