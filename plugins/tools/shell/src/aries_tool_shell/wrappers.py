"""Programs that start another program: where in their words the other one stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto

from attrs import field, frozen

from aries_tool_shell.tables import names
from aries_tool_shell.words import Word, literal

__all__ = ["WRAPPERS", "Form", "Inner", "Wrapper", "commands_of_find", "inner_of"]


class Form(Enum):
    """What follows the options and operands of a wrapper."""

    COMMAND = auto()
    """A program and its words."""
    CODE = auto()
    """Words that are joined and given to a shell."""


@frozen
class Wrapper:
    """The option grammar of one wrapper. An option that is not listed puts the command in doubt."""

    flags: frozenset[str] = field(default="", converter=names)
    """Options without a value."""
    values: frozenset[str] = field(default="", converter=names)
    """Options with a value, attached or in the next word."""
    optional: frozenset[str] = field(default="", converter=names)
    """Options whose value, if any, is attached."""
    code: frozenset[str] = field(default="", converter=names)
    """Options whose value is code for a shell."""
    operands: int = 0
    """Words of its own before the command: a duration, a lock file."""
    has_assignments: bool = False
    has_numbers: bool = False
    """Takes options such as `-10`."""
    power: str | None = None
    """Why it is a command to be allowed in its own right, beside the one it starts. None: it adds nothing."""
    doubt: str | None = None
    """Why the command it starts is not what the words say, or not all of it."""
    form: Form = Form.COMMAND
    queries: frozenset[str] = field(default="", converter=names)
    """Options with which it starts nothing."""
    is_shell: bool = False
    """It takes a script from a file or from standard input where no option gives code."""


@frozen
class Inner:
    """What a wrapper starts."""

    words: tuple[Word, ...] = ()
    code: Word | None = None
    """A script instead of words; a computed one cannot be read."""
    assignments: tuple[str, ...] = ()
    doubt: str | None = None


_FROM_INPUT = "more of its arguments come from standard input"
_SHELL = Wrapper(
    flags="-e -u -x -v -n -l -i -f -p -s -m -h -a -b --login --posix --norc --noprofile --verbose +e +x +u",
    values="-o +o",
    code="-c",
    power="a shell runs whatever it is given",
    is_shell=True,
)

WRAPPERS: Mapping[str, Wrapper] = {
    "env": Wrapper("-i -v -0 --ignore-environment --null --debug", "-u --unset", has_assignments=True),
    "nohup": Wrapper(),
    "setsid": Wrapper("-c -f -w --ctty --fork --wait"),
    "timeout": Wrapper("-f -p -v --preserve-status --foreground --verbose", "-s -k --signal --kill-after", operands=1),
    "gtimeout": Wrapper("--preserve-status --foreground -v --verbose", "-s -k --signal --kill-after", operands=1),
    "nice": Wrapper("", "-n --adjustment", has_numbers=True),
    "ionice": Wrapper("-t --ignore", "-c -n --class --classdata"),
    "chrt": Wrapper("-b -f -i -o -r -R -v --batch --fifo --idle --other --rr", "", operands=1),
    "taskset": Wrapper("-a -c --all-tasks --cpu-list", operands=1),
    "stdbuf": Wrapper("", "-i -o -e --input --output --error"),
    "unbuffer": Wrapper("-p"),
    "caffeinate": Wrapper("-d -i -m -s -u", "-t"),
    "time": Wrapper("-p -v -q --portability --verbose --quiet", "-f --format"),
    "command": Wrapper("-p", queries="-v -V"),
    "builtin": Wrapper(),
    "exec": Wrapper("-c -l", "-a"),
    "coproc": Wrapper(doubt="what coproc starts may have a name before it"),
    "busybox": Wrapper(),
    "toybox": Wrapper(),
    "sudo": Wrapper(
        "-A -b -E -H -n -P -S -k --askpass --background --non-interactive --set-home --stdin --preserve-env",
        "-u -g -p -C -T -h -U --user --group --prompt --host",
        "--preserve-env",
        has_assignments=True,
        power="it runs the command as somebody else",
    ),
    "doas": Wrapper("-n", "-u", power="it runs the command as somebody else"),
    "xargs": Wrapper(
        "-0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty",
        "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-chars",
        "-e -i -l --replace --max-lines --eof",
        doubt=_FROM_INPUT,
    ),
    "strace": Wrapper("-f -c -q -t -T -y -r -v -i -k -tt -ttt -ff", "-e -p -s -a -P -S -b -I", power="it traces"),
    "ltrace": Wrapper("-f -c -S -t", "-e -n -s -a", power="it traces"),
    "flock": Wrapper(
        "-s -x -e -n -u -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose",
        "-w -E --timeout --wait --conflict-exit-code",
        code="-c --command",
        operands=1,
        power="it makes a lock file",
    ),
    "script": Wrapper(
        "-a -e -f -q --append --return --flush --quiet", "-E", code="-c --command", power="it writes a file"
    ),
    "watch": Wrapper(
        "-b -c -d -e -g -t -w -p --beep --color --differences --errexit --chgexit --no-title --precise",
        "-n --interval",
        form=Form.CODE,
    ),
    "eval": Wrapper(form=Form.CODE),
    "parallel": Wrapper("-k --keep-order --will-cite", "-j --jobs", doubt=_FROM_INPUT, form=Form.CODE, power="it runs"),
    "chroot": Wrapper("", "", operands=1, power="it changes what paths mean", doubt="it runs in another root"),
    "su": Wrapper("-l -m -p -", "-s -g", code="-c", power="it runs the command as somebody else"),
    "sh": _SHELL,
    "bash": _SHELL,
    "dash": _SHELL,
    "ash": _SHELL,
    "zsh": _SHELL,
    "ksh": _SHELL,
    "mksh": _SHELL,
    "rbash": _SHELL,
    "fish": Wrapper(code="-c --command", power="a shell runs whatever it is given", doubt="fish has its own language"),
}

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def inner_of(wrapper: Wrapper, words: tuple[Word, ...]) -> Inner:
    """What `wrapper` starts, out of the words after its name."""
    return _Scan(wrapper, words).result()


class _Scan:
    def __init__(self, wrapper: Wrapper, words: tuple[Word, ...]) -> None:
        self._wrapper, self._left = wrapper, list(words)
        self._doubt: str | None = None
        self._code: Word | None = None
        self._wants_code = False
        self._is_query = False

    def result(self) -> Inner:
        self._skip_options()
        for _ in range(self._wrapper.operands if self._doubt is None else 0):
            if self._left and self._left.pop(0).may_be_option:
                self._doubt = "a word before the command is computed"
        if self._wrapper.operands and self._wrapper.code:
            self._skip_options()
        assignments = self._take_assignments()
        if self._is_query:
            return Inner()
        if self._wants_code and self._left and self._doubt is None:
            self._code = self._left.pop(0)
        if self._code is None and self._wrapper.form is Form.CODE and self._left and self._doubt is None:
            self._code = _joined(self._left)
        words = () if self._code is not None else tuple(self._left)
        return Inner(words, self._code, assignments, self._doubt or self._wrapper.doubt)

    def _skip_options(self) -> None:
        while self._left and self._doubt is None:
            word = self._left[0]
            if word.text == "-" and self._wrapper.has_assignments:
                self._left.pop(0)  # env - is env -i
                continue
            if word.text in ("--", "") or word.text[0] not in "-+" or not word.lead:
                if word.text == "--":
                    self._left.pop(0)
                return
            self._left.pop(0)
            if word.is_computed:
                self._doubt = f"the option {word.text} is computed"
            elif word.text.startswith("--"):
                self._take_long(word.text)
            else:
                self._take_short(word.text)

    def _take_long(self, text: str) -> None:
        name, has_value, value = text.partition("=")
        known = self._wrapper
        if name in known.optional or (name in known.flags and not has_value):
            return
        if name in known.values and has_value:
            return
        if name in known.values:
            self._drop_value(name)
        elif name in known.code:
            self._take_code(name, value if has_value else None)
        else:
            self._doubt = f"the option {name} is not known here"

    def _take_short(self, text: str) -> None:
        known = self._wrapper
        if text in known.flags or (known.has_numbers and re.fullmatch(r"[-+]-?\d+", text)):
            return
        for position, letter in enumerate(text[1:], 1):
            option, rest = text[0] + letter, text[position + 1 :]
            if option in known.queries:
                self._is_query = True
            elif option in known.code and known.is_shell:
                self._wants_code = True  # sh -ce CODE: the letters after c are options too
            elif option in known.code:
                return self._take_code(option, rest or None)
            elif option in known.optional:
                return
            elif option in known.values and not (rest and known.is_shell):
                return None if rest else self._drop_value(option)
            elif option not in known.flags:
                self._doubt = f"the option {option} is not known here"
                return

    def _drop_value(self, option: str) -> None:
        if not self._left:
            self._doubt = f"the option {option} has no value"
        elif self._left.pop(0).is_split:
            self._doubt = f"the value of {option} may become several words"

    def _take_code(self, option: str, attached: str | None) -> None:
        if attached is not None:
            self._code = literal(attached)
        elif self._left:
            self._code = self._left.pop(0)
        else:
            self._doubt = f"the option {option} has no value"

    def _take_assignments(self) -> tuple[str, ...]:
        found = []
        while self._wrapper.has_assignments and self._left and _ASSIGNMENT.match(self._left[0].text):
            word = self._left.pop(0)
            found.append(word.text)
            if word.is_split and self._doubt is None:
                self._doubt = f"{word.text} may become several words"
        return tuple(found)


def _joined(words: list[Word]) -> Word:
    text = " ".join(word.text for word in words)
    return Word(text, "*", any(word.is_computed for word in words), False, text)


_FIND_RUNS = {"-exec", "-execdir", "-ok", "-okdir"}


def commands_of_find(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """The commands in the expression of `find`, each without its end; what find fills in counts as computed."""
    found, position = [], 0
    while position < len(words):
        position += 1
        if words[position - 1].text in _FIND_RUNS:
            end = position
            while end < len(words) and words[end].text != ";" and not _is_plus_end(words, end):
                end += 1
            found.append(tuple(map(_filled, words[position:end])))
            position = end
    return found


def _is_plus_end(words: tuple[Word, ...], at: int) -> bool:
    return words[at].text == "+" and words[at - 1].text == "{}"


def _filled(word: Word) -> Word:
    if "{}" not in word.text:
        return word
    return Word(word.text, word.glob, is_computed=True, lead=word.text.partition("{}")[0])
