"""The plugin as opencode runs it, in Node, with ori as a command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aries_kernel.contracts.bridge import Setting
from aries_kernel.testing.bridge_suite import carry_out
from ori_bridge_opencode.bridge import BRIDGE
from ori_memory.vault.making import init_vault

NODE = shutil.which("node")
RUN = """
const { OriMemory } = await import(process.argv[2])
const said = [
  { info: { role: "user" }, parts: [
    { type: "text", text: "Remember that the spare key of the workshop is in the blue drawer." },
    { type: "text", synthetic: true, text: "Remember that this was put in by a program, not by a person." }] },
]
const client = { session: { messages: async () => ({ data: said }) } }
const hooks = await OriMemory({ client, directory: process.cwd() })
const asked = async (input) => {
  const output = { system: [] }
  await hooks["experimental.chat.system.transform"](input, output)
  return output.system
}
await hooks.event({ event: { type: "session.created", properties: { info: { id: "helper", parentID: "s1" } } } })
const answer = { first: await asked({ sessionID: "s1" }), again: await asked({ sessionID: "s1" }) }
answer.title = await asked({})
answer.helper = await asked({ sessionID: "helper" })
const written = { output: "Wrote it." }
await hooks["tool.execute.after"]({ tool: "write", args: { filePath: process.argv[3] } }, written)
answer.written = written.output
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "helper" } } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s1" } } })
console.log(JSON.stringify(answer))
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = init_vault(tmp_path / "my nötes").vault.root
    (vault / "self" / "identity.md").write_text("# Identity\n\nI am called Quillon.\n", encoding="utf-8")
    return vault


def run(vault: Path, folder: Path, command: tuple[str, ...]) -> Any:
    setting = Setting("project", folder, folder, command, vault, "auto", {})
    carry_out(BRIDGE.plan_install(setting))
    plugin, script = folder / ".opencode" / "plugin" / "ori.js", folder / "run.mjs"
    shutil.copy(plugin, folder / "ori.mjs")
    script.write_text(RUN, encoding="utf-8")
    note = vault / "notes" / "Bad.md"
    note.write_text("---\ntype: nonsense\n---\n\nNo heading, [[no such note]].\n", encoding="utf-8")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ORI_")}
    done = subprocess.run(
        [str(NODE), str(script), (folder / "ori.mjs").as_uri(), str(note)],
        cwd=folder, env={**environ, "ORI_HOOK_SECONDS": "50"}, capture_output=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_without_the_program_nothing_is_in_the_way(vault: Path, tmp_path: Path) -> None:
    answer = run(vault, tmp_path, ("/no/such/ori",))
    assert answer == {"first": [], "again": [], "title": [], "helper": [], "written": "Wrote it."}


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_brief_comes_once_a_session_and_notes_are_looked_at(vault: Path, tmp_path: Path) -> None:
    answer = run(vault, tmp_path, (sys.executable, "-m", "ori_memory"))
    (brief,) = answer["first"]
    assert "Quillon" in brief and answer["again"] == [brief]
    assert (answer["title"], answer["helper"]) == ([], [])
    assert answer["written"].startswith("Wrote it.\n\n") and "Bad.md" in answer["written"]
