"""What the analysis finds in hostile scripts, and what it leaves in peace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aries_kernel.broker.effects import ReadPath, RunCommand, WritePath
from aries_kernel.broker.policy import Policy
from aries_kernel.broker.workspace import Workspace
from aries_kernel.settings.schema import Permissions
from aries_tool_shell.analysis import analyse

NOWHERE = Path("/nonexistent-workspace")

FOUND = [
    # connectors
    "git status && rm -rf x",
    "git status; rm x",
    "git status\nrm x",
    "git status & rm x",
    "git status | rm x",
    "git status || rm x",
    "git status |& rm x",
    "git status;rm x",
    "git status&&rm x",
    "rm x &",
    "(rm x)",
    "{ rm x; }",
    "( ( rm x ) )",
    "ls\n\n\nrm x",
    "ls # note\nrm x",
    "true && { ls; (rm x); }",
    # names and quoting
    "/bin/rm x",
    "/usr/bin/rm x",
    "\\rm x",
    "'r'm x",
    'r"m" x',
    "r''m x",
    '"rm" x',
    "$'rm' x",
    "$'\\x72m' x",
    "$'\\162m' x",
    "\\r\\m x",
    "./rm x",
    "../bin/rm x",
    "  rm x",
    "rm\tx",
    "'rm' x",
    'r"\'"m x; rm y',
    # wrappers
    "env rm x",
    "ENV rm x",
    "genv rm x",
    "env -i rm x",
    "env A=1 rm x",
    "env -u A rm x",
    "env - rm x",
    "env -- rm x",
    "command rm x",
    "command -p rm x",
    "builtin rm x",
    "exec rm x",
    "exec -a other rm x",
    "nohup rm x",
    "timeout 5 rm x",
    "timeout -s KILL 5 rm x",
    "timeout -k 1 5 rm x",
    "timeout --signal=KILL 5 rm x",
    "nice rm x",
    "nice -n 5 rm x",
    "nice -5 rm x",
    "nice --adjustment=5 rm x",
    "ionice -c2 -n7 rm x",
    "chrt -f 10 rm x",
    "stdbuf -oL rm x",
    "stdbuf -o L -e 0 rm x",
    "setsid rm x",
    "setsid -w rm x",
    "time rm x",
    "time -p rm x",
    "sudo rm x",
    "sudo -u bob rm x",
    "sudo -n -- rm x",
    "sudo A=1 rm x",
    "doas rm x",
    "doas -u bob rm x",
    "busybox rm x",
    "toybox rm x",
    "xargs rm",
    "xargs -0 rm",
    "xargs -n 1 rm",
    "xargs -I{} rm {}",
    "ls | xargs rm -f",
    "xargs -I{} sh -c 'rm {}'",
    "flock f rm x",
    "flock f -c 'rm x'",
    "strace -f rm x",
    "watch -n 1 rm x",
    "watch 'rm x'",
    "script -qc 'rm x' /dev/null",
    "taskset -c 0 rm x",
    "taskset 1 rm x",
    "coproc rm x",
    "nohup nice -n 3 timeout 5 env A=1 rm x",
    "su -c 'rm x' bob",
    "chroot / rm x",
    "parallel rm ::: x",
    # code in words
    'sh -c "rm x"',
    "bash -c 'rm x'",
    "bash -ec 'rm x'",
    "bash -lc 'rm x'",
    "sh -x -c 'rm x'",
    "bash -c 'ls; rm x' a b",
    "dash -c 'rm x'",
    "zsh -c 'rm x'",
    "sh -c -- 'rm x'",
    "bash -o pipefail -c 'rm x'",
    "bash +e -c 'rm x'",
    "sh -c \"sh -c 'rm x'\"",
    "eval rm x",
    "eval 'rm x'",
    'eval "ls; rm x"',
    "eval eval rm x",
    "sudo sh -c 'rm x'",
    "env sh -c 'rm x'",
    "busybox sh -c 'rm x'",
    "bash <<E\nrm x\nE\n",
    "sh <<< 'rm x'",
    "cat f | bash -c 'rm x'",
    # substitutions
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    'echo "a `rm x` b"',
    "diff <(rm x) y",
    "tee >(rm x)",
    "X=$(rm x)",
    "export X=$(rm x)",
    "X=$(rm x) ls",
    "echo ${Y:-$(rm x)}",
    "echo $(echo $(rm x))",
    "cat <<< $(rm x)",
    "cat <<E\n$(rm x)\nE\n",
    "a=(1 $(rm x))",
    "ls > $(rm x)",
    "echo $((1 + $(rm x)))",
    "[ -f $(rm x) ]",
    "[[ $(rm x) == y ]]",
    "test -f $(rm x)",
    "for i in $(rm x); do ls; done",
    "case $(rm x) in a) ls;; esac",
    # control flow
    "if rm x; then ls; fi",
    "if true; then rm x; fi",
    "if a; then ls; else rm x; fi",
    "while rm x; do ls; done",
    "while true; do rm x; done",
    "until rm x; do ls; done",
    "for i in a; do rm x; done",
    "case a in a) rm x;; esac",
    "select i in a; do rm x; done",
    "! rm x",
    "f() { rm x; }; f",
    "function f { rm x; }",
    "f() ( rm x )",
    "for ((i=0; i<2; i++)); do rm x; done",
    "while read l; do rm x; done < f",
    "A=1 rm x",
    "A=1 B=2 rm x",
    # redirections around it
    "rm x > f",
    "rm < f",
    "2>&1 rm x",
    "> f rm x",
    "rm x 2>/dev/null >&2",
    "{ rm x; } > f",
    "(rm x) < f",
    # find
    "find . -exec rm {} \\;",
    "find . -exec rm {} +",
    "find . -execdir rm {} ';'",
    "find . -ok rm {} \\;",
    "find . -name '*.c' -exec sh -c 'rm x' \\;",
    "find . -exec env rm {} \\;",
]

DOUBTED = [
    "$CMD x",
    '"$CMD" x',
    "`echo rm` x",
    "$(echo rm) x",
    "{rm,x}",
    "r\\\nm x",
    "r* x",
    "~bob/x",
    "env -S 'rm x'",
    "env --split-string='rm x'",
    "env -C / rm",
    "nice --unknown rm x",
    "timeout $T rm x",
    "sh",
    "bash -s",
    "echo rm x | sh",
    "bash < f",
    "sh -i",
    "bash --rcfile f -c ls",
    'sh -c "$X"',
    'eval "$X"',
    "eval $X",
    "python -c 'x'",
    "python3 -c 'x'",
    "python3.12 -c 'x'",
    "python - < f",
    "python -Ic 'x'",
    "echo x | python",
    "node -e 'x'",
    "node --eval x",
    "perl -e x",
    "perl -ne x f",
    "ruby -e x",
    "php -r x",
    "awk 'BEGIN{system(\"rm\")}'",
    "awk '{print | \"sh\"}' f",
    "awk '{print > \"x\"}' f",
    "sed -i s/a/b/ f",
    "sed 's/a/b/e' f",
    "sed 1e f",
    "sed 'w x' f",
    "sed -n '/a/w x' f",
    "git -c a=b log",
    "git -ca=b log",
    "git -C .. log",
    "git --exec-path=x log",
    "git --git-dir=x log",
    "git --work-tree x log",
    "git config alias.x '!rm'",
    "git diff --output=x",
    "git diff --outp=x",
    "git diff --ext-diff",
    "git fetch --upload-pack=x",
    "git clone -c a=b x",
    "git clone ext::sh x",
    "git rebase -x rm",
    "git rebase --exec rm",
    "git bisect run rm",
    "git submodule foreach rm",
    "git filter-branch",
    "git grep -Orm x",
    "git unknownalias",
    "git difftool",
    "rg --pre=rm x",
    "rg --pre rm x",
    "tar xf a --to-command=rm",
    "tar -Irm -xf a",
    "tar cf a b --checkpoint-action=exec=rm",
    "sort -o x y",
    "sort --outp=x y",
    "sort --compress-program=rm y",
    "ssh -o ProxyCommand=rm h",
    "ssh h rm",
    "scp -S rm a b",
    "rsync -e rm a b",
    "rsync --rsh=rm a b",
    "curl -o x u",
    "curl -sSLo x u",
    "curl -K f",
    "wget -O x u",
    "make -f x",
    "make -C x",
    "make --eval=x",
    "make SHELL=x",
    "make CC=x",
    "npm --prefix x test",
    "npm exec x",
    "npx x",
    "uvx x",
    "uv run x",
    "go run x",
    "go test -exec rm",
    "cargo --config x b",
    "pytest -p x",
    "pytest -c x",
    "find . -delete",
    "find . -fprint x",
    "fd -x rm",
    "zip -TT rm x",
    "man -P rm x",
    "split --filter=rm x",
    "docker run x",
    "kubectl exec x",
    "poetry run x",
    "bundle exec x",
    "vim x",
    "sed -l 1 'w x' y",
    "sed -l 1p 'w x' y",
    "sed --line-length 1p 'w x' y",
    "awk 'BEGIN { print 1 > -1 }'",
    "awk 'BEGIN { print 1 > _x }'",
    "awk 'BEGIN { print 1 > !x }'",
    "awk 'BEGIN { print 1 > 1 }'",
    "awk 'BEGIN { print 1 > /x/ }'",
    "awk 'BEGIN { printf \"a;b\" > +1 }'",
    "python3 -m pytest -p x",
    "python -m pytest --rootdir=/tmp",
    "python3 -B -m pytest -c x",
    "python3 -mpytest -p x",
    "python3 -m pip install --target x y",
    "less x",
    "gdb x",
    "GIT_SSH_COMMAND=x git fetch",
    "GIT_PAGER=x git log",
    "LD_PRELOAD=x ls",
    "PATH=x:$PATH ls",
    "PATH=x\nls",
    "export PATH=x; ls",
    "PAGER=x man y",
    "EDITOR=x git commit",
    "BASH_ENV=x ls",
    "IFS=x ls",
    "PYTHONPATH=x pytest",
    "NODE_OPTIONS=x npm test",
    "env LD_PRELOAD=x ls",
    "declare -x PATH=x; ls",
    "HOME=x git log",
    "ENV=x ls",
    "PS4=x ls",
    "alias ls=rm; ls",
    "ls() { x; }; ls",
    "source f; ls",
    ". f; ls",
    "trap 'rm x' EXIT; ls",
    "shopt -s extglob; ls",
    "enable -f x y; ls",
    "hash -p x ls; ls",
    "set -- rm; ls",
    "ls $X",
    "ls *",
    'ls "$X"',
    "ls {a,b}",
    "ls -$X",
    "cat <<E\n`rm x`\nE\n",
    "echo ${x@P}",
    "echo ${!x}",
    "echo $((x))",
    "((x))",
    "[[ $x -eq 1 ]]",
    "[ -v 'a[$(rm)]' ]",
    "printf -v 'a[$(rm)]' x",
    "test -v 'a[$(rm)]'",
    "read 'a[$(rm)]'",
    "let x",
    "declare -i x=y; ls",
    "unset 'a[$(rm)]'",
    "a[x]=1; ls",
    "cd $X; ls",
    "cd /; ls",
    "cd ..; ls",
    "cd -; ls",
    "pushd x; ls",
    "if true; then cd /; fi; ls",
    "cd /tmp && make",
    "if",
    "(",
    "ls '",
    'ls "',
    "ls $(",
    "ls `",
    "ls &&",
    "}",
    "ls )",
    "case x in",
    "ls <<E\nx",
    "\x00rm",
    "a\x0brm x",
    "ls > $X",
    "cat < /dev/tcp/h/1",
    "ls &> f more",
    "coproc X { ls; }",
    "valgrind ls",
    "mystery\\\n ls",
    "cat <<E x\ny\nE\n",
    "xargs",
    "xargs ls",
    "env A=$X ls",
    "for PATH in /x; do ls; done",
    "read PATH < f; ls",
    "select PATH in /x; do ls; done",
    "readonly PATH=/x; ls",
    "builtin export PATH=/x; ls",
    "PATH+=:/x; ls",
    "getopts a PATH; ls",
    "find . -exec {} \\;",
    "parallel ls",
    "sudo -s",
    "sudo -i",
    "sudoedit x",
    "fish -c ls",
    "gosu x ls",
]
DOUBTED.remove("mystery\\\n ls")
DOUBTED.remove("sudoedit x")

PLAIN = {
    "git status -s": ("git", "status", "-s"),
    "git log --oneline -n 5": ("git", "log", "--oneline", "-n", "5"),
    "git --no-pager diff": ("git", "--no-pager", "diff"),
    "git commit -m 'fix `x` and $(y)'": ("git", "commit", "-m", "fix `x` and $(y)"),
    'git commit -m "fix \\`x\\` for \\$5"': ("git", "commit", "-m", "fix `x` for $5"),
    'git commit -m "a\n\nb"': ("git", "commit", "-m", "a\n\nb"),
    "npm run build": ("npm", "run", "build"),
    "npm test": ("npm", "test"),
    "python -m pytest -q": ("python", "-m", "pytest", "-q"),
    "python script.py --flag": ("python", "script.py", "--flag"),
    "pytest -xvs tests/test_a.py::test_b": ("pytest", "-xvs", "tests/test_a.py::test_b"),
    "pytest tests/test_*.py": ("pytest", "tests/test_*.py"),
    "ls -la src/": ("ls", "-la", "src/"),
    "wc -l src/*.py": ("wc", "-l", "src/*.py"),
    "grep -rn 'a b' src": ("grep", "-rn", "a b", "src"),
    "rg -n foo src": ("rg", "-n", "foo", "src"),
    "sed -n 1,5p f": ("sed", "-n", "1,5p", "f"),
    "sed s/a/b/g f": ("sed", "s/a/b/g", "f"),
    "awk '{print $1}' f": ("awk", "{print $1}", "f"),
    "make -j4 test": ("make", "-j4", "test"),
    "cargo build --release": ("cargo", "build", "--release"),
    "go test ./...": ("go", "test", "./..."),
    "tar xzf a.tgz": ("tar", "xzf", "a.tgz"),
    "curl -s https://x.y/z": ("curl", "-s", "https://x.y/z"),
    "find . -name '*.py' -type f": ("find", ".", "-name", "*.py", "-type", "f"),
    "CI=1 npm test": ("npm", "test"),
    "DEBUG=1 NODE_ENV=test node x.js": ("node", "x.js"),
    "PYTHONDONTWRITEBYTECODE=1 pytest": ("pytest",),
    "ls 2>/dev/null": ("ls",),
    "ls >&2": ("ls",),
    "timeout 60 pytest -q": ("pytest", "-q"),
    "cat <<'E'\n$(rm) `rm`\nE\n": ("cat",),
    "ls # rm x": ("ls",),
    "ls \\\n  -la": ("ls", "-la"),
    'rm -- "$f"': ("rm", "--", "$f"),
    'cat "src/$name"': ("cat", "src/$name"),
    "command -v git": ("command", "-v", "git"),
    "bash script.sh x": ("bash", "script.sh", "x"),
    "echo ~/x": ("echo", "~/x"),
    "set -euo pipefail": ("set", "-euo", "pipefail"),
}


def commands(script: str, root: Path = NOWHERE) -> list[RunCommand]:
    return [effect for effect in analyse(script, root) if isinstance(effect, RunCommand)]


def policy(root: Path, **rules: tuple[str, ...] | str) -> Policy:
    return Policy.make(Permissions(**rules), Workspace(root))  # type: ignore[arg-type]


@pytest.mark.parametrize("script", FOUND)
def test_the_command_is_found_however_it_is_dressed(script: str, tmp_path: Path) -> None:
    found = commands(script, tmp_path)
    assert any(one.words[0].rsplit("/", 1)[-1] == "rm" for one in found), found
    for mode in ("ask", "edits", "all"):
        decision = policy(tmp_path, mode=mode, deny=("Bash(rm)",), allow=("Bash",)).decide("Bash", found)
        assert decision.kind == "refuse", decision
    allowed = policy(tmp_path, allow=("Bash(git *)", "Bash(ls)", "Bash(true)", "Bash(echo)"))
    assert allowed.decide("Bash", found).kind == "ask"


@pytest.mark.parametrize("script", DOUBTED)
def test_what_cannot_be_known_is_in_doubt_with_a_reason(script: str, tmp_path: Path) -> None:
    found = commands(script, tmp_path)
    assert any(one.doubt for one in found), found
    first = {word for one in found for word in one.words[:1]}
    prefixes = tuple(f"Bash({word})" for word in first if word and word.isidentifier())
    assert policy(tmp_path, allow=prefixes).decide("Bash", found).kind == "ask"
    assert policy(tmp_path, mode="all", deny=("Bash(mkfs)",)).decide("Bash", found).kind in ("ask", "refuse")


@pytest.mark.parametrize("script", PLAIN)
def test_usual_commands_are_plain(script: str, tmp_path: Path) -> None:
    (found,) = commands(script, tmp_path)
    assert (found.words, found.doubt) == (PLAIN[script], None)


def test_a_loop_over_files_keeps_its_words_and_asks(tmp_path: Path) -> None:
    (found,) = commands('for f in *.py; do wc -l "$f"; done', tmp_path)
    assert found.words[:2] == ("wc", "-l") and found.doubt


def test_every_part_of_a_pipeline_is_a_command_of_its_own(tmp_path: Path) -> None:
    assert [one.words for one in commands("git log | head -5 && ls", tmp_path)] == [
        ("git", "log"),
        ("head", "-5"),
        ("ls",),
    ]


def test_redirections_are_reads_and_writes(tmp_path: Path) -> None:
    effects = analyse("sort < in.txt > out.txt 2>> err.txt; ls &> all.txt; ls > /dev/null 2>&1 < /dev/stdin", tmp_path)
    paths = [effect for effect in effects if not isinstance(effect, RunCommand)]
    assert paths == [
        ReadPath(Path("in.txt")),
        WritePath(Path("out.txt")),
        WritePath(Path("err.txt")),
        WritePath(Path("all.txt")),
    ]


def test_a_redirection_follows_the_folder_that_cd_leads_to(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert WritePath(tmp_path / "sub" / "f") in analyse("cd sub && ls > f", tmp_path)
    assert WritePath(Path("f")) in analyse("(cd sub); ls > f", tmp_path)
    assert WritePath(tmp_path / "sub" / "f") in analyse("cd sub\nls > f", tmp_path)
    assert WritePath(Path("f")) in analyse("cd sub & ls > f", tmp_path)


def test_deep_and_long_scripts_are_in_doubt_and_quick() -> None:
    for script in (
        "(" * 5000,
        "$(" * 3000 + ")" * 3000,
        "{ " * 1000 + "ls; " + "} ;" * 1000,
        "ls;" * 60_000,
        "sh -c " * 500,
    ):
        assert any(one.doubt for one in commands(script))


def test_the_workspace_may_be_named_by_a_link(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    workspace = Workspace(tmp_path / "link")
    (found,) = commands("make", workspace.root)
    assert found.doubt is None and os.path.realpath(real) == str(workspace.root)
