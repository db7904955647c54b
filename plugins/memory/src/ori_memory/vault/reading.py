"""Reading `ori.config.yaml`, and writing it with every default and what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ori_memory.vault.config import Config
from ori_memory.vault.parsed import keep_parsed, parsed_before

__all__ = ["default_text", "read_config"]

_WRITTEN = ("version",)
"""It says which ori wrote the file."""


def read_config(file: Path) -> tuple[Config, tuple[str, ...]]:
    """The settings of a vault and warnings about unknown keys; the defaults where there is no file.

    Raises: ConfigError with every wrong value at once; the file is left as it is.
    """
    text = _text_of(file)
    if text in (None, default_text()):
        return Config(), ()
    known = parsed_before(file, text)
    if known is None:
        known = _parsed(file)
        if _text_of(file) == text:
            keep_parsed(file, text, *known)
    return known


def _parsed(file: Path) -> tuple[Config, tuple[str, ...]]:
    from aries_kernel.errors import ConfigError
    from aries_kernel.settings.document import read_document
    from aries_kernel.settings.layers import structure_document, told

    document = read_document(file)
    if document is None:
        return Config(), ()
    config, warnings = structure_document(document, Config)
    problems = [told(document.place(path), path, text) for path, text in _disordered(config)]
    if problems:
        raise ConfigError(problems)
    known = Config().vault.version
    if config.vault.version != known:
        told_version = f"is '{config.vault.version}'; this ori knows '{known}' and reads what it knows"
        warnings = (*warnings, told(document.place(("vault", "version")), ("vault", "version"), told_version))
    return config, warnings


def _disordered(config: Config) -> Iterator[tuple[tuple[str, ...], str]]:
    floors = config.vitality.zone_thresholds
    if not floors.fading_floor <= floors.stale_floor <= floors.active_floor:
        yield ("vitality", "zone_thresholds"), "must rise from fading_floor over stale_floor to active_floor"


def _text_of(file: Path) -> str | None:
    """None where there is no file; empty where it cannot be read: reading it as a document says what is wrong."""
    try:
        return file.read_bytes().decode("utf-8") if file.is_file() else "" if file.exists() else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError):
        return ""


def default_text(skip: Sequence[str] = ()) -> str:
    """The file as `ori init` writes it: defaults as comments, so that a later ori's better ones hold here too.

    `skip` is what this vault leaves out beside what all do.
    """
    config = Config()
    lines = [
        "# Settings of this vault. Every key is here with its default: to change one, take the '# ' before it away.",
        "",
    ]
    own = attrs.evolve(config, index=attrs.evolve(config.index, skip=(*config.index.skip, *skip)))
    lines += _lines(own, config, 0)
    return "\n".join(lines) + "\n"


def _lines(values: Any, defaults: Any, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for attribute in attrs.fields(type(values)):
        value, default = getattr(values, attribute.name), getattr(defaults, attribute.name)
        text = attribute.metadata.get("description") or (type(value).__doc__ or "" if attrs.has(type(value)) else "")
        comment = f"  # {text.strip().rstrip('.')}" if text else ""
        if attrs.has(type(value)):
            yield f"{indent}{attribute.name}:{comment}"
            yield from _lines(value, default, depth + 1)
        else:
            mark = "" if attribute.name in _WRITTEN or value != default else "# "
            yield f"{indent}{mark}{attribute.name}: {_scalar(value)}{comment}"


def _scalar(value: Any) -> str:
    """JSON is YAML: lists and mappings of the defaults fit on a line."""
    if isinstance(value, tuple):
        return "[" + ", ".join(_scalar(one) for one in value) + "]"
    if attrs.has(type(value)):
        return _scalar(attrs.asdict(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)}: {_scalar(one)}" for key, one in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
