from attrs import frozen

from aries_kernel.broker.effects import ReadPath
from aries_kernel.contracts import ToolContext, ToolOutput
from aries_kernel.errors import ToolFailed
from aries_kernel.tools.schema import described


@frozen
class Arguments:
    path: str = described("the file, relative to the project")


class WordCount:
    name, description = "WordCount", "Count the words of a text file."
    arguments, reads_only = Arguments, True

    def __init__(self, context: ToolContext) -> None:
        self.workspace = context.workspace

    def effects(self, arguments: Arguments) -> list[ReadPath]:
        return [ReadPath(self.workspace.locate(arguments.path).real)]

    async def run(self, arguments: Arguments) -> ToolOutput:
        file = self.workspace.locate(arguments.path).real
        if not file.is_file():
            raise ToolFailed(f"{arguments.path} is not a file.")
        return ToolOutput(f"{len(file.read_text(encoding='utf-8', errors='replace').split())} words")
