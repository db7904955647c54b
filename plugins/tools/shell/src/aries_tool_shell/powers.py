"""What makes a program do more than its name says: options, variables, code among its arguments. All of it is data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from aries_tool_shell.tables import names, ordered_names
from aries_tool_shell.words import Word, literal

__all__ = ["doubt_about_arguments", "doubt_about_variable", "is_stateful", "program_name"]


@frozen
class Powers:
    """Options and words that widen what one program does."""

    options: tuple[str, ...] = field(default="", converter=ordered_names)
    """Wherever they stand, abbreviated or with a value attached."""
    first: tuple[str, ...] = field(default="", converter=ordered_names)
    """Only before the first word that is no option, as in `git -c ... log`."""
    words: str | None = None
    """A regular expression; an argument that holds it is code, or names code."""
    subcommands: Mapping[str, str] = field(factory=dict)
    """Subcommands that run code or set what runs later, with the options that make them do so ('' for always)."""
    plain: str | None = None
    """A regular expression; a first argument, options aside, that it does not fit as a whole is code."""
    needs_file: bool = False
    """Without a file it runs what comes from standard input."""
    always: str | None = None
    """Why every use is in doubt."""
    known: frozenset[str] = field(default="", converter=names)
    """Subcommands that exist; another one may be an alias. Empty: not looked at."""


_RUNS = "it starts another program, in a way that is not followed here"
_PLAIN_SED = (
    r"((\d+|\$|/[^/\\]*/)(,(\d+|\$|/[^/\\]*/))?)?(!?[pdq=]"
    r"|s/([^/\\\n]|\\.)*/([^/\\\n]|\\.)*/[gpIi0-9]*|s\|([^|\\\n]|\\.)*\|([^|\\\n]|\\.)*\|[gpIi0-9]*)"
)

POWERS: Mapping[str, Powers] = {
    "git": Powers(
        "--output --ext-diff --textconv --upload-pack --receive-pack --exec --open-files-in-pager --template --config "
        "--separate-git-dir --extcmd --strategy --gpg-program --to-command",
        "-c -C -p --paginate --exec-path --git-dir --work-tree --namespace --config-env --super-prefix --bare",
        r"^ext::|^fd::|^[\w@.-]*:?-o?ProxyCommand",
        {
            "config": "",
            "bisect": "",
            "filter-branch": "",
            "submodule": "foreach",
            "rebase": "-x --exec -i",
            "difftool": "",
            "mergetool": "",
            "grep": "-O",
            "archive": "-o --output --remote",
            "clone": "-c -u",
            "credential": "",
            "daemon": "",
            "send-email": "",
            "hook": "",
            "instaweb": "",
            "web--browse": "",
            "shell": "",
            "upload-pack": "",
            "receive-pack": "",
            "remote-ext": "",
            "p4": "",
            "svn": "",
            "ls-remote": "-u",
            "maintenance": "",
            "format-patch": "-o",
            "bundle": "",
            "update-index": "--index-info",
            "var": "",
            "cvsserver": "",
            "gui": "",
            "citool": "",
        },
        known="add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap "
        "checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config "
        "count-objects describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch "
        "filter-branch fmt-merge-msg for-each-ref format-patch fsck gc grep hash-object help hook init "
        "interpret-trailers "
        "log ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mergetool mktag mktree mv "
        "name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree rebase reflog remote "
        "repack "
        "replace rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref "
        "sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit "
        "verify-tag version whatchanged worktree write-tree --version --help -v -h",
    ),
    "rg": Powers("--pre --hostname-bin --search-zip"),
    "tar": Powers(
        "--to-command --checkpoint-action --use-compress-program -I --rsh-command --info-script --new-volume-script -F "
        "--rmt-command -P --absolute-names",
        words=r"checkpoint-action|to-command",
    ),
    "zip": Powers("-TT --unzip-command -T"),
    "sort": Powers("-o --output --compress-program --files0-from"),
    "uniq": Powers(),
    "split": Powers("--filter"),
    "ssh": Powers("-o -F -E -L -R -D -w -S -W -J -I", always=_RUNS),
    "scp": Powers("-o -F -S -J -D"),
    "sftp": Powers("-o -F -S -b -D"),
    "rsync": Powers("-e --rsh --rsync-path --daemon --password-file --write-batch -M --remote-option"),
    "curl": Powers(
        "-o -O -K -J -D -c --output --remote-name --config --dump-header --cookie-jar --remote-name-all "
        "--output-dir --trace --trace-ascii --stderr --hsts --alt-svc --engine --libcurl --etag-save -T "
        "--upload-file",
        words=r"^file:",
    ),
    "wget": Powers(
        "-O -o -a -e -i -P --output-document --execute --use-askpass --config --output-file --input-file "
        "--append-output --directory-prefix --save-cookies --warc-file"
    ),
    "make": Powers("-f -C -I --file --makefile --directory --eval --include-dir -E", words=r"^[A-Za-z_.]\w*[:+?!]*="),
    "gmake": Powers("-f -C -I --file --makefile --directory --eval -E", words=r"^[A-Za-z_.]\w*[:+?!]*="),
    "ninja": Powers("-f -C -t"),
    "cmake": Powers("-P -E -C -D -G --toolchain --preset"),
    "just": Powers("-f -d --justfile --working-directory --set --shell --shell-arg --shell-command -c --command -g"),
    "npm": Powers(
        "--prefix -C --script-shell --userconfig --globalconfig --node-options --registry --git "
        "--onload-script --call -c",
        subcommands={
            "exec": "",
            "x": "",
            "config": "",
            "set": "",
            "explore": "",
            "edit": "",
            "init": "",
            "create": "",
            "pkg": "",
        },
    ),
    "npx": Powers(always="it fetches and runs a package"),
    "bunx": Powers(always="it fetches and runs a package"),
    "uvx": Powers(always="it fetches and runs a package"),
    "pipx": Powers(subcommands={"run": "", "runpip": ""}),
    "pnpm": Powers(
        "-C --dir --prefix --script-shell --config", subcommands={"exec": "", "dlx": "", "create": "", "config": ""}
    ),
    "yarn": Powers("--cwd --use-yarnrc", subcommands={"exec": "", "dlx": "", "create": "", "config": "", "node": ""}),
    "bun": Powers(
        "--cwd -e --eval -p --print --preload -r --config -c",
        subcommands={"x": "", "exec": "", "create": ""},
        needs_file=True,
    ),
    "uv": Powers(
        "--directory --project --config-file --index-url --default-index --index", subcommands={"run": "", "tool": ""}
    ),
    "pip": Powers(
        "--target -t --prefix --root --index-url -i --extra-index-url --find-links -f --config-settings --python"
    ),
    "pip3": Powers(
        "--target -t --prefix --root --index-url -i --extra-index-url --find-links -f --config-settings --python"
    ),
    "poetry": Powers("-C --directory -P --project", subcommands={"run": "", "config": "", "shell": ""}),
    "pipenv": Powers(subcommands={"run": "", "shell": ""}),
    "hatch": Powers(subcommands={"run": "", "shell": "", "env": ""}),
    "bundle": Powers(subcommands={"exec": "", "config": ""}),
    "cargo": Powers("--config -C -Z --manifest-path", "", r"^\+"),
    "go": Powers(
        "-exec -toolexec -C -modfile -overlay -vettool -ldflags -gcflags -asmflags --exec --toolexec",
        subcommands={"run": "", "generate": "", "env": "-w", "tool": ""},
    ),
    "pytest": Powers("-p -c -o --rootdir --override-ini --confcutdir --config-file --import-mode --pdbcls --basetemp"),
    "tox": Powers("-c --conf -x --override --workdir --root"),
    "nox": Powers("-f --noxfile"),
    "mypy": Powers("--config-file --python-executable --custom-typeshed-dir --install-types"),
    "ruff": Powers("--config"),
    "eslint": Powers(
        "-c --config --rulesdir --plugin --resolve-plugins-relative-to -f --format -o --output-file --parser"
    ),
    "prettier": Powers("--plugin --config --plugin-search-dir"),
    "jest": Powers("-c --config --globalSetup --runner --setupFilesAfterEnv --transform --rootDir"),
    "find": Powers("-delete -fprint -fprint0 -fprintf -fls -files0-from"),
    "fd": Powers("-x -X --exec --exec-batch"),
    "sed": Powers("-i --in-place -f --file -e --expression -l --line-length", plain=_PLAIN_SED),
    "tree": Powers("-o"),
    "less": Powers(always="a viewer can start programs"),
    "more": Powers(always="a viewer can start programs"),
    "man": Powers("-P -H -T --pager --html --preprocessor -C --config-file"),
    "gcc": Powers("-wrapper -fplugin -B -specs --specs", words=r"^@"),
    "cc": Powers("-wrapper -fplugin -B -specs --specs", words=r"^@"),
    "clang": Powers("-fplugin -B -Xclang --config", words=r"^@"),
    "date": Powers("-s --set -f --file"),
    "journalctl": Powers("--vacuum-size --vacuum-time --vacuum-files --rotate"),
    "docker": Powers(
        subcommands={
            "run": "",
            "exec": "",
            "build": "",
            "compose": "",
            "cp": "",
            "create": "",
            "buildx": "",
            "context": "",
            "plugin": "",
            "load": "",
            "import": "",
            "start": "",
        }
    ),
    "podman": Powers(subcommands={"run": "", "exec": "", "build": "", "create": "", "unshare": "", "cp": ""}),
    "kubectl": Powers(
        "--kubeconfig", subcommands={"exec": "", "run": "", "cp": "", "edit": "", "debug": "", "plugin": ""}
    ),
    "gh": Powers(
        subcommands={"alias": "", "extension": "", "config": "", "api": "", "codespace": "", "cs": "", "ext": ""}
    ),
    "sqlite3": Powers("-cmd -init", words=r"^\s*\.|load_extension|writefile|edit\("),
    "psql": Powers("-c -f -o -L --command --file --output --log-file --set -v"),
    "mysql": Powers("-e --execute --pager --tee --init-command"),
    "gdb": Powers(always="a debugger runs code"),
    "lldb": Powers(always="a debugger runs code"),
    "python": Powers("-c -i -", words=r"^-\w*c", needs_file=True),
    "pypy": Powers("-c -i -", needs_file=True),
    "node": Powers("-e -p -r -i --eval --print --require --import --loader --experimental-loader -", needs_file=True),
    "nodejs": Powers("-e -p -r --eval --print --require --import -", needs_file=True),
    "deno": Powers(subcommands={"eval": "", "repl": ""}),
    "perl": Powers("-e -E -i -I -M -m -d -x -", words=r"^-\w*[eE]", needs_file=True),
    "ruby": Powers("-e -r -I -x -i -", words=r"^-\w*e", needs_file=True),
    "php": Powers("-r -R -B -E -d -a --run --process-code", needs_file=True),
    "lua": Powers("-e -l -i -", needs_file=True),
    "osascript": Powers("-e", needs_file=True),
    "rscript": Powers("-e", needs_file=True),
    "julia": Powers("-e -E -L --eval --print", needs_file=True),
    "tclsh": Powers(needs_file=True),
    "awk": Powers(
        "-f -i -l -e -E --file --source --include --load --exec",
        words=r"system\s*\(|getline|(?<!\|)\|(?!\|)|>\s*[\"a-zA-Z($]|\bprintf?\b[^}]*>|@\w",
    ),
    "jq": Powers("-f --from-file -L"),
    "openssl": Powers("-engine -out -provider -config"),
    "base64": Powers(),
    "tee": Powers(),
}
_SAME = {
    "egrep": "grep", "gawk": "awk", "mawk": "awk", "nawk": "awk", "gsed": "sed", "gtar": "tar", "bsdtar": "tar",
    "genv": "env", "gnice": "nice", "gnohup": "nohup", "gxargs": "xargs", "gstdbuf": "stdbuf", "gtime": "time",
    "gchroot": "chroot", "gsplit": "split", "gdate": "date", "gfind": "find", "gsort": "sort",
    "fdfind": "fd", "g++": "gcc", "c++": "cc", "clang++": "clang",
    "py.test": "pytest", "python2": "python", "python3": "python", "pypy3": "pypy",
}  # fmt: skip
_PLAIN_PYTHON = names("-B -E -I -P -s -S -u -v -b -bb -q -O -OO -d")
"""Options of Python that leave what is run alone."""
_VERSIONED = re.compile(r"^(python|pypy|ruby|perl|lua|php|node)[0-9][0-9.]*$")

_RUN_OTHERS = names(
    "valgrind perf proxychains proxychains4 torsocks rlwrap xvfb-run dbus-run-session systemd-run at batch crontab "
    "setpriv prlimit numactl chpst tini dumb-init fakeroot fakechroot expect unshare nsenter runuser firejail bwrap "
    "cpulimit entr hyperfine direnv dotenv mise asdf nix nix-shell nix-env pkexec gosu su-exec start-stop-daemon "
    "daemonize screen tmux linux64 linux32 setarch i386 x86_64 mpirun mpiexec srun sshpass autossh "
    "vi vim nvim ex view ed emacs nano pico joe gvim vimdiff ftp telnet nc ncat netcat socat ld.so "
    "m4 gnuplot xdg-open open watchexec nodemon inotifywait pwsh powershell cmd "
    "cmd.exe wsl start wine mono dotnet-script nsjail ld-linux.so.2 ld-linux-x86-64.so.2 apply run-parts git-shell "
    "capsh sg newgrp cgexec schroot proot lxc-attach machinectl distrobox toolbox flatpak snap sem rush mapfile "
    "readarray bind complete compgen fc hash enable disown shopt alias unalias trap source . set history suspend "
    "let"
)
_STATEFUL = names("alias unalias trap source . enable hash shopt set bind fc complete history")

_PLAIN_SET = re.compile(r"[-+][abefhmnuvxCEHBPT]*o?")
_PLAIN_OPTIONS = {"pipefail", "errexit", "nounset", "xtrace", "noclobber", "verbose", "noglob", "errtrace"}

_VARIABLES = re.compile(
    r"(LD|DYLD|GIT|SSH|BASH|ZSH|PYTHON|PY|NODE|NPM|npm_config|NPM_CONFIG|YARN|PNPM|BUN|DENO|RUBY|GEM|BUNDLE|PERL5?|LUA|PHP|"
    r"JAVA|_JAVA|JDK|MAVEN|GRADLE|CARGO|RUSTC|RUSTUP|RUSTDOC|GO|CGO|CMAKE|MAKE|GNUMAKE|LESS|MAN|PIP|UV|POETRY|PYTEST|TOX|"
    r"HOMEBREW|DOCKER|KUBE|AWS|TAR|RSYNC|CURL|WGET|GREP|RIPGREP|RG|FZF|GCC|CC|CXX|LD|AR|AS|QT|GTK|XDG|GCONV|GLIBC|MALLOC|"
    r"NLS|LOCPATH|TERMINFO|PROMPT|PS|DOTNET|COMPlus|PSModule|ELECTRON|CHROME|PLAYWRIGHT|HOSTALIASES|RES|SUDO|DOAS|TZDIR)"
    r"(_\w*|PATH|OPT|LIB|INIT|HOME|ROOT|FLAGS|OPTIONS|OPEN|CLOSE|PAGER|ENV|KEY|[0-9])"
    r"|CC|CXX|CPP|LD|AR|AS|FC|IFS|ENV|HOME|PATH|CDPATH|FPATH|SHELL|EDITOR|VISUAL|PAGER|BROWSER|LESS|MANPAGER|TERM|TMPDIR|"
    r"SHELLOPTS|POSIXLY_CORRECT|PS[0-4]|PROMPT_COMMAND|OPTIND|MAIL|MAILPATH|GLOBIGNORE|EXECIGNORE|FUNCNEST|HISTFILE|"
    r"\w*(PAGER|EDITOR|BROWSER|SHELL|COMMAND|CMD|OPTIONS|OPTS|FLAGS|PATH|PROXY|proxy|CONFIG|HOME|RC|INIT|STARTUP|"
    r"PRELOAD|RSH|ASKPASS|WRAPPER|HOOK|HOOKS|LOADER|MODULE|PLUGIN|PLUGINS|LIBRARY|EXEC|SCRIPT|BIN|DIR)"
)
_HARMLESS_VARIABLES = re.compile(
    r"PYTHON(UNBUFFERED|DONTWRITEBYTECODE|UTF8|IOENCODING|HASHSEED|FAULTHANDLER|DEVMODE|MALLOC|TRACEMALLOC)|NODE_ENV|"
    r"RUST_(BACKTRACE|LOG)|CARGO_TERM_COLOR|CARGO_INCREMENTAL|LC_\w+|LANG|GIT_(PAGER_IN_USE|TERMINAL_PROMPT)|TERM|"
    r"PIP_(NO_INPUT|DISABLE_PIP_VERSION_CHECK|QUIET)|GO(OS|ARCH|MAXPROCS)|CGO_ENABLED"
)


def program_name(word: str) -> str:
    """The name by which the tables know a program: no folder, no version."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1].casefold()  # some file systems do not tell RM from rm
    name = name.removesuffix(".exe")
    versioned = _VERSIONED.match(name)
    return versioned[1] if versioned else _SAME.get(name, name)


