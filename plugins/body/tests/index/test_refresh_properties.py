"""However files change, what a refresh leaves is what a build from nothing finds."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from body_trees import TOYS, write
from hypothesis import given, settings
from hypothesis import strategies as st
from toy import answers

from aries_body.index.packs import Packs
from aries_body.index.project import Project

NAMES = ["A", "B", "_c", "d"]
MODULES = ["a", "b", "pkg", "pkg.a", "pkg.b", "deep.pkg.c", "ext", "via"]
PATHS = [
    *("a.toy", "b.toy", "b.toi", "pkg/__init__.toy", "pkg/a.toy", "pkg/b.toy", "src/a.toy", "src/pkg/__init__.toy"),
    *("deep/pkg/c.toy", "c.brick", "vendor/a.toy", "notes.md"),
]
NAME, MODULE = st.sampled_from(NAMES), st.sampled_from(MODULES)
LINE = st.one_of(
    st.builds("import {}".format, MODULE),
    st.builds("import {} as {}".format, MODULE, NAME),
    st.builds("from {} import {}".format, MODULE, NAME),
    st.builds("from {} import {} as {}".format, MODULE, NAME, NAME),
    st.builds("from {} import *".format, MODULE),
    st.builds("def {}".format, NAME),
    st.builds("class {}".format, NAME),
    st.builds("class {}({})".format, NAME, NAME),
    st.builds("class {}({}.{})".format, NAME, NAME, NAME),
    st.builds(".{}".format, NAME),
    st.builds("call {}".format, NAME),
    st.builds("use {}.{}".format, NAME, NAME),
    st.builds("call {}.{}.{}".format, NAME, NAME, NAME),
    st.builds("use pkg.{}".format, NAME),
    st.builds("use pkg.a.{}.{}".format, NAME, NAME),
    st.sampled_from(["@package one", "@package two", "dynamic", "other", "fail"]),
)
TEXT = st.lists(LINE, max_size=7).map("\n".join)
PATH = st.sampled_from(PATHS)
STEP = st.one_of(
    st.tuples(st.just("write"), PATH, TEXT),
    st.tuples(st.just("delete"), PATH, st.just("")),
    st.tuples(st.just("rename"), PATH, PATH),
    st.tuples(st.just("configure"), st.sampled_from(["", "src", "pkg", "deep"]), st.just("")),
    st.tuples(st.just("ignore"), st.sampled_from(["", "pkg/", "*.toi", "a.toy"]), st.just("")),
    st.tuples(st.just("reopen"), st.just(""), st.just("")),
)


def _do(root: Path, step: tuple[str, str, str]) -> list[str]:
    """Do it; gives the paths that were touched."""
    what, path, more = step
    place = root / path
    if what == "write":
        write(root, {path: more})
    elif what == "delete":
        place.unlink(missing_ok=True)
    elif what == "rename" and place.exists():
        (root / more).parent.mkdir(parents=True, exist_ok=True)
        place.replace(root / more)
        return [path, more]
    elif what == "configure":
        write(root, {"toy.cfg": path})
        return ["toy.cfg"]
    elif what == "ignore":
        write(root, {".gitignore": path})
        return [".gitignore"]
    return [path]


def seen(project: Project) -> Any:
    summaries = {path: (row.summary, row.skipped) for path, row in project.rows.items()}
    return summaries, project.skipped, answers(project)


@settings(max_examples=200)
@given(
    st.dictionaries(PATH, TEXT, max_size=8),
    st.lists(st.tuples(STEP, st.booleans()), min_size=1, max_size=6),
    st.booleans(),
)
def test_a_refresh_ends_where_a_build_from_nothing_does(
    files: dict[str, str], steps: list[tuple[tuple[str, str, str], bool]], has_git: bool
) -> None:
    folder = Path(tempfile.mkdtemp()).resolve()
    try:
        root, cache = folder / "root", folder / "cache"
        root.mkdir()
        if has_git:
            import subprocess

            subprocess.run(["git", "init", "-q"], cwd=root, check=True, timeout=60)
        write(root, dict(files))
        project = Project.open(root, cache_folder=cache, packs=Packs(TOYS))
        for step, is_named in steps:
            touched = _do(root, step)
            if step[0] == "reopen":
                project.close()
                project = Project.open(root, cache_folder=cache, packs=Packs(TOYS))
            else:
                project.refresh(touched if is_named else None)
            fresh = Project.open(root, cache_folder=None, packs=Packs(TOYS))
            assert seen(project) == seen(fresh)
            fresh.close()
        project.close()
    finally:
        shutil.rmtree(folder)
