"""What is worked out once for a tool."""

from __future__ import annotations

from aries_kernel.model.request import ToolSchema
from aries_provider_http.remembering import PerTool


def test_the_same_tool_is_worked_out_once_and_another_one_by_itself() -> None:
    asked = []

    def work(tool: ToolSchema) -> str:
        asked.append(tool.name)
        return tool.name.upper()

    remembered = PerTool(work)
    first, second = ToolSchema("a", "", {"type": "object"}), ToolSchema("b", "", {"type": "object"})
    assert [remembered(one) for one in (first, second, first)] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_tools_that_come_and_go_are_never_mistaken_for_each_other() -> None:
    remembered = PerTool(lambda tool: dict(tool.parameters))
    for number in range(5_000):
        assert remembered(ToolSchema("x", "", {"number": number})) == {"number": number}
