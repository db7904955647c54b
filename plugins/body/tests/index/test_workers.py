"""Reading with several processes gives what one gives, whatever happens to them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from body_trees import TOYS, write
from toy import Toy, ToyResolver, answers

from aries_body.index.packs import Packs
from aries_body.index.project import Project
from aries_body.index.reading import read_file
from aries_body.index.workers import read_files
from aries_body.operations.codebase import Codebase
from aries_kernel.contracts import Export, FileFacts, Reference, Target

Open = Callable[..., Project]


def _many(count: int = 40) -> dict[str, str]:
    filler = "# filler\n" * 2_500
    return {f"m{n}.toy": f"import m{n + 1}\ndef f{n}\ncall m{n + 1}.f{n + 1}\n{filler}" for n in range(count)}


def test_several_processes_read_what_one_reads(toys: Open) -> None:
    several = toys(dict(_many()), processes=3)
    one = toys(cache_folder=None, processes=1)
    assert answers(several) == answers(one)
    # How young a file is depends on when it was looked at.
    assert [row._replace(is_young=False) for row in several.rows.values()] == [
        row._replace(is_young=False) for row in one.rows.values()
    ]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_file_that_says_what_another_says_is_read_as_if_it_were_alone(root: Path, processes: int) -> None:
    texts = {f"{place}/{name}": text for name, text in _many().items() for place in ("a", "b", "b/c")}
    write(root, {**texts, "utf8.toy": "def café\n"})
    (root / "latin.toy").write_bytes("def café\n".encode("latin-1"))
    (root / "empty.toy").touch()
    (root / "b" / "empty.toy").touch()
    paths = sorted(path for path in root.rglob("*.toy"))
    sizes = [(path.relative_to(root).as_posix(), path.stat().st_size) for path in paths]
    packs = Packs(TOYS)
    found = list(read_files(str(root), sizes, 1_000_000, packs, processes=processes, seconds=30))
    assert sorted(one.path for one in found) == sorted(path for path, _ in sizes)
    for one in found:
        assert one._replace(facts=None) == read_file(str(root), one.path, 1_000_000, packs)._replace(facts=None)


def test_a_file_that_ends_a_process_costs_that_file_alone(root: Path) -> None:
    write(root, {**_many(), "bad.toy": "die"})
    sizes = [(path.name, path.stat().st_size) for path in sorted(root.iterdir())]
    found = {one.path: one for one in read_files(str(root), sizes, 1_000_000, Packs(TOYS), processes=2, seconds=30)}
    assert found.keys() == {name for name, _ in sizes}
    assert {path for path, one in found.items() if one.skipped} == {"bad.toy"}
    assert found["bad.toy"].skipped == "reading it ended the process, or took too long"


def test_a_pack_that_raises_costs_the_file_and_is_named(toys: Open) -> None:
    project = toys({"a.toy": "fail", "b.toy": "def x\n"})
    assert project.sources == ["b.toy"]
    assert project.skipped["a.toy"].startswith("the language pack toy fails: ValueError: toy breaks")


def test_a_pack_that_cannot_be_loaded_is_named_by_language_and_others_work(toys: Open) -> None:
    project = toys({"a.toy": "def x\n", "b.brick": "def y\n"}, packs=Packs({**TOYS, "brick": "no_such_module:Pack"}))
    assert project.sources == ["a.toy"]
    assert "no_such_module" in project.skipped["b.brick"]
    assert any(note.startswith(".brick: the language pack no_such_module:Pack fails") for note in project.notes)


def test_a_pack_that_is_mended_reads_its_files_at_the_next_start(toys: Open) -> None:
    toys({"b.brick": "def y\n"}, packs=Packs({"brick": "no_such_module:Pack"})).close()
    assert toys().sources == ["b.brick"]


def test_a_file_in_another_language_than_its_suffix_says_is_read_by_that_one(toys: Open) -> None:
    plain = toys({"a.toy": "other\ndef x\n"})
    assert plain.rows["a.toy"].summary.through == "other -"
    plain.close()
    project = toys(packs=Packs({**TOYS, "other": "toy:Brick"}))
    assert project.rows["a.toy"].summary.through == "other brick 1"


KILLED = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from body_trees import TOYS
from aries_body.index.packs import Packs
from aries_body.index.workers import read_files
from aries_body.operations.codebase import Codebase
from aries_kernel.contracts import Export, FileFacts, Reference, Target
root = Path(sys.argv[1])
sizes = [(path.name, path.stat().st_size) for path in sorted(root.iterdir())]
reading = read_files(str(root), sizes, 1_000_000, Packs(TOYS), processes=2, seconds=60)
next(reading)
print("reading", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are listed in /proc")
def test_a_parent_that_is_killed_leaves_no_process_behind(root: Path) -> None:
    write(root, dict(_many()))
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(root), str(Path(__file__).parents[1])], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None and parent.stdout.readline() == b"reading\n"
    children = _children(parent.pid)
    parent.kill()
    parent.wait(10)
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while any(map(_lives, children)):
        assert time.monotonic() < deadline, "a worker outlives its parent"
        os.sched_yield()


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize(
    "facts",
    [
        FileFacts("toy", references=(Reference(1, "call", "x", symbol=3),)),
        FileFacts("toy", references=(Reference(1, "call", "x", binding=0),)),
        FileFacts("toy", exports=(Export("x", symbol=0),)),
        FileFacts("toy", namespace=object()),  # type: ignore[arg-type]
    ],
)
def test_a_pack_that_names_what_is_not_there_costs_the_file_and_is_named(
    toys: Open, monkeypatch: pytest.MonkeyPatch, facts: FileFacts
) -> None:
    monkeypatch.setattr(Toy, "read", lambda self, source, path, is_final=False: facts)
    project = toys({"a.toy": "def x\n"})
    assert project.sources == [] and "the language pack toy fails" in project.skipped["a.toy"]


def test_a_pack_whose_every_answer_raises_leaves_the_others_at_work(
    toys: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object, **named: object) -> None:
        raise KeyError("gone")

    for owner, name in ((Toy, "encoding"), (Toy, "is_test"), (ToyResolver, "member"), (ToyResolver, "ambient")):
        monkeypatch.setattr(owner, name, fails)
    monkeypatch.setattr(ToyResolver, "resolve", lambda self, path, item: Target(([],)))  # type: ignore[arg-type]
    codebase = Codebase(toys({"a.toy": "# é\nimport b\nuse b.x\nuse y\n", "b.toy": "def x\n"}))
    assert [row.path for row in codebase.find_symbol("x")] == ["b.toy"]
    assert codebase.stats().test_count == 0 and codebase.search("import").total == 1
    assert any("fails: KeyError" in note for note in codebase.stats().notes)
