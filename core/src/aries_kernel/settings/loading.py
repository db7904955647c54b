"""Putting the layers together: defaults, the person's file, the project's file, environment, flags."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen
from cattrs import ClassValidationError, IterableValidationError

from aries_kernel.broker.rules import parse_rules
from aries_kernel.errors import ConfigError, UnknownName
from aries_kernel.settings.document import Document, read_document
from aries_kernel.settings.layers import (
    attributes_of,
    inner_type,
    merge,
    problems_in,
    told,
    unknown_key,
    without_unknown,
)
from aries_kernel.settings.schema import Settings
from aries_kernel.structuring import problems_of, strict_converter

__all__ = ["Loaded", "Value", "environment_layer", "load_settings", "structure_options"]

Path_ = tuple[str, ...]

_ENVIRONMENT: Mapping[str, Path_] = {
    "ARIES_MODEL": ("models", "primary", "model"),
    "ARIES_PHASE": ("phase",),
    "ARIES_PERMISSIONS": ("permissions", "mode"),
}


@frozen
class Value:
    """One setting: its value and the layer it came from."""

    key: str
    value: object
    origin: str


@frozen
class Loaded:
    """Settings and how they came about."""

    settings: Settings
    values: tuple[Value, ...]
    warnings: tuple[str, ...]
    layers: tuple[Document, ...] = ()

    def place(self, path: Path_) -> str:
        """Where the value of `path` was set last, for messages."""
        for layer in reversed(self.layers):
            if _has(layer.data, path):
                return layer.place(path)
        return "default"


def environment_layer(environ: Mapping[str, str]) -> Document:
    """The settings that variables carry."""
    data: dict[str, Any] = {}
    for name, path in _ENVIRONMENT.items():
        if environ.get(name):
            _put(data, path, environ[name])
    return Document("environment", data, {})


def load_settings(
    user_file: Path,
    project_file: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, Any],
    built_in: Mapping[str, Any] | None = None,
) -> Loaded:
    """Merge all layers: mappings key by key, lists of rules added up, everything else as a whole.

    `built_in` are the defaults of the program, over those of the kernel.

    A project's file is not the person's own: keys that could loosen permissions or send keys elsewhere are ignored
    there, with a warning. Unknown keys are warnings with the nearest known one.
    Raises: ConfigError with every wrong value at once.
    """
    warnings: list[str] = []
    problems: list[str] = []
    layers: list[Document] = [Document("default", built_in or {}, {})]
    for file, is_project in ((user_file, False), (project_file, True)):
        try:
            document = read_document(file) if file is not None else None
        except ConfigError as error:
            problems += error.problems
            continue
        if document is not None:
            document = without_unknown(document, Settings, warnings)
            layers.append(_without_user_only(document, warnings) if is_project else document)
    layers += [environment_layer(environ), Document("flags", flags, {})]
    for layer in layers:
        problems += problems_in(layer, Settings) or _wrong_rules(layer)
    if problems:
        raise ConfigError(problems)
    merged = functools.reduce(_merge_settings, (layer.data for layer in layers), _defaults())
    settings = strict_converter().structure(merged, Settings)
    loaded = Loaded(settings, (), tuple(warnings), tuple(layers))
    if settings.phase not in settings.phases:
        raise ConfigError([f"{loaded.place(('phase',))}: {UnknownName('phase', settings.phase, settings.phases)}"])
    unknown_modes = list(_unknown_modes(loaded))
    if unknown_modes:
        raise ConfigError(unknown_modes)
    return attrs.evolve(loaded, values=tuple(_values(loaded, merged)))


def _wrong_rules(layer: Document) -> list[str]:
    """Rules that cannot be read, each with its line."""
    problems: list[str] = []
    for kind in ("allow", "ask", "deny"):
        for index, rule in enumerate(layer.data.get("permissions", {}).get(kind, ())):
            path = ("permissions", kind, f"[{index}]")
            parse_rules([rule], f"{layer.place(path)}: {'.'.join(path)}", problems)
    return problems


def _unknown_modes(loaded: Loaded) -> Iterator[str]:
    """Modes that are chosen and nowhere described."""
    tools = loaded.settings.tools
    chosen: dict[Path_, str] = {("tools", "mode"): tools.mode} if tools.mode != "auto" else {}
    chosen |= {("tools", "families", family): mode for family, mode in tools.families.items()}
    for path, mode in chosen.items():
        if mode not in tools.modes:
            yield f"{loaded.place(path)}: {'.'.join(path)}: {UnknownName('mode', mode, tools.modes)}"


def structure_options(options_type: type[Any], name: str, loaded: Loaded) -> tuple[Any, tuple[str, ...]]:
    """The options of provider `name` as its own attrs class, and warnings about keys it does not know.

    Raises: ConfigError with every wrong value at once.
    """
    data = dict(loaded.settings.providers.get(name, {}))
    where = ("providers", name)
    known = attributes_of(options_type)
    warnings = [
        unknown_key(loaded.place((*where, key)), (*where, key), known) for key in data if known and key not in known
    ]
    kept = {key: value for key, value in data.items() if key in known}
    try:
        return strict_converter().structure(kept, options_type), tuple(warnings)
    except (ClassValidationError, IterableValidationError) as error:
        problems = [
            told(loaded.place((*where, *path)), (*where, *path), text or "is unknown")
            for path, text in problems_of(error)
        ]
        raise ConfigError(problems) from error


def _merge_settings(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    return merge(below, above, Settings)


def _defaults() -> dict[str, Any]:
    plain: dict[str, Any] = strict_converter().unstructure(Settings())
    return plain


def _without_user_only(document: Document, warnings: list[str]) -> Document:
    def walk(data: Mapping[str, Any], kind: Any, where: Path_) -> dict[str, Any]:
        kept = {}
        for key, value in data.items():
            about = attributes_of(kind).get(key)
            if about is not None and about.metadata.get("user_only"):
                place, dotted = document.place((*where, key)), ".".join((*where, key))
                warnings.append(
                    f"{place}: {dotted} is ignored in a project's file; set it in your own file or by a flag."
                )
            else:
                kept[key] = walk(value, inner_type(kind, key), (*where, key)) if isinstance(value, Mapping) else value
        return kept

    return attrs.evolve(document, data=walk(document.data, Settings, ()))


def _values(loaded: Loaded, merged: Mapping[str, Any], where: Path_ = ()) -> Iterator[Value]:
    for key, value in merged.items():
        path = (*where, key)
        if isinstance(value, Mapping) and value:
            yield from _values(loaded, value, path)
        else:
            yield Value(".".join(path), value, loaded.place(path))


def _has(data: Any, path: Path_) -> bool:
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return True


def _put(data: dict[str, Any], path: Path_, value: object) -> None:
    for key in path[:-1]:
        data = data.setdefault(key, {})
    data[path[-1]] = value
