"""The suite for bridges, on a bridge that is written with the kernel alone."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from attrs import evolve, frozen

from aries_kernel.contracts.bridge import Activation, Bridge, BridgeState, ClientCheck, FileEdit, Plan, Scope, Setting
from aries_kernel.errors import UserError
from aries_kernel.testing.bridge_suite import BridgeSuite, carry_out

MARK = "memory: "


@frozen
class Lines:
    """One line in a file of lines."""

    name: str = "lines"
    title: str = "Lines"
    scopes: tuple[Scope, ...] = ("global",)
    default_activation: Activation = "manual"

    def plan_install(self, setting: Setting) -> Plan:
        line = MARK + "|".join([*setting.command, str(setting.vault), setting.activation])
        return self._plan(setting, [*self._others(setting), line])

    def plan_uninstall(self, setting: Setting) -> Plan:
        return self._plan(setting, self._others(setting))

    def status(self, setting: Setting) -> BridgeState:
        try:
            ours = [line for line in self._lines(setting) if line.startswith(MARK)]
        except UserError as error:
            return BridgeState(False, problems=(str(error),))
        is_here = self._file(setting).exists()
        if not ours:
            return BridgeState(False, is_client_here=is_here)
        *command, vault, _ = ours[0].removeprefix(MARK).split("|")
        return BridgeState(True, "manual", vault, tuple(command), (self._file(setting),), is_client_here=is_here)

    def verify(self, setting: Setting) -> tuple[ClientCheck, ...]:
        return (ClientCheck("installed", self.status(setting).is_installed),)

    def _file(self, setting: Setting) -> Path:
        return setting.home / ".lines"

    def _lines(self, setting: Setting) -> list[str]:
        try:
            return self._file(setting).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except UnicodeDecodeError as error:
            raise UserError(f"{self._file(setting)}: this is not UTF-8.") from error

    def _others(self, setting: Setting) -> list[str]:
        return [line for line in self._lines(setting) if not line.startswith(MARK)]

    def _plan(self, setting: Setting, lines: list[str]) -> Plan:
        file = self._file(setting)
        before = file.read_bytes() if file.exists() else None
        after = "".join(f"{line}\n" for line in lines).encode() or None
        return Plan(() if after == before else (FileEdit(file, before, after, ("a line",)),))


class TestLines(BridgeSuite):
    golden = Path(__file__).parent / "lines_golden.txt"
    own_files: ClassVar = {".lines": "mine\n"}

    @pytest.fixture
    def bridge(self) -> Bridge:
        return Lines()


class _Greedy(Lines):
    """Takes the person's lines along."""

    def plan_uninstall(self, setting: Setting) -> Plan:
        return self._plan(setting, [])


def test_the_suite_sees_what_a_bridge_takes_along(tmp_path: Path) -> None:
    setting = Setting("global", tmp_path / "project", tmp_path, ("/x",), tmp_path / "v", "manual", {})
    suite = TestLines()
    for folder in (setting.project, setting.home):
        folder.mkdir(exist_ok=True)
    suite.test_what_a_person_had_is_the_same_to_the_byte_afterwards(Lines(), [setting])
    with pytest.raises(AssertionError):
        suite.test_what_a_person_had_is_the_same_to_the_byte_afterwards(_Greedy(), [setting])


def test_carrying_out_a_removal_removes(tmp_path: Path) -> None:
    setting = Setting("global", tmp_path, tmp_path, ("/x",), None, "manual", {})
    carry_out(Lines().plan_install(setting))
    carry_out(Lines().plan_uninstall(evolve(setting, vault=tmp_path)))
    assert list(tmp_path.iterdir()) == []
