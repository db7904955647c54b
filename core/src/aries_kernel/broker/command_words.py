"""Command patterns of rules: the first words of a simple command."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

__all__ = ["JOINERS", "CommandPattern"]

JOINERS = frozenset({"&&", "||", "|", ";", ";;", "|&"})
"""What joins commands; a pattern is about one."""

_LETTERS = {"--recursive": "r", "--force": "f"}
"""Long options that a deny rule written with letters means too."""

_KINDS = {
    "git": {"status", "log", "diff", "show", "blame", "add", "rev-parse", "ls-files", "grep"},
    "npm": {"test", "ci", "ls", "outdated"},
    "pnpm": {"test", "ls", "outdated"},
    "yarn": {"test", "list", "outdated"},
    "cargo": {"build", "check", "test", "clippy", "fmt", "tree"},
    "go": {"build", "vet", "test", "list"},
    "uv": {"lock", "tree"},
    "pip": {"list", "show", "freeze"},
    "docker": {"ps", "images", "logs"},
    "kubectl": {"get", "describe", "logs"},
    "gh": set(),
}
"""Programs and subcommands for which two words are a kind worth allowing; all else is allowed word for word.

Not among them is what destroys with one more word: `git branch -D`, `git fetch . +a:b`.
"""


class CommandPattern:
    """A prefix of words. `*` within stands for anything in one word, at the end for any further words.

    A last word `$` closes it: `rm build $` allows no further word. A deny or ask rule does not care.
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        self.is_closed = words[-1:] == ("$",)
        if self.is_closed:
            words = words[:-1]
        if words and words[-1].endswith(":*"):
            words = (*words[:-1], words[-1][:-2], "*")
        while words and words[-1] in ("*", "") and not self.is_closed:
            words = words[:-1]
        self.words = words

    @staticmethod
    def kind_of(words: tuple[str, ...]) -> str | None:
        """The pattern for commands like this one, for an "always" answer; None where it would mean more than that."""
        if any("*" in word or word in JOINERS for word in words) or words[-1] == "":
            return None
        if len(words) > 1 and words[1] in _KINDS.get(words[0], ()):
            return shlex.join(words[:2])
        return f"{shlex.join(words)} $"

    def allows(self, words: tuple[str, ...]) -> bool:
        """To the letter, the program as it was named."""
        if len(words) < len(self.words) or (self.is_closed and len(words) > len(self.words)):
            return False
        return all(_is_word(word, meant) for word, meant in zip(words, self.words, strict=False))

    def catches(self, words: tuple[str, ...]) -> bool:
        """Whatever path leads to the program, whatever options stand between, in whatever order the letters come."""
        if not self.words:
            return True
        if not words or not fnmatchcase(_program(words[0]), _program(self.words[0])):
            return False
        options = [word for word in self.words[1:] if word.startswith("-")]
        return all(_has_option(words[1:], option) for option in options) and _follows(
            words[1:], tuple(word for word in self.words[1:] if not word.startswith("-"))
        )


def _is_word(word: str, meant: str) -> bool:
    return word == meant or ("*" in meant and re.fullmatch(_star(meant), word, re.DOTALL) is not None)


def _star(meant: str) -> str:
    return ".*".join(re.escape(piece) for piece in re.split(r"\*+", meant))


def _program(word: str) -> str:
    name = PurePosixPath(word.replace("\\", "/")).name or word
    return name.casefold().removesuffix(".exe")


def _has_option(words: tuple[str, ...], option: str) -> bool:
    letters = _letters_of(option)
    given = "".join(map(_letters_of, words))
    if letters and set(letters) <= {*given, *given.replace("R", "r")}:
        return True
    return any(_is_option(word, option) for word in words)


def _is_option(word: str, option: str) -> bool:
    """The same, abbreviated, or with a value that the rule leaves open."""
    if _is_word(word, option):
        return True
    name = word.partition("=")[0]
    is_long = word.startswith("--") and len(name) > 2
    return is_long and "=" not in option and (option.startswith(name) or _is_word(name, option))


def _letters_of(word: str) -> str:
    if word in _LETTERS:
        return _LETTERS[word]
    return word[1:].partition("=")[0] if word.startswith("-") and not word.startswith("--") else ""


def _follows(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the wanted words come next, when options, and a word after each as its value, may be left out."""
    if not wanted:
        return True
    for position, word in enumerate(words):
        if _is_word(word, wanted[0]) and _follows(words[position + 1 :], wanted[1:]):
            return True
        if not word.startswith("-") and not (position and words[position - 1].startswith("-")):
            return False
    return False
