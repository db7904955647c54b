from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel import __version__
from aries_kernel.discovery.index import Entry, Index, State, Switches, read_index

TOOLS = {"aries.tools": {"Weather": "weather_tool:Weather"}}


def states(index: Index) -> dict[str, State]:
    return {entry.distribution: entry.state for entry in index.entries}


def test_an_entry_point_of_ours_is_found_with_its_distribution(site: Any) -> None:
    site.add("weather", {**TOOLS, "console_scripts": {"weather": "weather:main"}}, version="2.1")
    expected = Entry("aries.tools", "Weather", "weather_tool:Weather", "weather", "2.1", State.ENABLED, "")
    assert site.index().entries == (expected,)


def test_groups_of_ori_are_kept_and_groups_of_others_are_not(site: Any) -> None:
    site.add("mixed", {"ori.signals": {"s": "m:s"}, "ariesx": {"a": "m:a"}, "pytest11": {"p": "m:p"}})
    assert [entry.group for entry in site.index().entries] == ["ori.signals"]


def test_an_egg_info_is_found_too(site: Any) -> None:
    site.add("old-style", TOOLS, suffix=".egg-info", version="0.3")
    (entry,) = site.index().entries
    assert (entry.distribution, entry.version) == ("old-style", "0.3")


def test_requirements_of_an_old_egg_info_count(site: Any) -> None:
    info = site.add("old-style", TOOLS, suffix=".egg-info")
    text = 'attrs\naries_kernel<0.1\n\n[:python_version < "3"]\nnothing\n[docs]\naries-kernel<0.0.1\n'
    (info / "requires.txt").write_text(text, encoding="utf-8")
    assert states(site.index()) == {"old-style": State.INCOMPATIBLE}
    (info / "requires.txt").write_text(text.replace("aries_kernel<0.1", ""), encoding="utf-8")
    assert states(site.index()) == {"old-style": State.ENABLED}


def test_an_egg_info_that_is_a_file_hides_what_comes_later(site: Any, tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "weather-3.0.egg-info").write_text("Name: weather\n", encoding="utf-8")
    site.add("weather", TOOLS)
    assert read_index([tmp_path / "first", site.folder]).entries == ()


def test_the_first_folder_on_the_path_wins_whatever_the_spelling(site: Any, tmp_path: Path) -> None:
    site.add("my-weather", TOOLS, version="1.0")
    other = type(site)(tmp_path / "other")
    other.add("My.Weather", TOOLS, version="2.0")
    assert [entry.version for entry in read_index([other.folder, site.folder]).entries] == ["2.0"]
    assert [entry.version for entry in read_index([site.folder, other.folder]).entries] == ["1.0"]


def test_an_empty_folder_of_an_interrupted_upgrade_does_not_hide_the_new_version(site: Any) -> None:
    (site.folder / "weather-0.9.dist-info").mkdir()
    (site.folder / "~eather-0.8.dist-info").mkdir()
    site.add("weather", TOOLS, version="1.0")
    assert [entry.version for entry in site.index().entries] == ["1.0"]


