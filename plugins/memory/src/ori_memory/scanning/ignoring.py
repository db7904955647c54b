"""Rules that leave files out: `.gitignore`, `.oriignore` and the settings, as git reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from aries_kernel.values import frozen

__all__ = ["RULE_FILES", "Rules", "read_rules"]

RULE_FILES = (".gitignore", ".oriignore")
"""The later one of a folder has the last word."""

_SLASH = "ps_d"
_PLAIN_FOLDER = re.compile(r"(/?)([\w -]*\w)/\Z")


class _Rule(Protocol):
    @property
    def includes(self) -> bool: ...
    @property
    def for_folders_only(self) -> bool: ...
    def matches(self, path: str) -> bool: ...


@frozen
class _Folder:
    """`name/` and `/name/`: the most frequent rules, answered without loading pathspec (15 ms at each command)."""

    name: str
    is_here: bool
    """Only the folder right beside the rules is meant."""
    includes: bool = False
    for_folders_only: bool = True

    def matches(self, path: str) -> bool:
        return path == self.name or (not self.is_here and path.endswith("/" + self.name))


@frozen
class _Pattern:
    expression: re.Pattern[str]
    includes: bool
    for_folders_only: bool

    def matches(self, path: str) -> bool:
        name = path + "/" if self.for_folders_only else path
        # pathspec matches what lies under a match too, and marks the slash between them. We ask at each level, as git
        # does: `logs/*` with `!logs/keep/` shows what is in there. Of `*/` it keeps the slash alone, wherever it is.
        has_slash = _SLASH in self.expression.groupindex
        return any(not has_slash or found.end(_SLASH) in (-1, len(name)) for found in self.expression.finditer(name))


@frozen
class Rules:
    """Rules of the folders from the vault's root down to one folder; the deepest that says anything decides."""

    base: str
    """Of the folder the rules stand in: relative to the vault, with a slash at its end, empty for the root."""
    own: tuple[_Rule, ...]
    above: Rules | None = None

    def leaves_out(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path (relative to the vault) is left out. A folder left out is never looked into."""
        rules: Rules | None = self
        while rules is not None:
            inner = path[len(rules.base) :]
            for rule in reversed(rules.own):
                if (is_folder or not rule.for_folders_only) and rule.matches(inner):
                    return not rule.includes
            rules = rules.above
        return False

    @property
    def can_leave_files_out(self) -> bool:
        """False where every rule is about folders: then no file needs to be asked about."""
        here = any(not rule.for_folders_only for rule in self.own)
        return here or (self.above is not None and self.above.can_leave_files_out)


def read_rules(lines: Iterable[str], base: str, above: Rules | None) -> Rules:
    """The rules in `lines`; a line that is no pattern is passed over, as git does."""
    return Rules(base, tuple(_rules(lines)), above)


def rules_of_folder(folder: Path, names: Iterable[str], base: str, above: Rules) -> Rules:
    """`above`, or with the rule files `names` of `folder` on top.

    Raises: OSError where one cannot be read: what it leaves out is then not known.
    """
    rules = above
    for name in RULE_FILES:
        if name in names:
            text = (folder / name).read_bytes().decode("utf-8", "surrogateescape")
            rules = read_rules(text.removeprefix("\ufeff").splitlines(), base, rules)
    return rules


def _rules(lines: Iterable[str]) -> Iterator[_Rule]:
    for line in lines:
        plain = _PLAIN_FOLDER.match(line)
        if plain is not None:
            yield _Folder(plain[2], bool(plain[1]))
        elif line.strip() and not line.startswith("#"):
            yield from _patterns(line)


def _patterns(line: str) -> Iterator[_Rule]:
    import warnings

    from pathspec import GitIgnoreSpec

    try:
        with warnings.catch_warnings():
            # `[[]` and `[--]` are right, and doubtful to Python alone.
            warnings.simplefilter("ignore", FutureWarning)
            patterns = list(GitIgnoreSpec.from_lines([line]).patterns)
    except ValueError:
        return
    ends = re.sub(r"(?<!\\) +$", "", line).endswith("/")
    for pattern in patterns:
        expression, include = getattr(pattern, "regex", None), pattern.include
        if expression is not None and include is not None:
            # pathspec says include for what git excludes.
            yield _Pattern(expression, not include, ends)
