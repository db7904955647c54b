"""`ori eval` as it is called: data sets, the own vault, results in files, the gate."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from ori_memory.app import run


@frozen
class Done:
    """What a command line gave."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]

CORPUS: list[dict[str, Any]] = [
    {"id": "a1", "title": "Grüner Tee", "text": "Der Tee zieht bei achtzig Grad.", "group": "a"},
    {"id": "a2", "title": "抹茶", "text": "抹茶用八十度的水冲泡。", "group": "a"},
    {"id": "a3", "title": "", "text": "Kettles of copper warm quickly.", "group": "a", "date": "8 May, 2023"},
    {"id": "b1", "title": "Cups", "text": "Porcelain keeps its colour.", "group": "b"},
    {"id": "b2", "title": "Spoons", "text": "Spoons are made of silver.", "group": "b"},
]
QUERIES: list[dict[str, Any]] = [
    {"id": "1", "text": "Tee achtzig Grad", "gold": ["a1"], "category": "de", "group": "a", "candidates": ["a1", "b1"]},
    {"id": "2", "text": "抹茶", "gold": ["a2"], "category": "zh", "group": "a", "candidates": ["a2", "b1"]},
    {"id": "3", "text": "copper kettles", "gold": ["a3"], "category": "en", "group": "a", "candidates": ["a3", "b2"]},
    {"id": "4", "text": "porcelain colour", "gold": ["b1"], "category": "en", "group": "b"},
    {"id": "5", "text": "gold spoons", "gold": ["b2"], "category": "adversarial", "group": "b"},
]
LEXICAL = ("--without", "semantic")


