"""A path as somebody gives it, and the file that is meant."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePath

from aries_kernel.errors import BadArguments, UnknownName, UserError

__all__ = [
    "UnknownPlace",
    "checked_depth",
    "checked_limit",
    "known_path",
    "near_names",
    "near_paths",
    "refuse_left_out",
    "relative",
]

_NEAR = 5
_ALIKE = 0.6
"""Of 1: how much two names have in common."""


class UnknownPlace(UnknownName):
    """A file, folder or symbol that is not there; the message names what is like it."""

    def __init__(self, kind: str, name: str, near: Sequence[str]) -> None:
        super().__init__(kind, name, near, are_all=False)
        self.args = (f"There is no {kind} '{name}'." + (f" Near it: {', '.join(near)}." if near else ""),)


def relative(given: object, root: Path) -> str:
    """A path below `root` with `/`, without looking whether it is there. The root itself is empty.

    Raises: BadArguments for what is no path; UserError for one that leads out of the project.
    """
    if not isinstance(given, str | PurePath) or "\0" in str(given):
        raise BadArguments(f"{given!r} is no path.")
    text = str(given)
    place = Path(text)
    if place.is_absolute():
        for top in (root, root.resolve()):
            if place.is_relative_to(top):
                text = place.relative_to(top).as_posix()
                break
        else:
            raise UserError(f"{text} is outside of the project {root}.")
    parts: list[str] = []
    for part in (text.replace("\\", "/") if "\\" in text and "/" not in text and root.drive else text).split("/"):
        if part == "..":
            if not parts:
                raise UserError(f"{text} leads out of the project {root}.")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def known_path(
    given: object, root: Path, known: Collection[str], skipped: Callable[[], Mapping[str, str]] = dict
) -> str:
    """The file that is meant. `skipped`: what was left out and why, asked for where the file is not known.

    Raises: as `relative`; UnknownPlace where there is none, with paths like it; UserError where it was left out.
    """
    path = relative(given, root)
    if path in known:
        return path
    refuse_left_out(path, skipped())
    if any(one.startswith(f"{path}/") for one in known) or not path:
        raise UserError(f"{path or '.'} is a folder; name a file in it.")
    raise UnknownPlace("file", str(given), near_paths(path, known))


def refuse_left_out(path: str, skipped: Mapping[str, str]) -> None:
    """Raises: UserError for a file, or a file below a folder, that is there and was left out, with the reason."""
    for place, reason in skipped.items():
        if path == place or (place.endswith("/") and f"{path}/".startswith(place)):
            raise UserError(f"{path} was left out of the graph: {reason}.")


def near_paths(path: str, known: Collection[str]) -> list[str]:
    """Paths with the same name, then with a like one."""
    name = path.rpartition("/")[2].lower()
    same = [one for one in known if one.rpartition("/")[2].lower() == name]
    if same:
        return sorted(same, key=lambda one: (-_shared(one, path), one))[:_NEAR]
    stem = name.partition(".")[0]
    like = [one for one in known if stem and stem in one.rpartition("/")[2].lower()]
    return near_names(path, like) or near_names(path, known) or sorted(like)[:_NEAR]


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Names that are like one that is not there, the most alike first."""
    wanted, most = name.lower(), max(3, len(name) // 2)
    shortest, longest = len(name) - most, len(name) + most
    # Comparing is slow: names of quite another length, or with too few of the letters, cannot be alike enough.
    letters = Counter(wanted)
    signs, times = tuple(letters), tuple(letters.values())
    fitting: dict[str, list[str]] = {}
    for one, lowered in _with_letters([one for one in known if shortest <= len(one) <= longest], wanted):
        shared = sum(map(min, map(lowered.count, signs), times))
        if 2 * shared >= _ALIKE * (len(lowered) + len(wanted)):
            fitting.setdefault(lowered, []).append(one)
    close = difflib.get_close_matches(wanted, list(fitting), n=_NEAR, cutoff=_ALIKE)
    return [min(fitting[one]) for one in close]


def _with_letters(names: list[str], wanted: str) -> Iterable[tuple[str, str]]:
    """Names, also in small letters, without those that have too few signs of a word; all of them at once, in C."""
    lowered = "\n".join(names).lower()
    small = lowered.split("\n")
    if not (lowered.isascii() and wanted.isascii()) or "\n" in wanted or len(small) != len(names):
        return [(one, one.lower()) for one in names]
    others = map(len, lowered.encode().translate(None, wanted.encode()).split(b"\n"))
    return [
        (one, low)
        for one, low, other in zip(names, small, others, strict=True)
        if 2 * (len(low) - other) >= _ALIKE * (len(low) + len(wanted))
    ]


def checked_limit(limit: object, name: str = "limit") -> int | None:
    """A limit of at least 1, or None for no limit.

    Raises: BadArguments.
    """
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise BadArguments(f"{name} must be a whole number of at least 1, or None for no limit, not {limit!r}.")
    return limit


def checked_depth(depth: object, name: str = "depth") -> int:
    """A number of at least 1.

    Raises: BadArguments.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise BadArguments(f"{name} must be a whole number of at least 1, not {depth!r}.")
    return depth


def _shared(one: str, other: str) -> int:
    """Folders that two paths share, counted from their ends."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    count = 0
    for left, right in pairs:
        if left.lower() != right.lower():
            break
        count += 1
    return count