def test_folders_that_are_not_there_or_are_files_are_passed_over(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    (tmp_path / "archive.zip").write_bytes(b"PK")
    path = [tmp_path / "missing", tmp_path / "archive.zip", "nul\0l", site.folder, site.folder]
    assert len(read_index(path).entries) == 1


def test_two_distributions_with_one_name_are_an_error_that_names_both(site: Any) -> None:
    site.add("weather", TOOLS)
    site.add("climate", TOOLS)
    entries = site.index().entries
    assert [entry.state for entry in entries] == [State.DUPLICATE, State.DUPLICATE]
    assert all("climate" in entry.reason and "weather" in entry.reason for entry in entries)


def test_one_name_in_two_groups_is_no_duplicate(site: Any) -> None:
    site.add("weather", {"aries.tools": {"x": "m:x"}, "aries.commands": {"x": "m:x"}})
    assert {entry.state for entry in site.index().entries} == {State.ENABLED}


def test_a_distribution_that_offers_a_name_twice_gets_neither(site: Any) -> None:
    info = site.add("weather", {})
    (info / "entry_points.txt").write_text("[aries.tools]\nx = a:b\nx = c:d\ny=a:b\ny = a:b", encoding="utf-8")
    assert [(entry.name, entry.state) for entry in site.index().entries] == [
        ("x", State.DUPLICATE),
        ("x", State.DUPLICATE),
        ("y", State.ENABLED),
    ]


def test_switching_one_duplicate_off_makes_the_other_usable(site: Any) -> None:
    site.add("weather", TOOLS)
    site.add("climate", TOOLS)
    index = site.index(switches=Switches(config=("climate",)))
    assert states(index) == {"climate": State.OFF, "weather": State.ENABLED}


@pytest.mark.parametrize("name", ["my-weather", "My_Weather", "Weather", "aries.tools/Weather"])
@pytest.mark.parametrize(
    ("switches", "said"),
    [
        (lambda name: Switches.read({}, config=[name]), "plugins.disabled"),
        (lambda name: Switches.read({"ARIES_DISABLE_PLUGINS": f" , {name} ,"}), "ARIES_DISABLE_PLUGINS"),
        (lambda name: Switches.read({}, flag=[name]), "command line"),
    ],
)
def test_a_plugin_is_switched_off_in_three_ways_by_three_names(site: Any, name: str, switches: Any, said: str) -> None:
    site.add("my-weather", TOOLS)
    index = site.index(switches=switches(name))
    (entry,) = index.entries
    assert entry.state is State.OFF
    assert said in entry.reason and name in entry.reason
    assert index.unknown_switches == ()


def test_a_switch_that_names_nothing_is_told(site: Any) -> None:
    site.add("weather", TOOLS)
    index = site.index(switches=Switches.read({"ARIES_DISABLE_PLUGINS": "wether"}, ["aries.tools/Wheather"]))
    assert index.unknown_switches == (
        "'aries.tools/Wheather' in the settings (plugins.disabled)",
        "'wether' in the environment (ARIES_DISABLE_PLUGINS)",
    )
    assert states(index) == {"weather": State.ENABLED}


@pytest.mark.parametrize(
    "requirement",
    ["aries-kernel>=99", "Aries_Kernel (<0.0.1)", 'aries-kernel==77; python_version >= "3"', "aries-kernel ><1"],
)
def test_a_plugin_for_another_version_is_not_used(site: Any, requirement: str) -> None:
    site.add("weather", {"ori.stages": {"w": "w:w"}}, requires=["attrs", requirement])
    (entry,) = site.index().entries
    assert entry.state is State.INCOMPATIBLE
    assert "made for another version" in entry.reason


@pytest.mark.parametrize(
    "requirement",
    [
        f"aries-kernel>={__version__}",
        "aries-kernel[extra]>=0.0.1",
        "aries-kernel @ https://example.org/k.whl",
        'aries-kernel>=99; extra == "test"',
        'aries-kernel>=99; python_version < "3"',
        "aries-kernel-tools>=99",
        "not a requirement at all",
    ],
)
def test_a_requirement_that_admits_this_kernel_is_no_obstacle(site: Any, requirement: str) -> None:
    site.add("weather", TOOLS, requires=[requirement])
    assert states(site.index()) == {"weather": State.ENABLED}


def test_headers_end_at_the_first_empty_line_and_may_be_folded(site: Any) -> None:
    info = site.add("weather", TOOLS)
    text = "Name: weather\nVersion: 1.0\nRequires-Dist: aries-kernel\n  >=99\n\nRequires-Dist: aries-kernel>=1\n"
    (info / "METADATA").write_text(text, encoding="utf-8")
    assert ">=99" in site.index().entries[0].reason


def test_without_metadata_the_folder_says_name_and_version(site: Any) -> None:
    info = site.add("weather", TOOLS, version="4.2")
    (info / "METADATA").unlink()
    (entry,) = site.index().entries
    assert (entry.distribution, entry.version, entry.state) == ("weather", "4.2", State.ENABLED)


@pytest.mark.parametrize("content", [b"[aries.tools]\nx = \xff\xfe:y\n", b"[aries.tools]\nno equals sign\n"])
def test_a_distribution_that_cannot_be_read_is_named_and_the_rest_is_found(site: Any, content: bytes) -> None:
    info = site.add("broken", {})
    (info / "entry_points.txt").write_bytes(content)
    site.add("weather", TOOLS)
    index = site.index()
    assert states(index) == {"weather": State.ENABLED}
    (problem,) = index.problems
    assert problem.distribution == "broken" and "entry_points.txt" in problem.message


def test_entry_points_that_are_no_file_are_named(site: Any) -> None:
    info = site.add("broken", {})
    (info / "entry_points.txt").unlink()
    (info / "entry_points.txt").mkdir()
    (problem,) = site.index().problems
    assert "not a regular file" in problem.message


def test_comments_blank_lines_a_byte_order_mark_and_windows_line_ends_are_read(site: Any) -> None:
    info = site.add("weather", {})
    (info / "entry_points.txt").write_bytes(
        b"\xef\xbb\xbf[aries.tools]\r\n# no\r\n\r\n  Weather=weather_tool:Weather\r\n"
    )
    assert [entry.name for entry in site.index().entries] == ["Weather"]


@given(entry_points=st.binary(max_size=200), metadata=st.binary(max_size=200))
def test_no_bytes_in_a_dist_info_stop_the_scan(tmp_path_factory: Any, entry_points: bytes, metadata: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    info = folder / "any-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_bytes(b"[aries.tools]\n" + entry_points)
    (info / "METADATA").write_bytes(metadata + b"\nRequires-Dist: aries-kernel" + metadata)
    index = read_index([folder], folder / "cache")
    assert read_index([folder], folder / "cache") == index
