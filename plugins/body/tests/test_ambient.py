"""What a session is told of its project from the start."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from body_trees import write

from aries_body.ambient import Ambient
from aries_body.index.place import cache_folder
from aries_body.index.store import place_of
from aries_body.operations.codebase import Codebase
from aries_body.operations.signature import BUDGETS
from aries_body.services.graph import GraphProvider
from aries_kernel.errors import BadArguments
from aries_kernel.model.session import PromptSection, SessionInfo
from aries_kernel.router.fitness import fixed_tokens
from aries_kernel.testing.fakes import ScriptedProvider, end, make_host, text

FILES: dict[str, str | bytes] = {
    "pkg/__init__.py": "",
    "pkg/core.py": "class Core:\n    def run(self):\n        return 1\n",
    "pkg/app.py": "from pkg.core import Core\n\n\ndef main():\n    return Core().run()\n",
    "pkg/other.py": "from pkg.core import Core\n\n\ndef more() -> Core:\n    return Core()\n",
}


@pytest.fixture
def project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))
    write(root, FILES)
    return root


def index(folder: Path) -> None:
    Codebase.open(folder, cache_folder=cache_folder()).close()


def session(folder: Path, **more: Any) -> SessionInfo:
    return SessionInfo("s", folder, "replay/x", **more)


def told(folder: Path, **more: Any) -> str:
    section = Ambient().aries_prompt_sections(session(folder, **more))
    assert section is None or isinstance(section, PromptSection)
    return section.text if section is not None else ""


def test_the_first_session_of_a_project_has_no_summary_and_makes_no_index(project: Path) -> None:
    assert told(project) == ""
    assert not place_of(cache_folder(), project).exists()


def test_a_project_that_was_indexed_is_summed_up(project: Path) -> None:
    index(project)
    assert "# Codebase: 4 files" in told(project) and "pkg/core.py" in told(project)


def test_a_use_of_the_graph_in_the_repl_is_enough(project: Path) -> None:
    async def use() -> None:
        provider = GraphProvider(project)
        await provider.call("top_files", {})
        await provider.close()

    asyncio.run(use())
    assert "pkg/core.py" in told(project)


def test_it_can_be_switched_off_and_made_longer(project: Path) -> None:
    index(project)
    assert told(project, overview="off") == ""
    assert len(told(project, overview="deep")) > len(told(project, overview="lean")) > 0


def test_a_folder_within_the_repository_knows_the_whole(project: Path) -> None:
    (project / ".git").mkdir()
    index(project)
    assert "# Codebase" in told(project / "pkg")


@pytest.mark.parametrize("level", BUDGETS)
def test_no_level_goes_beyond_its_tokens_as_the_kernel_counts_them(project: Path, level: str) -> None:
    many: dict[str, str | bytes] = {
        f"a_rather_long_folder_name_{number % 9}/and_a_module_name_{number}.py": "from pkg.core import Core\n\n\n"
        f"class Kind{number}(Core):\n    def method_{number}(self):\n        return Core()\n"
        for number in range(60)
    }
    write(project, many)
    index(project)
    assert 0 < fixed_tokens(told(project, overview=level), ()) <= BUDGETS[level] + 40  # type: ignore[index]
    codebase = Codebase.open(project, cache_folder=cache_folder())
    found = codebase.signature(level)  # type: ignore[arg-type]
    assert fixed_tokens(found.markdown, ()) == found.approx_tokens <= BUDGETS[level]  # type: ignore[index]
    for most in (1, 20, 90):
        assert fixed_tokens(codebase.signature(level, most).markdown, ()) <= most  # type: ignore[arg-type]
    codebase.close()


def test_a_level_that_there_is_not_is_told(project: Path) -> None:
    codebase = Codebase.open(project, cache_folder=None)
    with pytest.raises(BadArguments, match="lean, standard, deep, max"):
        codebase.signature("huge")  # type: ignore[arg-type]


def test_what_is_kept_is_what_would_be_made(project: Path) -> None:
    index(project)
    codebase = Codebase.open(project, cache_folder=cache_folder())
    for level, most in BUDGETS.items():
        assert codebase.signature(level) == codebase.signature(level, most)
    codebase.close()


def test_a_change_of_the_project_is_told_by_the_next_session(project: Path) -> None:
    index(project)
    before = told(project)
    write(project, {"pkg/new.py": "from pkg.app import main\n\n\ndef again():\n    return main()\n"})
    assert told(project) == before
    index(project)
    assert "# Codebase: 5 files" in told(project)
    codebase = Codebase.open(project, cache_folder=cache_folder())
    write(project, {"pkg/more.py": "from pkg.new import again\n"})
    codebase.touched(["pkg/more.py"])
    assert codebase.signature("lean").markdown.startswith("# Codebase: 6 files")
    codebase.close()


def test_a_damaged_cache_gives_no_summary_and_breaks_nothing(project: Path) -> None:
    index(project)
    place_of(cache_folder(), project).write_bytes(b"nonsense" * 200)
    assert told(project) == ""


def test_where_nothing_is_indexed_there_is_nothing(project: Path, tmp_path: Path) -> None:
    assert told(tmp_path / "caches") == ""
    assert told(Path(project.anchor)) == ""
    assert told(tmp_path / "nowhere") == ""


def test_the_setting_says_how_much_and_the_prefix_stays_for_the_whole_session(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def systems(level: str) -> list[str]:
        provider = ScriptedProvider([[text("one"), end()], [text("two"), end()]])
        hooks = _Hooks()
        host = make_host(tmp_path / level, provider, settings={"overview": level}, hooks=hooks)  # type: ignore[arg-type]

        async def play() -> None:
            agent = host.open()
            await agent.run("first")
            write(host.cwd, {"new.py": "x = 1\n"})
            index(host.cwd.resolve())
            await agent.run("second")
            await host.close()

        write(host.cwd, FILES)
        index(host.cwd.resolve())
        asyncio.run(play())
        return [request.system for request in provider.requests]

    lean, off = systems("lean"), systems("off")
    assert "# Codebase: 4 files" in lean[0] and lean[0] == lean[1]
    assert "# Codebase" not in off[0] and off[0] == off[1]


class _Hooks:
    """The hooks of a session with the summary alone among its plugins."""

    def __init__(self) -> None:
        from aries_kernel.events import Events

        self._silent = Events.silent()

    def prompt_sections(self, *, session: SessionInfo) -> tuple[PromptSection, ...]:
        found = Ambient().aries_prompt_sections(session)
        return (found,) if found is not None else ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return getattr(self._silent, name)  # type: ignore[no-any-return]


def test_reading_the_summary_loads_nothing_heavy(project: Path) -> None:
    index(project)
    code = (
        "import sys; from pathlib import Path; from aries_body.ambient import Ambient;"
        "from aries_kernel.model.session import SessionInfo;"
        f"found = Ambient().aries_prompt_sections(SessionInfo('s', Path({str(project)!r}), 'm'));"
        "assert found is not None;"
        "print(sorted({'numpy', 'rustworkx', 'tree_sitter', 'graspologic_native', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=dict(os.environ), capture_output=True, encoding="utf-8", timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
