"""What bash really runs is among what the analysis found, or the script was in doubt."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aries_kernel.broker.effects import RunCommand
from aries_tool_shell.analysis import analyse

BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None or os.name == "nt", reason="needs bash and executable scripts")

RECORDED = ("rm", "git", "ls", "make")
REAL = (
    "env",
    "nice",
    "nohup",
    "timeout",
    "xargs",
    "sh",
    "bash",
    "cat",
    "stdbuf",
    "setsid",
    "find",
    "echo",
    "true",
    "flock",
    "dash",
)
RECORDER = """#!/usr/bin/env -S {python} -IS
import os, sys
record = b"\\x1f".join(map(os.fsencode, [os.path.basename(sys.argv[0]), *sys.argv[1:]])) + b"\\x1e"
os.write(os.open(os.environ.get("RECORD", {record!r}), os.O_WRONLY | os.O_APPEND | os.O_CREAT), record)
"""

COMMANDS = [
    "rm x",
    "git status",
    "ls",
    "make a",
    '"rm" x',
    "'r'm y",
    "\\rm z",
    "env rm x",
    "nice rm",
    "timeout 5 rm a",
    "xargs rm",
    'sh -c "rm x"',
    "bash -c 'git a; rm b'",
    "eval rm",
    'eval "rm x; ls"',
    "command rm q",
    "exec rm",
    "X=1 rm",
    "setsid -w rm",
    "find . -maxdepth 0 -exec rm {} \\;",
    "flock f rm",
    "echo hi",
    ": x",
    "[ -f x ]",
    "[[ a == b ]]",
    "cd .",
    "! rm x",
    "time rm",
    "{ rm x; }",
    "(rm x)",
    "$(echo rm)",
    "`echo rm` x",
    "rm $(ls)",
    'rm "`ls`"',
    "cat <(rm a)",
    "rm > f",
    "> f rm x",
    "rm < f x",
    "rm 2>&1 x",
    "cat <<E\nrm\nE",
    "bash <<E\nrm x\nE\n",
    "cat <<'E'\n$(rm)\nE\n",
    "cat <<E\n$(rm)\n`ls`\nE\n",
    'sh <<< "rm x"',
    "if rm x; then ls; else git a; fi",
    "for i in a b; do rm $i; done",
    "case a in a) rm;; esac",
    "g() { rm x; }; g",
    "function h { rm; }",
    "h",
    "a=rm; $a x",
    "coproc rm x",
    "select i in a; do rm; done",
    "x=$(rm)",
    "export x=`rm`",
    'echo "${x:-$(rm)}"',
    "rm # ls",
    "ls \\\n rm",
    "r\\\nm x",
    "{rm,x}",
    "$'\\x72m' x",
    "rm a{b,c}",
    "rm *",
    "rm ~",
    "echo rm | sh",
    "if true\nthen rm\nfi",
    "a() ( rm )",
    "alias q=rm",
    'set -- rm; "$@"',
    '[ -n "$(rm)" ] && ls',
    "let x=1",
    "((1)) && rm",
    "env -i rm",
    "env - rm",
    "nice -n 5 rm",
    "nice -5 rm",
    "timeout -s KILL 5 rm",
    "stdbuf -oL rm",
    "echo x | xargs rm",
    "xargs -I{} rm {} <f",
    "bash -c rm a b",
    "bash -ec rm",
    "sh -c -- rm",
    "bash +e -c rm",
    "bash -o errexit -c rm",
    "ls &> f rm",
]
JOINS = [";", "&&", "||", "|", "&", "\n", " ; ", " && ", " | ", "|&", "& ", "\n\n", ";\n"]
PIECES = [
    "rm",
    "ls",
    " ",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "(",
    ")",
    "{ ",
    "; }",
    "!",
    "\n",
    "'",
    '"',
    "\\",
    "\\\n",
    "$(",
    "`",
    "<<E",
    "\nE\n",
    "<<<",
    "< f",
    "> f",
    "2>&1",
    "if ",
    "; then ",
    "; fi",
    "for i in a; do ",
    "; done",
    "case a in ",
    "a) ",
    ";; esac",
    "f() { ",
    "f",
    "env ",
    "sh -c ",
    "eval ",
    "exec ",
    "time ",
    "#",
    " # ",
    "$x",
    "x=rm ",
    "{rm,a}",
    "$'",
    "\\x72",
    "[[ ",
    "a ]]",
    "$((",
    "))",
    "${x:-",
    "}",
    "<(",
    ">(",
    "r",
    "m",
    "\t",
    "\r",
    "coproc ",
    "~",
    "*",
    "-",
    "--",
    "=",
    "trap ",
    "+=",
    "&>",
    ">|",
    "\x0b",
    "\xa0",
    "é",
    "@(rm)",
    "%",
]


def _script(chance: random.Random) -> str:
    script = chance.choice(COMMANDS)
    for _ in range(chance.randint(0, 2)):
        script = chance.choice(
            [
                lambda s: s + chance.choice(JOINS) + chance.choice(COMMANDS),
                lambda s: f"({s})",
                lambda s: f"{{ {s}\n}}",
                lambda s: f"echo $({s})",
                lambda s: f"if {s}\nthen ls\nfi",
            ]
        )(script)
    for _ in range(chance.choice([0, 0, 1, 1, 2, 3])):
        at = chance.randint(0, len(script))
        script = chance.choice(
            [
                lambda s, at: s[:at] + s[at + 1 :],
                lambda s, at: s[:at] + chance.choice(PIECES) + s[at:],
                lambda s, at: s[:at] + chance.choice(PIECES) + s[at:],
            ]
        )(script, at)
    return script


class _Bash:
    """Real bash on a PATH of recorders."""

    def __init__(self, folder: Path) -> None:
        self.work, self._programs, self._folder = folder / "work", folder / "programs", folder
        self.work.mkdir()
        self._programs.mkdir()
        for name in RECORDED:
            file = self._programs / name
            default = str(folder / "unnamed")
            file.write_text(RECORDER.format(python=sys.executable, record=default), encoding="utf-8")
            file.chmod(0o755)
        for name in REAL:
            real = shutil.which(name)
            if real is not None:
                (self._programs / name).symlink_to(os.path.realpath(real))

    def run(self, script: str, number: int) -> list[tuple[str, ...]]:
        """The words of every recorded program that ran."""
        record = self._folder / f"record-{number}"
        (self.work / "f").write_text("rm from-f\n", encoding="utf-8")
        environ = {"PATH": str(self._programs), "HOME": str(self.work), "LC_ALL": "C.UTF-8", "RECORD": str(record)}
        process = subprocess.Popen(
            [str(BASH), "-c", script],
            cwd=self.work,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):  # a loop; what it ran so far is recorded
                process.communicate(timeout=5)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        data = record.read_bytes() if record.exists() else b""
        return [tuple(map(os.fsdecode, one.split(b"\x1f"))) for one in data.split(b"\x1e") if one]


@pytest.fixture
def bash(tmp_path: Path) -> Iterator[_Bash]:
    yield _Bash(tmp_path)


def _unexpected(ran: list[tuple[str, ...]], found: list[RunCommand]) -> list[tuple[str, ...]]:
    known = [one.words for one in found]
    return [words for words in ran if not any(_fits(words, one) for one in known)]


def _fits(ran: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """The same words; where the analysis left a glob or a variable, the same program."""
    return ran == found or (ran[0] == found[0] and any(set(word) & set("*?[$`~<") for word in found))


@pytest.mark.parametrize("seed", range(4))
def test_every_program_that_ran_was_found_or_the_script_was_in_doubt(seed: int, bash: _Bash) -> None:
    chance, misses, ran_count = random.Random(seed), [], 0
    for number in range(500):
        script = _script(chance)
        found = [effect for effect in analyse(script, bash.work) if isinstance(effect, RunCommand)]
        if any(one.doubt for one in found) or "\0" in script:
            continue
        ran = bash.run(script, number)
        ran_count += bool(ran)
        misses += [(script, words, [one.words for one in found]) for words in _unexpected(ran, found)]
    assert misses == []
    assert ran_count > 50, "the generator must make scripts that are understood and run"
