from __future__ import annotations

import sys
from typing import Any

import pytest

from aries_kernel.discovery.drivers import Drivers
from aries_kernel.discovery.index import Switches
from aries_kernel.discovery.report import Report
from aries_kernel.errors import PluginError, UnknownName


def tool(value: str, name: str = "Weather") -> dict[str, dict[str, str]]:
    return {"aries.tools": {name: value}}


def test_a_driver_is_loaded_by_name_and_once(site: Any) -> None:
    site.add("weather", tool("weather_good:Weather.inner"), modules={"weather_good": "class Weather:\n  inner = []\n"})
    drivers = Drivers(site.index(), Report())
    assert drivers.names("aries.tools") == ("Weather",)
    assert drivers.entry("aries.tools", "Weather").distribution == "weather"
    loaded = drivers.load("aries.tools", "Weather")
    assert loaded == []
    assert drivers.load("aries.tools", "Weather") is loaded


@pytest.mark.parametrize("value", ["weather_whole", "weather_whole [extra]", "weather_whole:Weather [extra]"])
def test_an_entry_point_may_name_a_module_or_extras(site: Any, value: str) -> None:
    site.add("weather", tool(value), modules={"weather_whole": "Weather = 'sunny'\n"})
    loaded = Drivers(site.index(), Report()).load("aries.tools", "Weather")
    assert getattr(loaded, "Weather", loaded) == "sunny"


def test_listing_and_looking_up_imports_nothing(site: Any) -> None:
    site.add("weather", tool("weather_lazy:x"), modules={"weather_lazy": "raise SystemExit"})
    drivers = Drivers(site.index(), Report())
    drivers.entry("aries.tools", "Weather")
    assert "weather_lazy" not in sys.modules


def test_unknown_driver_lists_the_known_ones(site: Any) -> None:
    site.add("weather", tool("m:x"))
    with pytest.raises(UnknownName, match=r"There is no tool 'Wether'. Did you mean 'Weather'\? Known: Weather"):
        Drivers(site.index(), Report()).load("aries.tools", "Wether")


@pytest.mark.parametrize(
    "source",
    [
        "import no_such_module_of_anyone",
        "def broken(:\n",
        "raise SystemExit(3)",
        "raise AssertionError('no')",
        "import asyncio\nraise asyncio.CancelledError",
        "raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})",
        "x = 1",
        "raise Warning('w')",
    ],
)
def test_a_failing_import_names_distribution_and_entry_point_and_is_not_tried_again(site: Any, source: str) -> None:
    site.add("weather", tool("weather_bad:Weather"), modules={"weather_bad": source})
    site.add("clock", tool("clock_good:Clock", "Clock"), modules={"clock_good": "class Clock: pass"})
    report = Report()
    drivers = Drivers(site.index(), report)
    with pytest.raises(
        PluginError, match=r"Tool 'Weather' of weather 1.0: importing 'weather_bad:Weather' failed"
    ) as first:
        drivers.load("aries.tools", "Weather")
    assert (first.value.distribution, first.value.entry_point) == ("weather", "Weather")
    (site.folder / "weather_bad.py").write_text("Weather = 1", encoding="utf-8")
    with pytest.raises(PluginError) as second:
        drivers.load("aries.tools", "Weather")
    assert str(second.value) == str(first.value)
    assert drivers.names("aries.tools") == ("Clock",)
    assert drivers.load("aries.tools", "Clock")
    assert [problem.distribution for problem in report.take_untold()] == ["weather"]
    assert report.take_untold() == ()


@pytest.mark.parametrize("value", ["not a module", "a:b:c", ":x", "weather_value:", "..:x", "weather_value:missing"])
def test_a_value_that_leads_nowhere_is_a_plugin_error(site: Any, value: str) -> None:
    site.add("weather", tool(value), modules={"weather_value": ""})
    with pytest.raises(PluginError, match="Weather"):
        Drivers(site.index(), Report()).load("aries.tools", "Weather")


def test_a_key_press_during_an_import_is_not_swallowed(site: Any) -> None:
    site.add("weather", tool("weather_stop:x"), modules={"weather_stop": "raise KeyboardInterrupt"})
    with pytest.raises(KeyboardInterrupt):
        Drivers(site.index(), Report()).load("aries.tools", "Weather")


def test_what_an_import_prints_stays_out_of_standard_output(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.add("weather", tool("weather_loud:x"), modules={"weather_loud": "print('hello'); x = 1"})
    assert Drivers(site.index(), Report()).load("aries.tools", "Weather") == 1
    assert capsys.readouterr() == ("", "hello\n")


def test_a_driver_that_is_off_says_so(site: Any) -> None:
    site.add("weather", tool("m:x"))
    drivers = Drivers(site.index(switches=Switches(flag=("weather",))), Report())
    assert drivers.names("aries.tools") == ()
    with pytest.raises(PluginError, match=r"\(off\): switched off as 'weather' by the command line"):
        drivers.load("aries.tools", "Weather")


def test_a_duplicate_names_both_distributions(site: Any) -> None:
    site.add("weather", tool("m:x"))
    site.add("climate", tool("n:x"))
    with pytest.raises(PluginError, match=r"\(duplicate\).*climate.*weather"):
        Drivers(site.index(), Report()).load("aries.tools", "Weather")


def test_a_driver_for_another_version_says_which(site: Any) -> None:
    site.add("weather", tool("m:x"), requires=["aries-kernel>=9"])
    with pytest.raises(PluginError, match=r"\(incompatible\).*aries-kernel >=9"):
        Drivers(site.index(), Report()).load("aries.tools", "Weather")
