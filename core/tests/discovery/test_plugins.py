from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aries_kernel.discovery.plugins import load_hooks
from aries_kernel.discovery.report import Report
from aries_kernel.events import Events
from aries_kernel.model.session import SessionInfo

SESSION = SessionInfo("s1", Path("/somewhere"), "replay/x")
HEAD = "from aries_kernel.hookspecs import hookimpl\n"
GOOD = HEAD + "@hookimpl\ndef aries_before_turn(text):\n    return text.upper()\n"


def texts(site: Any, report: Report) -> tuple[str, ...]:
    return Events(load_hooks(site.index(), report), report).before_turn(session=SESSION, text="hi")


def add(site: Any, name: str, value: str, source: str) -> None:
    site.add(name, {"aries.plugins": {name: value}}, modules={f"{name}_hooks": source})


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ("one_hooks", GOOD),
        ("one_hooks:P", HEAD + "class P:\n  @hookimpl\n  def aries_before_turn(self, text): return text.upper()\n"),
        (
            "one_hooks:p",
            HEAD + "class P:\n  @hookimpl\n  def aries_before_turn(self, text): return text.upper()\np = P()",
        ),
        ("one_hooks", HEAD + "@hookimpl(specname='aries_before_turn')\ndef mine(*, text): return text.upper()\n"),
        ("one_hooks", HEAD + "@hookimpl\ndef aries_before_turn(**all): return all['text'].upper()\n"),
        ("one_hooks", HEAD + "@hookimpl\ndef aries_before_turn(text, more=1): return text.upper() * more\n"),
        ("one_hooks", GOOD + "@hookimpl(optionalhook=True)\ndef aries_of_the_future(x): pass\n"),
    ],
)
def test_a_module_a_class_and_an_instance_are_registered(site: Any, value: str, source: str) -> None:
    add(site, "one", value, source)
    report = Report()
    assert texts(site, report) == ("HI",)
    assert report.problems == ()


@pytest.mark.parametrize(
    ("value", "source", "said"),
    [
        ("bad_hooks", "import nothing_of_this_name", "importing 'bad_hooks' failed: ModuleNotFoundError"),
        ("bad_hooks", "def x(:", "SyntaxError"),
        ("bad_hooks:P", "class P:\n  def __init__(self, x): pass\n", "making it failed: TypeError"),
        ("bad_hooks:P", "class P:\n  def __init__(self): raise SystemExit(1)\n", "making it failed: SystemExit"),
        ("bad_hooks:f", "def f(): pass", "is a function"),
        ("bad_hooks:N", "N = None", "is None"),
        ("bad_hooks", "", "it has no hooks"),
        ("bad_hooks", "def aries_before_tool(call): pass", "aries_before_tool is not marked"),
        (
            "bad_hooks",
            HEAD + "@hookimpl\ndef aries_before_turn(session, prompt): pass\n",
            "no argument 'prompt'; it is aries_before_turn(session: SessionInfo, text: str) -> str | None",
        ),
        ("bad_hooks", HEAD + "@hookimpl\ndef aries_before_turn(*, prompt): pass\n", "no argument 'prompt'"),
        ("bad_hooks", HEAD + "@hookimpl\ndef aries_before_turn(text, /): pass\n", "positional-only"),
        (
            "bad_hooks",
            HEAD + "@hookimpl\ndef aries_befor_tool(call): pass\n",
            "there is no hook 'aries_befor_tool'. Did you mean aries_before_tool(session: SessionInfo, call: ToolCall,",
        ),
        ("bad_hooks", HEAD + "@hookimpl(wrapper=True)\ndef aries_after_turn(): yield\n", "is a wrapper"),
    ],
)
def test_a_wrong_plugin_is_out_and_the_rest_goes_on(site: Any, value: str, source: str, said: str) -> None:
    add(site, "bad", value, source)
    add(site, "good", "good_hooks", GOOD)
    report = Report()
    assert texts(site, report) == ("HI",)
    (problem,) = report.problems
    assert problem.distribution == "bad"
    assert said in problem.message


def test_one_object_behind_two_entry_points_is_registered_once(site: Any) -> None:
    site.add("one", {"aries.plugins": {"a": "one_hooks", "b": "one_hooks"}}, modules={"one_hooks": GOOD})
    report = Report()
    assert texts(site, report) == ("HI",)
    assert [problem.entry_point for problem in report.problems] == ["b"]


def test_plugins_without_a_hash_work(site: Any) -> None:
    source = HEAD + "class P:\n  __hash__ = None\n  @hookimpl\n  def aries_before_turn(self): return 'x'\n"
    add(site, "one", "one_hooks:P", source)
    add(site, "two", "two_hooks:P", source)
    report = Report()
    assert (texts(site, report), report.problems) == (("x", "x"), ())
