"""User code that tries to get out: confined it fails at the operating system, unconfined it is shown what succeeds."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen
from made_bodies import BodyMaker, is_alive

from aries_body.confinement.plan import Kind
from aries_body.process.body import Body
from aries_body.process.results import Status

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these means")

CONFINED: tuple[Kind, ...] = ("bubblewrap", "landlock")


@frozen
class Outside:
    """What lies outside of the project: a secret file, a port that answers, a process."""

    secret: Path
    target: Path
    port: int
    bystander: int

    def fill(self, code: str) -> str:
        """The code with the places named in it."""
        values = {"SECRET": str(self.secret), "TARGET": str(self.target), "PORT": self.port, "PID": self.bystander}
        values |= {"HOST": os.getpid()}
        for name, value in values.items():
            code = code.replace(f"<{name}>", str(value))
        return code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is outside, with the project in it; shared, since nothing can be changed there."""
    made = tmp_path_factory.mktemp("outside").resolve()
    (made / "project").mkdir()
    (made / "project" / "a.py").write_text("def one():\n    return 1\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def outside(folder: Path) -> Iterator[Outside]:
    secret = folder / "secret"
    secret.write_text("topsecret", encoding="utf-8")
    bystander = subprocess.Popen(
        ["sleep", "600"], env={"KEY": "topsecret", "PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL
    )
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield Outside(secret, folder / "written", listening.getsockname()[1], bystander.pid)
    bystander.kill()
    bystander.wait()


_WAYS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("escapes.toml").read_text(encoding="utf-8"),
)
READS, WRITES, CONNECTIONS, STARTS = (_WAYS[kind] for kind in ("reads", "writes", "connections", "starts"))


def _attempt(body: Body, code: str) -> str:
    """Everything that came of it."""
    done = body.execute(code, seconds=20)
    assert done.status is not Status.TIMED_OUT, done
    return f"{done.printed.text} {done.value or ''}"


@pytest.fixture(params=CONFINED, scope="module")
def confined(request: pytest.FixtureRequest, folder: Path, outside: Outside) -> Iterator[Body]:
    link = folder / "project" / "link"
    if not link.is_symlink():
        link.symlink_to(outside.secret)
    maker = BodyMaker(folder / "project")
    yield maker(request.param)
    for made in maker.made:
        made.close()


@pytest.mark.parametrize("way", READS)
def test_nothing_outside_the_project_can_be_read(confined: Body, outside: Outside, way: str) -> None:
    assert "topsecret" not in _attempt(confined, outside.fill(READS[way]))


@pytest.mark.parametrize("way", WRITES)
def test_nothing_can_be_written(confined: Body, outside: Outside, folder: Path, way: str) -> None:
    project = folder / "project"
    before = {file.name: (file.read_bytes(), file.stat().st_mode) for file in project.glob("*.py")}
    _attempt(confined, outside.fill(WRITES[way]))
    assert not outside.target.exists() and not (project / "written-inside").exists()
    assert {file.name: (file.read_bytes(), file.stat().st_mode) for file in project.glob("*.py")} == before


@pytest.mark.parametrize("way", CONNECTIONS)
def test_no_connection_can_be_made(confined: Body, outside: Outside, way: str) -> None:
    assert "connected" not in _attempt(confined, outside.fill(CONNECTIONS[way]))


@pytest.mark.parametrize("way", STARTS)
def test_no_program_can_be_started(confined: Body, outside: Outside, way: str) -> None:
    assert "started" not in _attempt(confined, outside.fill(STARTS[way]))


@pytest.mark.parametrize("name", ["/etc/hostname", "/etc/passwd", "/etc/shadow", "~", "/root", "/var/log"])
def test_the_rest_of_the_machine_is_not_there(confined: Body, name: str) -> None:
    path = Path(name).expanduser()
    look = f"os.listdir({str(path)!r})" if path.is_dir() else f"open({str(path)!r}).read()"
    code = f"import os\nprint('seen', {look})"
    shown = _attempt(confined, code)
    # In bubblewrap the folders above the project and the interpreter are there, with nothing else in them.
    allowed = {Path(sys.base_prefix).parts, Path(sys.prefix).parts}
    if "seen" in shown and path.is_dir():
        listed = [word.strip(" '") for word in shown.partition("[")[2].partition("]")[0].split(",") if word.strip()]
        assert all(any(part[: len(path.parts) + 1] == (*path.parts, one) for part in allowed) for one in listed)
    else:
        assert "seen" not in shown


def test_signals_reach_no_process_outside(confined: Body, outside: Outside) -> None:
    code = "import os\nfor pid in <PID>, <HOST>:\n    try:\n        os.kill(pid, 15)\n    except OSError: pass"
    _attempt(confined, outside.fill(code))
    assert is_alive(outside.bystander) and confined.execute("1").value == "1"


def test_our_keys_are_not_in_its_environment(make_body: BodyMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "topsecret")
    monkeypatch.setenv("INNOCENT", "topsecret")
    for kind in (*CONFINED, "none"):
        shown = _attempt(make_body(kind), "import os\nprint(dict(os.environ), open('/proc/self/environ').read())")
        assert "topsecret" not in shown


def test_files_that_hold_secrets_are_not_there_within_bubblewrap(make_body: BodyMaker, project: Path) -> None:
    (project / ".env").write_text("KEY=topsecret", encoding="utf-8")
    body = make_body("bubblewrap", hidden=(project / ".env",))
    assert "topsecret" not in _attempt(body, "print(open('.env').read())")


@pytest.mark.parametrize("kind", CONFINED)
def test_it_can_do_what_it_is_for(make_body: BodyMaker, project: Path, kind: Kind) -> None:
    code = (
        "import tempfile, os, json, threading, multiprocessing, sqlite3\n"
        "with tempfile.TemporaryDirectory() as folder:\n    open(folder + '/x', 'w').write('kept')\n"
        "    print(open(folder + '/x').read(), open('a.py').read())\n"
        "t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\n"
        "if os.fork() == 0:\n    print('fork', flush=True)\n    os._exit(0)\nos.wait()\n"
        "print(sqlite3.connect(':memory:').execute('select 1 + 1').fetchone(), os.getcwd())"
    )
    shown = _attempt(make_body(kind), code)
    assert all(word in shown for word in ("kept", "def one", "thread", "fork", "(2,)", str(project)))


def test_its_temporary_files_are_gone_with_it(make_body: BodyMaker) -> None:
    for kind in (*CONFINED, "none"):
        body = make_body(kind)
        code = "import tempfile\nf = tempfile.NamedTemporaryFile(delete=False, suffix='-left-behind')\nf.name"
        name = (body.execute(code).value or "").strip("'")
        assert name.endswith("-left-behind")
        folder = (body.execute("tempfile.gettempdir()").value or "").strip("'")
        body.close()
        assert not Path(name).exists() and (folder == "/tmp" or not Path(folder).exists())


UNCONFINED_SUCCEEDS = {"plainly", "the os behind os.path", "codecs behind json", "another program", "a fork"}


def test_without_confinement_the_same_code_succeeds_and_that_is_said(make_body: BodyMaker, outside: Outside) -> None:
    body = make_body("none")
    read = {way for way, code in READS.items() if "topsecret" in _attempt(body, outside.fill(code))}
    assert read >= UNCONFINED_SUCCEEDS
    started = {way for way, code in STARTS.items() if "started" in _attempt(body, outside.fill(code))}
    assert started == set(STARTS)
    assert "connected" in _attempt(body, outside.fill(CONNECTIONS["a socket"]))
    _attempt(body, outside.fill(WRITES["plainly"]))
    assert outside.target.exists()
    outside.target.unlink()
    assert "not confined" in str(body.launch.confinement)


@pytest.mark.parametrize("name", ["kernel/core_pattern", "kernel/hostname", "vm/drop_caches"])
def test_settings_of_the_kernel_cannot_be_changed_by_root_either(confined: Body, name: str) -> None:
    # Files below /proc/sys belong to root whatever namespace it is in: written, they would reach outside of any.
    code = f"open('/proc/sys/{name}', 'r+')\nprint('opened')"
    assert "opened" not in _attempt(confined, code)
