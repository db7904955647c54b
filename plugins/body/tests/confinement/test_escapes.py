"""User code that tries to get out: confined it fails at the operating system, unconfined it is shown what succeeds."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
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


READS = {
    "plainly": "print(open('<SECRET>').read())",
    "the os behind os.path": "import os.path\nf = os.path.os.open('<SECRET>', 0)\nprint(os.path.os.read(f, 100))",
    "the os behind random": "import random\nprint(random._os.popen('cat <SECRET>').read() or random._os.listdir('<SECRET>/..'))",
    "codecs behind json": "import json\nprint(json.codecs.open('<SECRET>').read())",
    "sys behind collections": "import collections\nio = collections._sys.modules['io']\nprint(io.FileIO('<SECRET>').read())",
    "sys behind re": "import re\nprint(re.enum.sys.modules['io'].open('<SECRET>').read())",
    "subclasses of object": (
        "found = [c for c in ().__class__.__mro__[1].__subclasses__() if c.__name__ == 'FileLoader']\n"
        "print(found[0]('x', '<SECRET>').get_data('<SECRET>'))"
    ),
    "type().mro()": "import io\nprint(type(io.FileIO('/dev/null')).mro()[0]('<SECRET>').read())",
    "a format string": "import io\nprint('{0.__class__}'.format(1), io.open('<SECRET>').read())",
    "a traceback through an operation": (
        "try:\n    fs.read(None)\nexcept Exception as e:\n    t = e.__traceback__\n"
        "    while t.tb_next: t = t.tb_next\n    print(t.tb_frame.f_builtins['open']('<SECRET>').read())"
    ),
    "a frame above": (
        "import sys\nf = sys._getframe()\nwhile f.f_back: f = f.f_back\nprint(f.f_builtins['open']('<SECRET>').read())"
    ),
    "fs.read with a path outside": "print(fs.read('<SECRET>'))",
    "fs.read through dots": "print(fs.read('../secret'))",
    "a link made before": "print(open('link').read())",
    "a link made now": "import os\nos.chdir(os.environ['HOME'])\nos.symlink('<SECRET>', 'l')\nprint(open('l').read())",
    "a hard link": "import os\nos.chdir(os.environ['HOME'])\nos.link('<SECRET>', 'l')\nprint(open('l').read())",
    "the root of another process": "print(open('/proc/<PID>/root<SECRET>').read())",
    "the folder of the host": "print(open('/proc/<HOST>/root<SECRET>').read())",
    "the working folder of the first process": "print(open('/proc/1/root<SECRET>').read())",
    "the C library": (
        "import ctypes\nc = ctypes.CDLL(None)\nf = c.open(b'<SECRET>', 0)\nb = ctypes.create_string_buffer(100)\n"
        "c.read(f, b, 100)\nprint(b.value)"
    ),
    "another program": "import subprocess\nprint(subprocess.run(['cat', '<SECRET>'], capture_output=True).stdout)",
    "a fork": "import os\nif os.fork() == 0:\n    print(open('<SECRET>').read(), flush=True)\n    os._exit(0)\nos.wait()",
    "a thread": "import threading\nt = threading.Thread(target=lambda: print(open('<SECRET>').read()))\nt.start(); t.join()",
    "the environment of another process": "print(open('/proc/<PID>/environ').read())",
    "the memory of another process": (
        "import re\nm = open('/proc/<PID>/maps').read()\n"
        "for line in m.splitlines():\n    if '[stack]' in line:\n        a, b = (int(x, 16) for x in line.split()[0].split('-'))\n"
        "        f = open('/proc/<PID>/mem', 'rb'); f.seek(a); print(b'topsecret' in f.read(b - a) and 'topsecret')"
    ),
    "a debugger's call": (
        "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\n"
        "print('topsecret' if c.ptrace(16, <PID>, 0, 0) == 0 and c.ptrace(17, <PID>, 0, 0) in (0, -1) else 'refused')"
    ),
    "an open descriptor of the pipe's other end": (
        "import os\nfor n in range(3, 1024):\n    try:\n        print(open(f'/proc/self/fd/{n}/../secret').read())\n"
        "    except OSError: pass"
    ),
}
WRITES = {
    "plainly": "open('<TARGET>', 'w').write('x')",
    "into the project": "open('written-inside', 'w').write('x')",
    "over a file of the project": "open('a.py', 'a').write('x')",
    "by removing": "import os; os.remove('a.py')",
    "by renaming": "import os; os.rename('a.py', 'b.py')",
    "by a link": "import os; os.symlink('x', 'written-inside')",
    "by a folder": "import os; os.mkdir('written-inside')",
    "by its mode": "import os; os.chmod('a.py', 0o777)",
    "by cutting it": "import os; os.truncate('a.py', 0)",
    "as another program": "import subprocess; subprocess.run(['touch', '<TARGET>', 'written-inside'])",
    "by the C library": "import ctypes; ctypes.CDLL(None).open(b'<TARGET>', 0o101, 0o600)",
    "by a mount": (
        "import ctypes, os\nc = ctypes.CDLL(None)\nc.mount(b'none', os.getcwd().encode(), b'tmpfs', 0, None)\n"
        "c.mount(None, os.getcwd().encode(), None, 4096 | 32, None)\nopen('written-inside', 'w')"
    ),
    "within new namespaces": (
        "import ctypes\nc = ctypes.CDLL(None)\nc.unshare(0x10000000 | 0x20000)\nopen('<TARGET>', 'w').write('x')"
    ),
    "through the settings of the kernel": "open('/proc/sys/kernel/hostname', 'w').write(open('/proc/sys/kernel/hostname').read()); open('<TARGET>', 'w')",
}
CONNECTIONS = {
    "a socket": "import socket\nsocket.create_connection(('127.0.0.1', <PORT>), 5)\nprint('connected')",
    "a request": "import urllib.request\nprint(urllib.request.urlopen('http://127.0.0.1:<PORT>', timeout=0.2))",
    "a socket of the C library": (
        "import ctypes, struct, socket\nc = ctypes.CDLL(None)\ns = c.socket(2, 1, 0)\n"
        "a = struct.pack('!BBH4s8x', 2, 0, <PORT>, bytes([127, 0, 0, 1])); a = b'\\x02\\x00' + a[2:]\n"
        "print('connected' if s >= 0 and c.connect(s, a, 16) == 0 else 'refused')"
    ),
    "a datagram": (
        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(('127.0.0.1', <PORT>))\nprint('connected')"
    ),
    "a socket with a name": "import socket\ns = socket.socket(socket.AF_UNIX)\nprint('connected')",
    "another program": "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', \"import socket; socket.create_connection(('127.0.0.1', <PORT>)); print('connected')\"], capture_output=True, text=True).stdout)",
}  # fmt: skip
STARTS = {
    "subprocess": "import subprocess\nprint(subprocess.run(['echo', 'started'], capture_output=True).stdout)",
    "os.system": "import os\nos.system('echo started')",
    "posix_spawn": "import os\nos.waitpid(os.posix_spawn('/bin/echo', ['echo', 'started'], {}), 0)",
    "exec in a fork": "import os\nif os.fork() == 0:\n    os.execv('/bin/echo', ['echo', 'started'])\nos.wait()",
    "a file of memory": (
        "import os\nf = os.memfd_create('x')\nos.write(f, open('/bin/echo', 'rb').read())\n"
        "if os.fork() == 0:\n    os.execve(f, ['echo', 'started'], {})\nos.wait()"
    ),
    "the C library": "import ctypes\nctypes.CDLL(None).system(b'echo started')",
    "the shell behind random": "import random\nprint(random._os.popen('echo started').read())",
}


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
    code = f"import os\nfor name in {str(path)!r},:\n    print('seen', os.listdir(name) if {path.is_dir()} else open(name).read())"
    shown = _attempt(confined, code)
    # In bubblewrap the folders above the project and the interpreter are there, with nothing else in them.
    allowed = {Path(sys.base_prefix).parts, Path(sys.prefix).parts}
    if "seen" in shown and path.is_dir():
        listed = [word.strip(" '") for word in shown.partition("[")[2].partition("]")[0].split(",") if word.strip()]
        assert all(any(part[: len(path.parts) + 1] == (*path.parts, one) for part in allowed) for one in listed)
    else:
        assert "seen" not in shown


def test_signals_reach_no_process_outside(confined: Body, outside: Outside) -> None:
    code = "import os, signal\nfor pid in <PID>, os.getppid():\n    try:\n        os.kill(pid, signal.SIGTERM)\n    except OSError: pass"
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
        code = "import tempfile\nf = tempfile.NamedTemporaryFile(delete=False, suffix='-left-behind')\nf.write(b'x'); f.name"
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
