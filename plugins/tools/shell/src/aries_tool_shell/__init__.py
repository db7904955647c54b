"""The tool Bash, with every simple command of a script laid open to the policy."""

from aries_tool_shell.tool import Bash, BashArguments

__all__ = ["Bash", "BashArguments"]
