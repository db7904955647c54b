"""The settings of a vault as they were read from their file, kept: the reader of YAML would double a quick command."""

from __future__ import annotations

import contextlib
import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from ori_memory.vault import config as kinds
from ori_memory.vault.config import Config

__all__ = ["keep_parsed", "parsed_before"]

_FORMAT = 1
_KIND, _ROWS = "=", "rows"


class _Unkept(Exception):
    """A value that would not come back as it is."""


def parsed_before(file: Path, text: str) -> tuple[Config, tuple[str, ...]] | None:
    """Settings and warnings of a file that holds exactly `text`; None where they are not known."""
    try:
        kept = json.loads(_place(file).read_bytes())
        if [kept["of"], kept["text"]] == [_of(file), text]:
            config = _taken(kept["config"])
            if isinstance(config, Config):
                return config, tuple(map(str, kept["warnings"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass  # Missing or damaged: the file itself is read, and this one written anew.
    return None


def keep_parsed(file: Path, text: str, config: Config, warnings: tuple[str, ...]) -> None:
    """For the next command. Where nothing can be written, or a value is no plain one, the file is read each time."""
    from aries_kernel.atomic import replace_bytes

    place = _place(file)
    if not place.parent.is_dir():
        return
    with contextlib.suppress(OSError, _Unkept):
        kept = {"of": _of(file), "text": text, "config": _plain(config), "warnings": warnings}
        replace_bytes(place, json.dumps(kept).encode("ascii"))


def _place(file: Path) -> Path:
    return file.parent / ".ori" / "settings.stamp"


def _of(file: Path) -> list[object]:
    """What the answer depends on beside the text: warnings name the file, and each release has its own keys."""
    return [_FORMAT, str(file), zlib.crc32(repr(list(_schema(Config))).encode())]


def _schema(kind: type[Any]) -> Any:
    for field in attrs.fields(kind):
        default = field.default.factory() if isinstance(field.default, attrs.Factory) else field.default  # type: ignore[arg-type]
        yield field.name, kind.__annotations__[field.name], sorted(map(repr, field.metadata.items())), repr(default)
        if attrs.has(type(default)):
            yield from _schema(type(default))


def _plain(value: Any) -> Any:
    if attrs.has(type(value)):
        fields = {one.name: _plain(getattr(value, one.name)) for one in attrs.fields(type(value))}
        return {_KIND: type(value).__name__, **fields}
    if isinstance(value, tuple):
        return {_KIND: _ROWS, _ROWS: [*map(_plain, value)]}
    if isinstance(value, Mapping):
        if _KIND in value or not all(isinstance(key, str) for key in value):
            raise _Unkept
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [*map(_plain, value)]
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise _Unkept


def _taken(value: Any) -> Any:
    if isinstance(value, list):
        return [*map(_taken, value)]
    if not isinstance(value, dict):
        return value
    kind = value.pop(_KIND, None)
    if kind is None:
        return {key: _taken(one) for key, one in value.items()}
    if kind == _ROWS:
        return tuple(map(_taken, value[_ROWS]))
    if kind not in kinds.__all__:
        raise ValueError(kind)
    return getattr(kinds, kind)(**{key: _taken(one) for key, one in value.items()})
