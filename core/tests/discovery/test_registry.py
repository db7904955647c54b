from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import PluginError

HOOK = "from aries_kernel.hookspecs import hookimpl\n@hookimpl\ndef aries_before_tool(): print('x')\n"


def discover(site: Any, **more: Any) -> Plugins:
    return Plugins.discover([site.folder], environ={}, **more)


def test_check_loads_everything_and_names_each_problem_once(site: Any) -> None:
    modules = {"good_one": "x = 1", "bad_one": "1 / 0", "bad_hook": "from aries_kernel.nothing import x"}
    site.add("good", {"aries.tools": {"good": "good_one:x"}}, modules=modules)
    site.add("bad", {"ori.stages": {"bad": "bad_one:x"}, "aries.plugins": {"h": "bad_hook"}})
    site.add("old", {"aries.tools": {"old": "good_one:x"}}, requires=["aries-kernel<0.0.1"])
    site.add("off", {"aries.tools": {"off": "bad_one:x"}})
    plugins = discover(site, disabled=["off"])
    expected = [("old", "old"), ("bad", "h"), ("bad", "bad")]
    assert [(problem.distribution, problem.entry_point) for problem in plugins.check()] == expected
    assert len(plugins.check()) == 3
    assert {entry.name for entry in plugins.entries()} == {"good", "bad", "h", "old", "off"}


def test_a_problem_is_one_line_that_names_the_plugin(site: Any) -> None:
    site.add("bad", {"ori.stages": {"s": "bad_line:x"}}, modules={"bad_line": "\nraise ValueError('two\\nlines')"})
    (problem,) = discover(site).check()
    assert str(problem) == (
        "Plugin bad 1.0 (ori.stages/s): importing 'bad_line:x' failed: ValueError: two lines (bad_line.py:2)"
    )


def test_a_message_with_bytes_that_are_no_text_can_be_printed(site: Any) -> None:
    source = "raise OSError('\\udcff is no text')"
    site.add("bad", {"ori.stages": {"s": "bad_text:x"}}, modules={"bad_text": source})
    plugins = discover(site)
    (problem,) = plugins.check()
    assert r"\udcff is no text" in str(problem)
    with pytest.raises(PluginError) as caught:
        plugins.drivers.load("ori.stages", "s")
    str(caught.value).encode("utf-8")


def test_duplicates_and_unreadable_distributions_are_problems_from_the_start(site: Any) -> None:
    site.add("one", {"aries.tools": {"T": "m:T"}})
    site.add("two", {"aries.tools": {"T": "m:T"}})
    (site.add("three", {}) / "entry_points.txt").write_text("[aries.tools]\nno", encoding="utf-8")
    found = discover(site).report.take_untold()
    assert [problem.distribution for problem in found] == ["three", "one", "two"]


def test_events_are_loaded_once_and_only_where_there_are_hooks(site: Any) -> None:
    site.add("hooks", {"aries.plugins": {"h": "some_hooks"}}, modules={"some_hooks": HOOK})
    plugins = discover(site)
    assert plugins.events() is plugins.events()


def test_without_hook_plugins_pluggy_is_not_imported(site: Any) -> None:
    code = (
        "import sys; from aries_kernel.discovery.registry import Plugins; p = Plugins.discover([], environ={});"
        "p.events(); print([m for m in ('pluggy', 'stevedore', 'importlib.metadata', 'asyncio') if m in sys.modules])"
    )
    command = [sys.executable, "-I", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_the_environment_and_the_path_of_the_process_are_the_defaults(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.add("one", {"aries.tools": {"Unheard": "m:T"}})
    monkeypatch.setenv("ARIES_DISABLE_PLUGINS", "Unheard,nobody")
    plugins = Plugins.discover()
    (entry,) = [entry for entry in plugins.entries() if entry.name == "Unheard"]
    assert entry.state == "off"
    assert plugins.unknown_switches == ("'nobody' in the environment (ARIES_DISABLE_PLUGINS)",)
