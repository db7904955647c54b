"""A settings file as plain data, with the line of every key."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_kernel.errors import ConfigError
from aries_kernel.structuring import plain_name

__all__ = ["Document", "read_document"]

Path_ = tuple[str, ...]


@frozen
class Document:
    """One layer of settings: nested mappings, and where each key stands."""

    origin: str
    """What to call it in messages: a file, `flags`, `environment`."""
    data: Mapping[str, Any]
    lines: Mapping[Path_, int]
    """1-based line of each key path; empty for layers that are no file."""

    def place(self, path: Path_) -> str:
        """The origin with the line of `path`, or of the nearest key above it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.lines:
                return f"{self.origin}:{self.lines[path[:length]]}"
        return self.origin


def read_document(path: Path) -> Document | None:
    """Read a YAML file; None where there is none.

    Raises: ConfigError naming file and line. The file is never changed.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            # Opening a pipe would wait for ever, and a device may have no end.
            raise ConfigError([f"{path}: is not a file. Move it away, or put a settings file in its place."])
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: is not UTF-8 text (byte {error.start})."]) from error
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read: {error.strerror}."]) from error
    # Imported here: most starts have no file, and the import costs more than all the rest of loading.
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        data = YAML(typ="rt", pure=True).load(text)
    except MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError([f"{path}{line}: is not valid YAML: {error.problem}."]) from error
    except (YAMLError, ValueError, RecursionError) as error:
        raise ConfigError([f"{path}: is not valid YAML: {str(error).splitlines()[0]}."]) from error
    if data is None:
        return Document(str(path), {}, {})
    if not isinstance(data, dict):
        raise ConfigError([f"{path}:1: must hold keys and values, not {plain_name(_plain(data, (), {}))}."])
    lines: dict[Path_, int] = {}
    return Document(str(path), _plain(data, (), lines), lines)


def _plain(node: Any, where: Path_, lines: dict[Path_, int]) -> Any:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(node, CommentedMap):
        for key in node:
            lines[*where, str(key)] = node.lc.key(key)[0] + 1
        return {str(key): _plain(value, (*where, str(key)), lines) for key, value in node.items()}
    if isinstance(node, CommentedSeq):
        for index in range(len(node)):
            lines[*where, f"[{index}]"] = node.lc.item(index)[0] + 1
        return [_plain(item, (*where, f"[{index}]"), lines) for index, item in enumerate(node)]
    for kind in (bool, int, float, str):
        # ruamel's scalars are subclasses that remember how they were written.
        if isinstance(node, kind):
            return kind(node)
    return node