@pytest.fixture
def ori(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    for name in [*os.environ]:
        if name.startswith(("XDG_", "ORI_")):
            monkeypatch.delenv(name)
    for name, place in {"HOME": "", "USERPROFILE": "", "LOCALAPPDATA": "", "XDG_CACHE_HOME": "cache"}.items():
        monkeypatch.setenv(name, str(tmp_path / place))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Done:
        code = run(arguments)
        told = capsys.readouterr()
        return Done(code, told.out, told.err)

    return call


def write(folder: Path, corpus: Sequence[Any], queries: Sequence[Any], **more: Sequence[Any]) -> Path:
    folder.mkdir(parents=True)
    for name, rows in {"corpus": corpus, "queries": queries, **more}.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny", CORPUS, QUERIES)


def data(done: Done) -> Any:
    document = json.loads(done.stdout)
    assert done.returncode == 0 and document["success"], done.stderr
    return document["data"]


def recall(found: Any, system: str) -> float:
    [mean] = [one["total"]["metrics"]["recall@5"]["mean"] for one in found["systems"] if one["system"] == system]
    return float(mean)


def test_groups_are_searched_by_themselves_and_all_is_told(ori: Run, tiny: Path) -> None:
    found = data(ori("eval", "tiny", *LEXICAL))
    told = {key: found[key] for key in ("name", "unit", "pool", "k", "documents", "vaults", "questions", "left_out")}
    assert told == {
        "name": "tiny",
        "unit": "document",
        "pool": "group",
        "k": 10,
        "documents": 5,
        "vaults": 2,
        "questions": 4,
        "left_out": {"adversarial": 1},
    }
    assert [one["system"] for one in found["systems"]][1:] == ["random", "bm25"]
    assert found["systems"][0]["categories"]["zh"]["metrics"]["recall@5"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert recall(found, "bm25") == 1


@pytest.mark.parametrize(("pool", "vaults", "questions"), [("pooled", 1, 4), ("candidates", 3, 3)])
def test_other_pools(ori: Run, tiny: Path, pool: str, vaults: int, questions: int) -> None:
    found = data(ori("eval", "tiny", "--pool", pool, "--keep", "kept", *LEXICAL))
    assert (found["pool"], found["vaults"], found["questions"]) == (pool, vaults, questions)
    assert len([place for place in (tiny.parent / "kept").iterdir() if place.is_dir()]) == vaults
    assert recall(found, found["systems"][0]["system"]) == 1


def test_each_part_that_did_something_is_left_out_in_turn(ori: Run, tiny: Path) -> None:
    """G.5-84: what a signal brings is measured before anybody relies on it."""
    found = data(ori("eval", str(tiny), *LEXICAL, "--no-baselines", "--ablate"))
    (without,) = [one for one in found["comparisons"] if one["second"] == "without keyword"]
    assert without["metrics"]["recall@1"]["mean"] == recall(found, "ori") > 0


def test_sessions(ori: Run, tmp_path: Path) -> None:
    sessions = [
        {
            "id": "s1",
            "title": "Session 1, 1:56 pm on 8 May, 2023",
            "text": "Ann: I bought a kettle of copper.\nBob: Oh",
        },
        {"id": "s2", "title": "Session 2", "text": "Ann: The porcelain broke."},
    ]
    queries = [{"id": "1", "text": "Who bought copper?", "gold": ["a3"], "gold_sessions": ["s1"]}]
    write(tmp_path / "talk", CORPUS, queries, sessions=sessions)
    found = data(ori("eval", "talk", "--unit", "session", *LEXICAL))
    assert (found["unit"], found["documents"], recall(found, "bm25")) == ("session", 2, 1)


def test_the_table_is_for_people(ori: Run, tiny: Path) -> None:
    done = ori("--text", "eval", "tiny", "--limit-questions", "3", "--seed", "4", "--no-baselines", *LEXICAL)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("tiny: 3 questions, 5 documents in ")
    assert lines[2] == "left out: 1 adversarial, 1 not in the sample"
    assert any(line.startswith("recall@5 ") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "is no folder"),
        (("tiny", "--unit", "session"), "neither sessions.jsonl nor sessions.jsonl.gz"),
        (("tiny", "--gate", "missing.json"), "missing.json cannot be read"),
        (("tiny", "--pool", "all"), "is not one of"),
        (("tiny", "--without", "semantics"), "Did you mean 'semantic'?"),
        (("tiny", "--only", "diversity"), "There is no signal 'diversity'"),
        ((), "There is no vault"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(ori: Run, tiny: Path, arguments: Sequence[str], message: str) -> None:
    done = ori("--text", "eval", *arguments)
    assert (done.returncode, message in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr


def test_a_broken_line_is_named(ori: Run, tiny: Path) -> None:
    with (tiny / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "x", \n')
    done = ori("eval", "tiny")
    assert done.returncode == 2 and "corpus.jsonl, line 6: this is no JSON" in json.loads(done.stdout)["error"]


def test_the_gate_passes_what_is_as_good_and_names_what_fell(ori: Run, tiny: Path) -> None:
    arguments = ("eval", "tiny", "--no-baselines", *LEXICAL)
    assert ori(*arguments, "--save", "out/result.json").returncode == 0
    saved = tiny.parent / "out" / "result.json"
    assert ori(*arguments, "--gate", "out/result.json").returncode == 0
    # As if each question had once been answered better than any can be.
    stored = json.loads(saved.read_text(encoding="utf-8"))
    stored["values"] = {id: [value + 0.5 for value in values] for id, values in stored["values"].items()}
    saved.write_text(json.dumps(stored), encoding="utf-8")
    done = ori(*arguments, "--gate", "out/result.json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["success"]) == (1, False)
    assert document["warnings"][-1].startswith("ndcg@10 fell from ")
    stored["pool"] = "candidates"
    saved.write_text(json.dumps(stored), encoding="utf-8")
    assert ori(*arguments, "--gate", "out/result.json").returncode == 2


def test_the_own_vault_is_asked_and_learns_nothing(ori: Run, tmp_path: Path) -> None:
    ori("init", "brain")
    vault = tmp_path / "brain"
    for number, stuff in enumerate(("copper", "silver", "porcelain", "bamboo")):
        text = f"---\ndescription: Why {stuff} is good for kettle number {number}\n---\nIt is.\n"
        (vault / "notes" / f"{stuff}.md").write_text(text, encoding="utf-8")
    before = sorted(path.name for path in (vault / ".ori").iterdir())
    found = data(ori("--vault", "brain", "eval", "--limit-questions", "50", *LEXICAL))
    assert (found["unit"], found["pool"], found["name"]) == ("note", "own vault", "brain")
    assert found["systems"][0]["categories"]["known-item"]["metrics"]["recall@10"]["mean"] == 1
    after = sorted(path.name for path in (vault / ".ori").iterdir())
    assert [name for name in after if name not in before and not name.startswith("index.")] == []
