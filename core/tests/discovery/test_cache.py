from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.discovery import cache as cache_module
from aries_kernel.discovery.scan import Installed

TOOLS = {"aries.tools": {"Weather": "weather_tool:Weather"}}
HEAVY = ("importlib.metadata", "stevedore", "pluggy", "packaging")

LIST = """
import sys
from pathlib import Path
from aries_kernel.discovery.registry import Plugins
plugins = Plugins.discover([sys.argv[1]], Path(sys.argv[2]), environ={})
print([entry.name for entry in plugins.entries()])
print([name for name in sys.argv[3:] if name in sys.modules])
"""


def listing(site: Any, folder: Path) -> list[str]:
    command = [sys.executable, "-I", "-c", LIST, str(site.folder), str(folder), *HEAVY]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    return done.stdout.splitlines()


def names(site: Any, folder: Path) -> list[str]:
    return [entry.name for entry in site.index(cache=folder).entries]


def kept(folder: Path) -> Path:
    (file,) = folder.glob("plugins*.json")
    return file


def touched(folder: Path) -> tuple[int, int]:
    status = kept(folder).stat()
    return status.st_ino, status.st_mtime_ns


def test_a_second_listing_imports_nothing_heavy(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS, requires=["aries-kernel>=0.1"])
    site.add("hooks", {"aries.plugins": {"h": "h"}})
    assert listing(site, tmp_path / "cache") == ["['h', 'Weather']", "['packaging']"]
    assert listing(site, tmp_path / "cache") == ["['h', 'Weather']", "[]"]


def test_a_hit_does_not_write_the_file_again(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    first = site.index(cache=tmp_path)
    before = touched(tmp_path)
    assert site.index(cache=tmp_path) == first
    assert touched(tmp_path) == before


def test_an_edit_in_place_that_keeps_size_and_times_is_seen(site: Any, tmp_path: Path) -> None:
    file = site.add("weather", TOOLS) / "entry_points.txt"
    assert names(site, tmp_path) == ["Weather"]
    status = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace("Weather =", "Climate ="), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert names(site, tmp_path) == ["Climate"]


def test_an_upgrade_in_place_is_seen(site: Any, tmp_path: Path) -> None:
    info = site.add("weather", TOOLS)
    assert site.index(cache=tmp_path).entries[0].version == "1.0"
    text = (info / "METADATA").read_text(encoding="utf-8").replace("1.0", "2.0")
    (info / "METADATA").write_text(text, encoding="utf-8")
    assert site.index(cache=tmp_path).entries[0].version == "2.0"


def test_a_new_and_a_removed_distribution_are_seen(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    assert names(site, tmp_path) == ["Weather"]
    other = site.add("clock", {"aries.tools": {"Clock": "c:C"}})
    assert names(site, tmp_path) == ["Clock", "Weather"]
    (other / "entry_points.txt").unlink()
    assert names(site, tmp_path) == ["Weather"]


def test_entry_points_that_turn_ours_are_seen(site: Any, tmp_path: Path) -> None:
    info = site.add("weather", {"console_scripts": {"x": "m:x"}})
    assert names(site, tmp_path) == []
    (info / "entry_points.txt").write_text("[aries.tools]\nx = m:x\n", encoding="utf-8")
    assert names(site, tmp_path) == ["x"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\x00", b"[" * 100_000, b'{"key": 1}'])
def test_a_corrupted_file_is_made_again(site: Any, tmp_path: Path, content: bytes) -> None:
    site.add("weather", TOOLS)
    expected = site.index(cache=tmp_path)
    kept(tmp_path).write_bytes(content)
    assert site.index(cache=tmp_path) == expected
    assert json.loads(kept(tmp_path).read_bytes())["entries"]


@pytest.mark.parametrize("rows", [3, [3], [["too", "short"]], [[1] * 7], [["x"] * 7], {"a": 1}, None])
def test_a_file_with_the_right_key_and_wrong_rows_is_made_again(site: Any, tmp_path: Path, rows: object) -> None:
    site.add("weather", TOOLS)
    expected = site.index(cache=tmp_path)
    file = kept(tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "entries": rows}), encoding="utf-8")
    assert site.index(cache=tmp_path) == expected


def test_a_folder_that_cannot_be_written_is_not_fatal(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert names(site, tmp_path / "file" / "below") == ["Weather"]
    assert names(site, tmp_path / "taken") == ["Weather"]
    name = kept(tmp_path / "taken")
    name.unlink()
    name.mkdir()
    assert names(site, tmp_path / "taken") == ["Weather"]


@pytest.mark.parametrize(
    "disguise",
    [
        "import aries_kernel; aries_kernel.__version__ = '0.0.9'",
        "import sys; sys.version = '3.11.99' + sys.version[6:]",
    ],
)
def test_the_file_of_another_kernel_or_interpreter_does_not_count(site: Any, tmp_path: Path, disguise: str) -> None:
    site.add("weather", TOOLS, requires=["aries-kernel>=0.0.1"])
    listing(site, tmp_path)
    assert listing(site, tmp_path)[1] == "[]"
    command = [sys.executable, "-I", "-c", disguise + LIST, str(site.folder), str(tmp_path), *HEAVY]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout.splitlines()[1] == "['packaging']"


def test_the_key_tells_every_part_of_a_distribution_apart() -> None:
    first = Installed("folder", "ab", "c", b"de", b"f")
    others = [Installed("folder", "a", "bc", b"de", b"f"), Installed("folder", "ab", "c", b"d", b"ef"), first]
    assert len({cache_module.key_of([one]) for one in others}) == 3
    assert cache_module.key_of([first, first]) != cache_module.key_of([first])


def test_two_processes_at_once_leave_one_whole_file(site: Any, tmp_path: Path) -> None:
    for number in range(20):
        site.add(f"plugin-{number}", {"aries.tools": {f"T{number}": "m:T"}})
    command = [sys.executable, "-I", "-c", LIST, str(site.folder), str(tmp_path / "new"), *HEAVY]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") for _ in range(4)]
    answers = {process.communicate(timeout=60)[0].splitlines()[0] for process in running}
    assert len(answers) == 1 and "T19" in answers.pop()
    assert [*(tmp_path / "new").iterdir()] == [kept(tmp_path / "new")]
    assert len(json.loads(kept(tmp_path / "new").read_bytes())["entries"]) == 20


def test_two_environments_do_not_take_each_others_file(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    cache = tmp_path / "cache"
    in_another = LIST.replace("import sys", "import sys; sys.prefix = '/elsewhere'", 1)
    for script in (LIST, in_another, LIST):
        command = [sys.executable, "-I", "-c", script, str(site.folder), str(cache)]
        subprocess.run(command, capture_output=True, timeout=60, check=True)
        if script is LIST:
            seen = {file.name: file.stat().st_mtime_ns for file in cache.iterdir()}
    files = {file.name: file.stat().st_mtime_ns for file in cache.iterdir()}
    assert len(files) == 2 and seen == files


def test_files_of_environments_that_are_gone_make_way(site: Any, tmp_path: Path) -> None:
    site.add("weather", TOOLS)
    cache = tmp_path / "cache"
    cache.mkdir()
    for number in range(30):
        (cache / f"plugins-{number:012}.json").write_text("{}", encoding="utf-8")
        os.utime(cache / f"plugins-{number:012}.json", (number, number))
    assert names(site, cache) == ["Weather"]
    left = sorted(file.name for file in cache.iterdir())
    assert len(left) == 20 and "plugins-000000000029.json" in left
