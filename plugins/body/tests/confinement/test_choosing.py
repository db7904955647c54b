"""Which means of confinement is taken, and what is said about it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from made_bodies import BodyMaker

from aries_body.confinement.choosing import ORDER, choose, report, system_paths
from aries_body.confinement.plan import Confinement
from aries_body.confinement.secrets import secret_files
from aries_body.process.body import Body, BodyFailed
from aries_body.process.starting import Launch

_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these means")


def _program(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def test_nothing_is_confined_by_the_last_resort_and_it_says_so() -> None:
    found = choose({}, ("none",))
    assert found == Confinement("none") and not found.is_confined
    assert "whatever you can" in str(found)


@_LINUX
def test_without_the_program_the_next_means_is_taken_and_the_reason_is_told() -> None:
    found = choose({"PATH": "/nonexistent"})
    assert found.kind != "bubblewrap" and any("bubblewrap: not installed" in why for why in found.passed_over)


@_LINUX
def test_a_program_that_fails_is_passed_over_with_what_it_said(tmp_path: Path) -> None:
    _program(tmp_path, "bwrap", "#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    found = choose({"PATH": str(tmp_path)}, ("bubblewrap",))
    assert found.kind == "none" and "No permissions" in str(found)


@_LINUX
def test_a_program_that_only_pretends_to_confine_is_found_out(tmp_path: Path) -> None:
    _program(tmp_path, "bwrap", '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n')
    found = choose({"PATH": f"{tmp_path}:{os.environ['PATH']}"}, ("bubblewrap",))
    assert found.kind == "none" and "files outside the project can be read" in str(found)


@_LINUX
def test_a_body_that_is_not_confined_as_it_was_said_does_not_start(tmp_path: Path) -> None:
    _program(tmp_path, "bwrap", '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n')
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    body = Body(Launch(tmp_path, Confinement("bubblewrap"), environ, ()))
    with pytest.raises(BodyFailed, match="does not hold"):
        body.start()
    body.close()


@_LINUX
def test_the_report_names_what_holds_here() -> None:
    assert report(os.environ).partition(":")[0] in ("confined by bubblewrap", "confined by landlock", "not confined")


@_LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
def test_it_holds_for_a_plain_user_too(tmp_path: Path) -> None:
    # The interpreter may lie where only root gets, so the system's own is asked whether the namespaces can be had.
    done = subprocess.run(
        ["bwrap", "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "true"],
        user="nobody", cwd="/", capture_output=True, env={"PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"a plain user gets no namespaces here: {done.stderr!r}")
    assert done.returncode == 0


def test_the_home_folder_is_never_among_what_can_be_read() -> None:
    home = Path.home()
    assert not any(home == path or home.is_relative_to(path) for path in system_paths())
    assert Path(sys.prefix) in system_paths()


@pytest.mark.parametrize("folder", [Path.home(), Path.home().parent, Path("/")])
def test_a_folder_that_holds_the_home_folder_is_no_project(folder: Path) -> None:
    body = Body(Launch(folder.resolve(), Confinement("bubblewrap"), os.environ, ()))
    with pytest.raises(BodyFailed, match="holds your home folder"):
        body.start()
    body.close()


def test_files_with_secrets_are_found_by_name_at_any_depth(tmp_path: Path) -> None:
    for name in (".env", "deep/er/id_rsa", "a/.env.example", "b/readme.md", "node_modules/x/.env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert secret_files(tmp_path) == (tmp_path / ".env", tmp_path / "deep/er/id_rsa")


@pytest.mark.parametrize("kind", ORDER)
def test_a_restart_is_as_confined_as_the_start(make_body: BodyMaker, kind: str) -> None:
    body = make_body(kind)  # type: ignore[arg-type]
    attempt = "try:\n    print('read', len(open('/etc/passwd').read()) > 0)\nexcept OSError as e:\n    print('refused')"
    before = body.execute(attempt).printed.text
    body.execute("import os; os._exit(1)")
    assert body.execute(attempt).printed.text == before
    assert ("refused" in before) == (kind != "none")
