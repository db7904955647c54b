"""What DESIGN "Layout" asks of every member, held against the folders."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from aries_kernel import __version__

TAKEN = {"aries", "aries-core", "aries-lib", "ori", "ori-core", "ori-lib"}
"""Names that strangers own, or may register any day, on the public index."""

PREFIXES = {
    "": ("aries-", "ori-"),
    "plugins": ("aries-", "ori-"),
    "plugins/tools": ("aries-tool-",),
    "plugins/signals": ("ori-signal-",),
    "plugins/stages": ("ori-stage-",),
    "plugins/embedders": ("ori-embedder-",),
    "plugins/evidence": ("ori-evidence-",),
    "providers": ("aries-provider-",),
    "languages": ("aries-language-",),
    "bridges": ("ori-bridge-",),
}
"""Where a folder lies says how its distribution's name starts."""

OTHER_NAMES = {"core": "aries-kernel"}
"""Folders that are not the last part of their distribution's name."""


def requirements(member: Any) -> Iterator[Requirement]:
    project = member.pyproject["project"]
    groups = member.pyproject.get("dependency-groups", {}).values()
    extras = project.get("optional-dependencies", {}).values()
    lists = [project.get("dependencies", []), *extras, *groups, member.pyproject["build-system"]["requires"]]
    return (Requirement(line) for line in itertools.chain(*lists) if isinstance(line, str))


def test_requirements_txt_names_the_member_folders(root: Any, members: list[Any]) -> None:
    lines = (root.folder / "requirements.txt").read_text(encoding="utf-8").split()
    assert lines == [f"./{member.place}" for member in members]


def test_nobody_has_or_needs_a_name_that_belongs_to_a_stranger(
    root: Any, members: list[Any], apart: list[Any], samples: list[Any]
) -> None:
    for member in [root, *members, *apart, *samples]:
        assert canonicalize_name(member.name) not in TAKEN
        assert not {canonicalize_name(one.name) for one in requirements(member)} & TAKEN, member.name


def test_a_dependency_that_sounds_like_ours_is_ours(
    root: Any, members: list[Any], apart: list[Any], samples: list[Any]
) -> None:
    ours = {member.name for member in members}
    needed = {one.name for member in [root, *members, *apart, *samples] for one in requirements(member)}
    assert {name for name in needed if canonicalize_name(name).startswith(("aries", "ori-"))} <= ours


def test_names_follow_the_folders(members: list[Any], apart: list[Any]) -> None:
    for member in [*members, *apart]:
        parent, _, last = member.place.rpartition("/")
        assert parent in PREFIXES, f"{member.place}: add the folder {parent} to PREFIXES"
        if member.place in OTHER_NAMES:
            assert member.name == OTHER_NAMES[member.place]
        else:
            assert member.name in [prefix + last for prefix in PREFIXES[parent]]


def test_every_member_is_complete(members: list[Any], apart: list[Any]) -> None:
    for member in [*members, *apart]:
        package = member.folder / "src" / member.name.replace("-", "_")
        assert [path.name for path in (member.folder / "src").iterdir() if path.suffix != ".egg-info"] == [package.name]
        assert (package / "__init__.py").is_file() and (package / "py.typed").is_file(), member.name
        assert (member.folder / "README.md").read_text(encoding="utf-8").startswith(f"# {member.name}\n")
        assert list((member.folder / "tests").rglob("test_*.py")), f"{member.name} has no tests"
        assert not list((member.folder / "tests").rglob("__init__.py"))


def test_every_member_is_built_and_versioned_alike(members: list[Any], apart: list[Any]) -> None:
    for member in [*members, *apart]:
        project = member.pyproject["project"]
        assert (project["version"], project["requires-python"], project["license"]) == (
            __version__,
            ">=3.11",
            "Apache-2.0",
        )
        assert project["readme"] == "README.md" and project["description"]
        assert member.pyproject["build-system"] == {"requires": ["uv_build>=0.9,<1"], "build-backend": "uv_build"}


def test_every_member_but_the_kernel_says_which_kernels_it_fits(members: list[Any], apart: list[Any]) -> None:
    major, minor = __version__.split(".")[:2]
    expected = f"aries-kernel>={major}.{minor},<{major}.{int(minor) + 1}"
    for member in [*members, *apart]:
        if member.name != "aries-kernel":
            assert expected in member.pyproject["project"]["dependencies"], member.name


def test_the_root_lists_every_member_wherever_it_lists_members(root: Any, members: list[Any], apart: list[Any]) -> None:
    names, places = {member.name for member in members}, {member.place for member in members}
    settings = root.pyproject["tool"]
    assert set(root.pyproject["project"]["dependencies"]) == names
    assert settings["uv"]["sources"] == {name: {"workspace": True} for name in names}
    workspace = settings["uv"]["workspace"]
    globbed = {path for pattern in workspace["members"] for path in root.folder.glob(pattern) if path.is_dir()}
    excluded = {member.place for member in apart}
    assert {path.relative_to(root.folder).as_posix() for path in globbed} == places | excluded
    assert set(workspace["exclude"]) == excluded
    assert set(settings["mypy"]["files"]) == {f"{place}/src" for place in places | excluded}
    for key, last in (("pytest", "tests"), ("ruff", "src")):
        patterns = settings[key]["ini_options"]["testpaths"] if key == "pytest" else settings[key]["src"]
        covered = {path for pattern in patterns for path in root.folder.glob(pattern)}
        assert {member.folder / last for member in members} <= covered


def test_entry_points_have_the_form_that_loads(members: list[Any], apart: list[Any], samples: list[Any]) -> None:
    for member in [*members, *apart, *samples]:
        for names in member.pyproject["project"].get("entry-points", {}).values():
            for value in names.values():
                assert re.fullmatch(r"[a-z_][a-z0-9_.]*(:[A-Za-z_][A-Za-z0-9_.]*)?", value), value
