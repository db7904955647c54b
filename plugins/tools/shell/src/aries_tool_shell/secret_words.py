"""Words of a command that name files with secrets."""

from __future__ import annotations

import glob
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from aries_kernel.broker.secrets import holds_secrets
from aries_tool_shell.tables import names
from aries_tool_shell.words import Word

__all__ = ["secrets_in"]

_ONLY_NAMES = names("echo printf ls test [ basename dirname true : which type cd mkdir pwd touch dirs")
"""Programs that do not open the files they are told about."""
_PATTERN_FIRST = names("grep egrep fgrep rg ag ack sed awk gawk jq")
_PATTERN_OPTION = re.compile(r"-[a-zA-Z]*[ef]|--(regexp|file|expression)(=|$)")
_FLAGS_ONLY = re.compile(r"-[niErvclFwqohHPRsxaz]+")
_SKIPS_FILES = re.compile(r"--(exclude|ignore|no-|skip)[\w-]*(=|$)|-x$")
_MESSAGE = re.compile(r"-[a-zA-Z]*m|--(message|title|body|subject|description)")
_SPLITTERS = re.compile(r"[=:@,]")
_MOST_MATCHES = 2000


def secrets_in(program: str, words: tuple[Word, ...], folder: Path | None) -> Iterator[Path]:
    """Files with secrets that a command may open; `folder` is where it runs, None where that is not known."""
    if program in _ONLY_NAMES or (program == "git" and words[:1] and words[0].text == "check-ignore"):
        return
    before: Word | None = None
    pattern = _pattern_of(words) if program in _PATTERN_FIRST else None
    for word in words:
        is_message = before is not None and _MESSAGE.fullmatch(before.text) is not None and program in ("git", "gh")
        is_left_out = before is not None and _SKIPS_FILES.fullmatch(before.text) is not None
        if word is not pattern and not is_message and not is_left_out and not _SKIPS_FILES.match(word.text):
            yield from _secrets_of(word, folder)
        before = word


def _pattern_of(words: tuple[Word, ...]) -> Word | None:
    """The search pattern: the first word that is no option, where no option gave it already."""
    if any(_PATTERN_OPTION.match(word.text) for word in words):
        return None
    for position, word in enumerate(words):
        if not word.text.startswith("-"):
            before = words[position - 1].text if position else "-n"
            return word if _FLAGS_ONLY.fullmatch(before) or before == "--" else None
    return None


def _secrets_of(word: Word, folder: Path | None) -> Iterator[Path]:
    if "://" in word.text and "file://" not in word.text:
        return
    if re.search(r"[\s()'\"]", word.text) and not word.is_computed:
        yield from (path for path in _named_in_text(word.text) if _exists(path, folder))
        return
    found = (path for piece in _pieces(word.glob) for one in _braced(piece) for path in _matching(one, folder))
    yield from itertools.islice(found, 1)  # one secret is enough to refuse the call


def _pieces(text: str) -> list[str]:
    """What may be a file in `--file=x`, `-fx`, `@x`, `HEAD:x`, `x:/there`."""
    whole = [] if text.startswith("-") else [text]
    attached = [text[2:]] if re.match(r"-[A-Za-z].", text) else []
    address = [text.removeprefix("file://")] if text.startswith("file://") else []
    split = [piece for piece in _SPLITTERS.split(text)[0 if whole else 1 :] if piece]
    return [*address, *attached, *reversed(split), *whole]


def _braced(text: str) -> Iterator[str]:
    """`{a,b}c` as bash spreads it, up to a limit."""
    waiting = [text]
    for _ in range(200):
        if not waiting:
            return
        one = waiting.pop()
        match = re.search(r"\{([^{}]*,[^{}]*)\}", one)
        if match is None:
            yield one
            continue
        waiting += [one[: match.start()] + middle + one[match.end() :] for middle in match[1].split(",")]


def _matching(pattern: str, folder: Path | None) -> Iterator[Path]:
    plain = re.sub(r"\[([*?\[{}])\]", r"\1", pattern)
    if not re.search(r"[*?\[]", re.sub(r"\[([*?\[{}])\]", "", pattern)):
        if _is_secret(plain, folder):
            yield Path(plain)
        return
    last = plain.rsplit("/", 1)[-1]
    if not re.search(r"[*?\[]", last) and _is_secret(last, None):
        yield Path(plain)
    if pattern.strip("*") and folder is not None:
        yield from (path for path in _expanded(pattern, folder) if holds_secrets(path))


def _expanded(pattern: str, folder: Path) -> Iterator[Path]:
    rooted = str(Path(pattern).expanduser()) if pattern.startswith("~/") else pattern
    found = glob.iglob(rooted, root_dir=folder, include_hidden=bool(re.search(r"(^|/)(\.|\[)", pattern)))  # noqa: PTH207
    try:
        for match in itertools.islice(found, _MOST_MATCHES):
            yield folder / match
    except (OSError, ValueError, re.error):
        return  # what cannot be listed or is no pattern for us cannot be opened by it either


def _is_secret(text: str, folder: Path | None) -> bool:
    if "\0" in text or not text or len(text) > 4000:
        return False
    path = Path(text)
    if holds_secrets(path):
        return True
    return folder is not None and _is_secret_file(folder / path)


def _is_secret_file(path: Path) -> bool:
    """Whether it is there, and by its place, or where a link leads, a secret."""
    try:
        return path.is_file() and (holds_secrets(path) or holds_secrets(path.resolve()))
    except (OSError, RuntimeError, ValueError):
        return False


def _named_in_text(text: str) -> Iterator[Path]:
    """File names inside code or other text."""
    yield Path(text)
    for token in re.split(r"[^\w./~@+-]+", text):
        if token and holds_secrets(Path(token)):
            yield Path(token)


def _exists(path: Path, folder: Path | None) -> bool:
    try:
        return holds_secrets(path) and ((folder or Path()) / path.expanduser()).exists()
    except (OSError, RuntimeError, ValueError):
        return False
