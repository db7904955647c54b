"""Wheels of ours and of strangers, installed into an empty environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOAD = """
import json, sys
from aries_kernel.discovery.registry import Plugins
plugins = Plugins.discover(environ={})
entries = [[entry.group, entry.name, entry.distribution, entry.state] for entry in plugins.entries()]
print(json.dumps({"entries": entries, "problems": [str(problem) for problem in plugins.check()]}))
"""

COUNT = """
import asyncio, sys
from pathlib import Path
from aries_kernel.broker.workspace import Workspace
from aries_kernel.contracts import ToolContext
from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import ToolFailed
from aries_kernel.settings.schema import OutputLimits
from aries_kernel.tools.schema import json_schema, parse_arguments
Path("poem.txt").write_text("so much depends upon", encoding="utf-8")
kind = Plugins.discover(environ={}).drivers.load("aries.tools", "WordCount")
context = ToolContext(Workspace(Path.cwd()), {}, OutputLimits(), lambda suffix, data: Path(), Path.cwd())
tool = kind(context)
assert json_schema(tool.arguments)["required"] == ["path"]
given = parse_arguments(tool.arguments, '{"path": "poem.txt"}')
assert [effect.path.name for effect in tool.effects(given)] == ["poem.txt"]
print(asyncio.run(tool.run(given)).text)
try:
    asyncio.run(tool.run(parse_arguments(tool.arguments, '{"path": "prose.txt"}')))
except ToolFailed as error:
    print(error)
"""

SPEAK = """
import asyncio
from pathlib import Path
from aries_kernel.contracts import ProviderContext
from aries_kernel.discovery.registry import Plugins
from aries_kernel.model.messages import UserMessage
from aries_kernel.model.request import Request
factory = Plugins.discover(environ={}).drivers.load("aries.providers", "parrot")
parrot = factory(ProviderContext(factory.options_type(prefix="> "), {}, Path.cwd()))
async def main():
    request = Request("grey", "", (), (UserMessage("hello"),), "s")
    print([type(piece).__name__ for piece in [piece async for piece in parrot.stream(request)]])
    print([piece async for piece in parrot.stream(request)][0].text)
asyncio.run(main())
"""


def test_every_entry_point_of_ours_and_of_the_samples_is_found_and_loads(
    environment: Any, members: list[Any], samples: list[Any]
) -> None:
    found = environment.json("-c", LOAD)
    expected = [
        [group, name, member.name, "enabled"]
        for member in [*members, *samples]
        for group, names in member.pyproject["project"].get("entry-points", {}).items()
        if group.startswith(("aries.", "ori."))
        for name in names
    ]
    assert found["problems"] == []
    assert sorted(found["entries"]) == sorted(expected)


def test_the_tool_of_a_stranger_works_through_the_contract(environment: Any) -> None:
    assert environment.run("-c", COUNT).splitlines() == ["4 words", "prose.txt is not a file."]


def test_the_provider_of_a_stranger_works_through_the_contract(environment: Any) -> None:
    assert environment.run("-c", SPEAK).splitlines() == ["['TextPiece', 'Stopped']", "> hello"]


def test_the_command_lists_the_plugins_of_strangers(environment: Any, samples: list[Any]) -> None:
    listed = environment.json("-m", "aries_cli", "plugins", "--json")
    known = {row["distribution"]: row["state"] for row in listed["plugins"]}
    assert {sample.name: known.get(sample.name) for sample in samples} == {sample.name: "enabled" for sample in samples}


def test_the_command_answers_a_prompt_with_the_provider_of_a_stranger(environment: Any) -> None:
    answer = environment.run("-m", "aries_cli", "--model", "parrot/grey", "-p", "pretty bird")
    assert answer.startswith("pretty bird")


def test_the_sample_that_the_readme_quotes_has_at_most_twenty_lines(samples: list[Any]) -> None:
    (sample,) = [sample for sample in samples if sample.folder.name == "word_count"]
    (source,) = sample.folder.rglob("*.py")
    lines = [line for line in source.read_text(encoding="utf-8").splitlines() if line]
    assert len(lines) <= 20


def test_the_samples_depend_on_the_kernel_alone(samples: list[Any]) -> None:
    for sample in samples:
        (requirement,) = sample.pyproject["project"]["dependencies"]
        assert requirement.startswith("aries-kernel")


def test_wheels_hold_their_marker_of_types(environment: Any, members: list[Any]) -> None:
    names = [member.name.replace("-", "_") for member in members]
    code = (
        "import importlib.util, json, pathlib, sys; print(json.dumps([name for name in sys.argv[1:] if not "
        "(pathlib.Path(importlib.util.find_spec(name).origin).parent / 'py.typed').is_file()]))"
    )
    assert json.loads(environment.run("-c", code, *names)) == []
    assert Path(environment.run("-c", "import aries_kernel; print(aries_kernel.__file__)").strip()).is_relative_to(
        environment.folder
    )