def doubt_about_variable(name: str) -> str | None:
    """Why a command under this variable is in doubt; None for a harmless one."""
    if _HARMLESS_VARIABLES.fullmatch(name) or not _VARIABLES.fullmatch(name):
        return None
    return f"the variable {name} can make it run something else"


def is_stateful(program: str, words: tuple[Word, ...]) -> bool:
    """Whether it changes what later words of the same script mean."""
    return program in _STATEFUL and not _is_plain_set(program, words)


def _is_plain_set(program: str, words: tuple[Word, ...]) -> bool:
    texts = [word.text for word in words]
    return program == "set" and bool(texts) and all(
        _PLAIN_SET.fullmatch(text) or text in _PLAIN_OPTIONS for text in texts
    )  # fmt: skip


def doubt_about_arguments(program: str, words: tuple[Word, ...]) -> str | None:
    """Why `program` with these arguments may do more than its name says."""
    if _is_plain_set(program, words):
        return None
    if program in _RUN_OTHERS:
        return f"{program}: {_RUNS}"
    module = _module_of(program, words)
    if module:
        return doubt_about_arguments(program_name(module[0].text), module[1:])
    return next(_reasons(program, POWERS.get(program, Powers()), words), None)


def _module_of(program: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`python -m pytest x` is `pytest x`: the words from the module's name on, where no other option stands before."""
    texts = [word.text for word in words]
    start = next((at for at, text in enumerate(texts) if text not in _PLAIN_PYTHON), len(texts))
    if program not in ("python", "pypy") or not texts[start : start + 1] or not texts[start].startswith("-m"):
        return ()
    attached = texts[start][2:]
    return (literal(attached), *words[start + 1 :]) if attached else words[start + 1 :]


def _reasons(program: str, powers: Powers, words: tuple[Word, ...]) -> Iterator[str]:
    if powers.always:
        yield f"{program}: {powers.always}"
    texts = [word.text for word in words]
    head = _before_subcommand(texts)
    hits = [text for text in head if any(_means(text, option) for option in powers.first)]
    options = _options(texts)
    hits += [text for text in options if any(_means(text, option) for option in powers.options)]
    subcommand = texts[len(head)] if len(head) < len(texts) else ""
    wanted = powers.subcommands.get(subcommand)
    if wanted == "":
        hits.append(subcommand)
    elif wanted:
        hits += [text for text in texts if any(text == one or _means(text, one) for one in wanted.split())]
    if (
        powers.known
        and texts
        and subcommand not in powers.known
        and not hits
        and head[:1] not in (["--version"], ["--help"])
    ):
        yield f"{program} {subcommand}: it may be an alias for anything"
    files = [text for text in texts if not text.startswith("-")]
    if powers.needs_file and not files and texts[:1] not in (["--version"], ["-V"], ["--help"], ["-h"], ["-v"]):
        yield f"{program} runs what it reads from standard input"
    if powers.plain and files and not re.fullmatch(powers.plain, files[0]):
        yield f"{program} {files[0]}: the script may run programs or write files"
    if powers.words:
        hits += [text for text in texts if re.search(powers.words, text)]
    if hits:
        yield f"{program} {hits[0]} can run other code, write files or move elsewhere"


def _before_subcommand(texts: list[str]) -> list[str]:
    head: list[str] = []
    for text in texts:
        if not text.startswith("-"):
            break
        head.append(text)
    return head


def _options(texts: list[str]) -> list[str]:
    end = texts.index("--") if "--" in texts else len(texts)
    return [text for text in texts[:end] if text.startswith("-")]


def _means(text: str, option: str) -> bool:
    """Whether `text` is `option`: abbreviated, with its value attached, or among other letters."""
    if text == option:
        return True
    if option.startswith("--"):
        name = text.partition("=")[0]
        return len(name) > 3 and text.startswith("--") and option.startswith(name)
    if len(option) > 2:  # -exec, -delete
        return text.partition("=")[0] == option
    if len(option) == 1 or text.startswith("--"):
        return False
    return len(text) > 2 and not text.startswith("--") and option[1] in _letters(text)


def _letters(text: str) -> str:
    match = re.match(r"-([A-Za-z0-9]+)", text)
    return match[1] if match else ""
