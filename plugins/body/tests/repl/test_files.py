"""Reading files of the project in the body."""

from __future__ import annotations

from pathlib import Path

import pytest

from aries_body.process.body import Body


@pytest.fixture
def tree(project: Path) -> Path:
    for name, data in {
        "src/deep/b.py": b"import os\nvalue = 'caf\xc3\xa9'\n",
        "src/c.txt": b"one\r\ntwo\r\nthree",
        "node_modules/x.py": b"import os\n",
        ".hidden/x.py": b"import os\n",
        "image.py": b"\0\1\2import os",
        ".env": b"KEY=import os\n",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_bytes(data)
    return project


def test_a_file_is_read_whole_or_by_lines(body: Body, tree: Path) -> None:
    assert body.execute("fs.read('src/deep/b.py')").value == repr("import os\nvalue = 'café'\n")
    assert body.execute("fs.read('src/c.txt', 1, 1)").value == repr("two\r\n")


def test_relative_paths_start_at_the_project_wherever_the_code_went(body: Body, tree: Path) -> None:
    body.execute("import os; os.chdir('/')")
    assert body.execute("fs.read('a.py')[:3]").value == "'def'"


def test_a_file_that_holds_secrets_is_not_read(body: Body, tree: Path) -> None:
    assert "holds secrets" in (body.execute("fs.read('.env')").error or "")
    assert body.execute("fs.grep('KEY')").value == "[]"


def test_generated_hidden_and_binary_files_are_not_searched(body: Body, tree: Path) -> None:
    assert body.execute("[(m.path, m.line) for m in fs.grep('import os')]").value == "[('src/deep/b.py', 1)]"
    assert body.execute("fs.glob('**/*.py')").value == "['a.py', 'image.py', 'src/deep/b.py']"


def test_what_is_listed_is_sorted_and_named_by_kind(body: Body, tree: Path) -> None:
    assert (
        body.execute("[(e.path, e.kind) for e in fs.list('src')]").value
        == "[('src/c.txt', 'file'), ('src/deep', 'folder')]"
    )


def test_a_search_ends_at_its_limit_and_takes_one_file_too(body: Body, tree: Path) -> None:
    assert body.execute("len(fs.grep('.', limit=3))").value == "3"
    assert body.execute("[m.text for m in fs.grep('T', 'src/c.txt', ignore_case=True)]").value == "['two', 'three']"
