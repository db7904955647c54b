"""What the projects of a tree offer to others by their settings: commands and entry points."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from aries_kernel.contracts import Project

__all__ = ["entry_points"]

_PLACE = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(?::\s*([A-Za-z_]\w*))?")
_WRITTEN = re.compile(r"[\"'][\w.\- ]+=\s*([A-Za-z_][\w.]*)\s*:\s*([A-Za-z_]\w*)[\w.]*\s*(?:\[[^\]\n]*\]\s*)?[\"']")


def entry_points(project: Project) -> Iterator[tuple[str, str, str]]:
    """Folder of the settings, module and name; the name is empty where the module itself is meant."""
    for path in project.find("pyproject.toml"):
        for value in _of_pyproject(project.text(path) or ""):
            yield from _place(path, value)
    for path in project.find("setup.cfg"):
        for value in _of_setup(project.text(path) or ""):
            yield from _place(path, value)
    for path in project.find("setup.py"):
        for found in _WRITTEN.finditer(project.text(path) or ""):
            yield path.rpartition("/")[0], found[1], found[2]


def _place(path: str, value: str) -> Iterator[tuple[str, str, str]]:
    found = _PLACE.match(value)
    if found is not None:
        yield path.rpartition("/")[0], found[1], found[2] or ""


def _of_pyproject(text: str) -> Iterator[str]:
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    project, poetry = _table(said, "project"), _table(_table(said, "tool"), "poetry")
    tables = [_table(project, "scripts"), _table(project, "gui-scripts"), _table(poetry, "scripts")]
    for groups in (_table(project, "entry-points"), _table(poetry, "plugins")):
        tables += [group for group in groups.values() if isinstance(group, dict)]
    for table in tables:
        yield from (value for value in table.values() if isinstance(value, str))


def _of_setup(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if parser.has_section("options.entry_points"):
        for value in parser["options.entry_points"].values():
            yield from (line.partition("=")[2] for line in value.splitlines() if "=" in line)


def _table(said: dict[str, Any], key: str) -> dict[str, Any]:
    value = said.get(key)
    return value if isinstance(value, dict) else {}
