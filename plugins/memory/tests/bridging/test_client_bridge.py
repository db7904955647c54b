"""A whole bridge over files that hold anything a person may have written."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from aries_kernel.contracts.bridge import Setting
from aries_kernel.errors import UserError
from ori_memory.bridging.applying import apply_install, apply_uninstall, restoring
from ori_memory.bridging.client_bridge import ClientBridge, in_project
from ori_memory.bridging.receipts import Receipts
from ori_memory.bridging.surface import InstructionBlock, JsonServer, TomlServer, YamlServer

BRIDGE = ClientBridge(
    name="any",
    title="Any",
    default_activation="manual",
    scopes=("project",),
    surfaces=(
        JsonServer(in_project("a.json"), ("servers", "all")),
        TomlServer(in_project("a.toml"), ("servers",)),
        YamlServer(in_project("a.yaml"), ("servers",)),
        InstructionBlock(in_project("A.md"), "any"),
    ),
)
NAMES = st.sampled_from(("a", "servers", "all", "é x", "1"))
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
JSON = st.builds(json.dumps, DATA, indent=st.sampled_from((None, 2, "\t")))
TOML = st.lists(
    st.sampled_from(("a = 1", "[servers]", "[servers.x]", "[b]", "[[c]]", "# x", "", 'k = """\n[x]"""', "d.e = 2")),
    max_size=6,
)
YAML = JSON | st.lists(
    st.sampled_from(("a: 1", "servers:", "servers: {}", "  x: 1", "- a", "# x", "", "b: |", "  text", "c: [1, 2]")),
    max_size=6,
).map("\n".join)
TEXTS = st.tuples(JSON, TOML.map("\n".join), YAML, st.text(max_size=30))


@contextmanager
def project(contents: tuple[str, ...]) -> Iterator[tuple[Setting, Receipts, dict[str, bytes]]]:
    with tempfile.TemporaryDirectory(prefix="a project ü ") as name:
        folder = Path(name)
        files = dict(zip(("a.json", "a.toml", "a.yaml", "A.md"), (text.encode() for text in contents), strict=True))
        for file, data in files.items():
            (folder / file).write_bytes(data)
        setting = Setting("project", folder, folder, ("/o r/ori",), folder / "v", "manual", {})
        yield setting, Receipts(folder / "state"), files


def contents(setting: Setting) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in setting.project.iterdir() if path.is_file()}


@settings(max_examples=40)  # Each example writes and syncs four files, three times.
@given(TEXTS, st.lists(st.sampled_from(("\n", "\r\n", "\ufeff", "")), min_size=4, max_size=4))
def test_every_file_comes_back_to_the_byte_or_nothing_was_touched(texts: tuple[str, ...], more: list[str]) -> None:
    odd = tuple(
        (one if one == "\ufeff" else "") + text + (one if one != "\ufeff" else "")
        for text, one in zip(texts, more, strict=True)
    )
    with project(odd) as (setting, receipts, before):
        try:
            plan = BRIDGE.plan_install(setting)
        except UserError:
            assert contents(setting) == before
            return
        apply_install(plan, "any", receipts)
        assert BRIDGE.status(setting).is_installed and BRIDGE.plan_install(setting).edits == ()
        removal = BRIDGE.plan_uninstall(setting)
        apply_uninstall(restoring(removal, "any", receipts), "any", receipts)
        assert contents(setting) == before
        assert BRIDGE.plan_uninstall(setting).edits == ()


def test_one_file_that_cannot_be_read_stops_the_others_too(tmp_path: Path) -> None:
    with project(("{}", "a = ", "", "")) as (setting, _, before):
        try:
            BRIDGE.plan_install(setting)
        except UserError as error:
            assert f"{setting.project / 'a.toml'}:1:" in str(error)
        else:
            raise AssertionError("it must not be planned")
        assert contents(setting) == before
