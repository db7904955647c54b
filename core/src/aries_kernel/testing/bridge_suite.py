"""The contract of a bridge as tests: subclass `BridgeSuite`, name the bridge, its golden file and a person's files.

class TestEditor(BridgeSuite):
    @pytest.fixture
    def bridge(self) -> Bridge:
        return BRIDGE

    golden = Path(__file__).parent / "golden.txt"
    own_files = {".editor/settings.json": '{"theme": "dark"}'}
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar, get_args

import pytest
from attrs import evolve

from aries_kernel.contracts.bridge import Activation, Bridge, Plan, Setting
from aries_kernel.errors import UserError

__all__ = ["BridgeSuite", "carry_out"]

_GOLDEN = Setting(
    scope="project",
    project=Path("/code/a project"),
    home=Path("/home/zoë"),
    command=("/opt/my tools/ori",),
    vault=Path("/home/zoë/my notes"),
    environ={},
    platform="linux",
)


def carry_out(plan: Plan) -> None:
    """Write what the plan says, as a host does."""
    for edit in plan.edits:
        if edit.after is None:
            edit.path.unlink()
        else:
            edit.path.parent.mkdir(parents=True, exist_ok=True)
            edit.path.write_bytes(edit.after)


class BridgeSuite:
    """What every bridge must keep; see the module for how to use it."""

    golden: ClassVar[Path]
    """All that is written, for every scope and activation. Where it is missing it is written, and the test fails."""
    own_files: ClassVar[Mapping[str, str]] = {}
    """Files that a person had before, the same in home and project; paths relative to both, contents of any kind."""

    @pytest.fixture
    def bridge(self) -> Bridge:
        """The bridge under test."""
        raise NotImplementedError("override the fixture `bridge`")

    @pytest.fixture
    def setting(self, bridge: Bridge, tmp_path: Path) -> Setting:
        """A home and a project with blanks and other letters in their names, and nothing in them."""
        home, project = tmp_path / "zoë's home", tmp_path / "a project ü"
        home.mkdir()
        project.mkdir()
        command = (str(tmp_path / "my tools" / "ori"),)
        return Setting(bridge.scopes[0], project, home, command, tmp_path / "my nötes", "auto", {})

    @pytest.fixture
    def settings(self, bridge: Bridge, setting: Setting) -> list[Setting]:
        """Every scope with every activation."""
        ways = itertools.product(bridge.scopes, get_args(Activation))
        return [evolve(setting, scope=scope, activation=activation) for scope, activation in ways]

    def test_it_says_what_it_is(self, bridge: Bridge) -> None:
        assert bridge.name and bridge.name == bridge.name.strip().lower()
        assert bridge.title.strip() == bridge.title != ""
        assert bridge.scopes and len(set(bridge.scopes)) == len(bridge.scopes)
        assert bridge.default_activation in get_args(Activation)

    def test_planning_writes_nothing(self, bridge: Bridge, settings: list[Setting]) -> None:
        for one in settings:
            bridge.plan_install(one)
            bridge.plan_uninstall(one)
            bridge.status(one)
        assert _files(settings[0]) == {}

    def test_only_files_of_the_home_or_the_project_are_touched(self, bridge: Bridge, settings: list[Setting]) -> None:
        for one in settings:
            for edit in bridge.plan_install(one).edits:
                assert edit.path.is_relative_to(one.project if one.scope == "project" else one.home)
                assert edit.before is None and edit.after is not None and edit.changes

    def test_again_changes_nothing(self, bridge: Bridge, settings: list[Setting]) -> None:
        for one in settings:
            carry_out(bridge.plan_install(one))
            assert bridge.plan_install(one).edits == ()

    def test_taken_out_nothing_is_left_and_a_second_time_changes_nothing(
        self, bridge: Bridge, settings: list[Setting]
    ) -> None:
        for one in settings:
            carry_out(bridge.plan_install(one))
            carry_out(bridge.plan_uninstall(one))
            assert _files(one) == {}
            assert bridge.plan_uninstall(one).edits == ()

    def test_what_a_person_had_is_the_same_to_the_byte_afterwards(
        self, bridge: Bridge, settings: list[Setting]
    ) -> None:
        for one in settings:
            self._write_own_files(one)
            before = _files(one)
            carry_out(bridge.plan_install(one))
            carry_out(bridge.plan_uninstall(one))
            assert _files(one) == before

    def test_status_tells_what_was_installed(self, bridge: Bridge, settings: list[Setting]) -> None:
        for one in settings:
            if not bridge.plan_install(one).edits:
                continue
            assert not bridge.status(one).is_installed
            carry_out(bridge.plan_install(one))
            state = bridge.status(one)
            assert (state.is_installed, state.vault, state.problems) == (True, str(one.vault), ())
            assert state.command[:1] == one.command and state.paths
            carry_out(bridge.plan_uninstall(one))
            assert not bridge.status(one).is_installed and not bridge.status(one).paths

    def test_the_client_is_here_once_its_own_file_is(self, bridge: Bridge, settings: list[Setting]) -> None:
        everywhere = [one for one in settings if one.scope == "global"]
        assert not any(bridge.status(one).is_client_here for one in settings)
        for one in everywhere[:1]:
            for edit in bridge.plan_install(one).edits[:1]:
                edit.path.parent.mkdir(parents=True, exist_ok=True)
                edit.path.write_bytes(b"")
                assert all(bridge.status(other).is_client_here for other in settings)

    def test_another_vault_and_another_activation_leave_nothing_of_the_first(
        self, bridge: Bridge, settings: list[Setting]
    ) -> None:
        for one, other in itertools.permutations(settings, 2):
            if one.scope != other.scope:
                continue
            other = evolve(other, vault=other.home / "elsewhere", command=("/new/ori",))
            carry_out(bridge.plan_install(other))
            expected = _words(other)
            carry_out(bridge.plan_uninstall(other))
            carry_out(bridge.plan_install(one))
            carry_out(bridge.plan_install(other))
            assert _words(other) == expected
            carry_out(bridge.plan_uninstall(other))

    def test_a_file_that_cannot_be_understood_stops_it_and_is_named(
        self, bridge: Bridge, settings: list[Setting]
    ) -> None:
        for one in settings:
            for edit in bridge.plan_install(one).edits:
                edit.path.parent.mkdir(parents=True, exist_ok=True)
                edit.path.write_bytes(b'{"a": \xff\xfe')
                with pytest.raises(UserError) as failure:
                    bridge.plan_install(one)
                assert str(edit.path) in str(failure.value)
                assert bridge.status(one).problems
                assert edit.path.read_bytes() == b'{"a": \xff\xfe'
                edit.path.unlink()

    @pytest.mark.skipif(os.name == "nt", reason="the golden file holds paths of POSIX")
    def test_what_is_written_is_what_the_golden_file_says(self, bridge: Bridge) -> None:
        text = "".join(_golden(bridge))
        if not self.golden.exists():
            self.golden.write_text(text, encoding="utf-8")
            pytest.fail(f"{self.golden} was written; look at it and run the test again")
        assert text == self.golden.read_text(encoding="utf-8")

    def _write_own_files(self, setting: Setting) -> None:
        for folder in (setting.home, setting.project):
            for name, text in self.own_files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(text.encode())


def _files(setting: Setting) -> dict[Path, bytes]:
    found = [*setting.home.rglob("*"), *setting.project.rglob("*")]
    return {path: path.read_bytes() for path in found if path.is_file()}


def _words(setting: Setting) -> dict[Path, list[bytes]]:
    """What the files say, in whatever order."""
    return {path: sorted(re.findall(rb"[^\s,]+", data)) for path, data in _files(setting).items()}


def _golden(bridge: Bridge) -> Iterator[str]:
    for scope, activation in itertools.product(bridge.scopes, get_args(Activation)):
        plan = bridge.plan_install(evolve(_GOLDEN, scope=scope, activation=activation))
        yield f"######## {scope}, {activation}\n"
        for edit in plan.edits:
            yield f"==== {edit.path.as_posix()}\n{(edit.after or b'').decode()}"
        yield "".join(f"---- left to the person: {step}\n" for step in plan.left_to_user)
        yield f"---- shown\n{plan.shown}\n" if plan.shown else ""
