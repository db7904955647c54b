"""Why a file of somebody else cannot be edited, and where in it."""

from __future__ import annotations

from aries_kernel.errors import UserError

__all__ = ["CannotEdit", "line_of"]


class CannotEdit(UserError):
    """The text is not what it should be, at a place; whoever knows the file puts its name before it."""

    def __init__(self, message: str, line: int, column: int = 0) -> None:
        self.reason, self.line, self.column = message, line, column
        super().__init__(f"{line}{f':{column}' if column else ''}: {message}")


def line_of(text: str, at: int) -> tuple[int, int]:
    """Line and column of a character, as editors count."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
