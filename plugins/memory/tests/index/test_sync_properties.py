"""Whatever happened to the files before: the index is the one a build from nothing gives."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ori_memory.index.index import open_index
from ori_memory.index.listing import differences
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import adopt_vault

sys.path.insert(0, str(Path(__file__).parent))
from dumping import dump

PATHS = (
    "Alpha.md",
    "alpha.md",
    "notes/Beta beta.md",
    "notes/deep/Alpha.md",
    "Caf\u00e9.md",
    "Cafe\u0301.md",
    "部署.md",
    "Gamma Ray.md",
    "notes/9.md",
    "notes/10.md",
    "notes/11.md",
)
BODIES = (
    "",
    "[[Alpha]] and [[Beta beta|b]]\n",
    "![[alpha#head]] [x](notes/Beta%20beta.md) [[Nowhere]]\n",
    "---\naliases: [Delta Force, Gamma Ray]\ntitle: Epsilon Eridani\n---\n# Head\n",
    "Delta Force flies by Gamma Ray; see Beta beta and [[Delta Force]].\n",
    "---\nid: same-id\n---\nepsilon eridani, Beta beta\n",
    "\ufeff重跑部署失败 parseHTMLFile [[部署]]\r\n[[Caf\u00e9]]\r\n",
    "[[Epsilon Eridani]] [[./Alpha]] [[deep/Alpha]] `[[no]]` line^block\n",
    "---\nsource: {session: s-1}\n---\nAnn: of Clara Schumann\n",
    "---\nsource: {session: s-1}\ntitle: Talk\n---\nBen: of Alpha\n",
    "---\nsource: {session: s-1, client: c}\n---\n**Ann**: and of Gamma Ray\n",
)
LINES = BODIES[-3:]


class Vault(RuleBasedStateMachine):
    @initialize()
    def make(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ori-test-"))
        self.root = self.folder / "vault"
        self.root.mkdir()
        adopt_vault(self.root)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    @rule(path=st.sampled_from(PATHS), body=st.sampled_from(BODIES))
    def write(self, path: str, body: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body, encoding="utf-8", newline="")

    @rule(lines=st.lists(st.sampled_from(LINES), min_size=3, max_size=5), first=st.integers(8, 9))
    def talk(self, lines: list[str], first: int) -> None:
        for number, line in enumerate(lines, first):
            self.write(f"notes/{number}.md", line)

    @rule(path=st.sampled_from(PATHS))
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(old=st.sampled_from(PATHS), new=st.sampled_from(PATHS))
    def move(self, old: str, new: str) -> None:
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).replace(self.root / new)

    @rule(path=st.sampled_from(PATHS))
    def touch(self, path: str) -> None:
        if (self.root / path).exists():
            os.utime(self.root / path)

    @rule()
    def sync(self) -> None:
        with open_index(open_vault(self.root)) as index:
            assert not index.report.is_stale

    @rule()
    def lose_the_index(self) -> None:
        self.sync()
        before = {record.path: record.id for record in self.records()}
        for file in (self.root / ".ori").glob("index*"):
            file.unlink()
        self.sync()
        assert {record.path: record.id for record in self.records()} == before

    def records(self):  # type: ignore[no-untyped-def]
        with open_index(open_vault(self.root), sync=False) as index:
            return index.notes()

    @rule()
    def equals_a_build_from_nothing(self) -> None:
        self.sync()
        fresh = self.folder / "fresh"
        shutil.copytree(self.root, fresh)
        for file in (fresh / ".ori").glob("index*"):
            file.unlink()
        with open_index(open_vault(fresh)):
            pass
        incremental, built = dump(self.root / ".ori/index.db"), dump(fresh / ".ori/index.db")
        shutil.rmtree(fresh)
        for table, rows in built.items():
            assert incremental[table] == rows, table
        connection = sqlite3.connect(self.root / ".ori/index.db")
        known = connection.execute("SELECT path, mtime_ns, size, inode FROM note").fetchall()
        assert not known or differences(connection, sorted(known)) == (set(), set())
        connection.close()


Vault.TestCase.settings = settings(
    max_examples=25, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
)
TestVault = Vault.TestCase
