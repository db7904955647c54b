"""What fills a model's window, told to a person."""

from __future__ import annotations

from aries_kernel.loop.occupancy import Occupancy

__all__ = ["filling"]


def filling(found: Occupancy) -> str:
    """A few lines: each part, then the whole against the window."""
    parts = (
        ("rules", found.rules),
        (f"{found.tool_count} tool{'' if found.tool_count == 1 else 's'}", found.tools),
        ("conversation", found.conversation),
    )
    width = max(len(name) for name, _ in parts)
    lines = [f"  {name:<{width}}  about {size:>9,} tokens" for name, size in parts]
    if found.counted is not None:
        lines.append(f"  counted by the server: {found.counted:,} tokens")
    elif found.problem:
        lines.append(f"  not counted by the server: {found.problem}")
    if found.last is not None:
        lines.append(f"  the last request and its answer took {found.last:,} tokens")
    if found.window is None:
        return "\n".join(["The size of the model's window is not known. The next request:", *lines])
    share = 100 * found.best / found.window
    return "\n".join([f"{share:.0f}% of {found.window:,} tokens are used. The next request:", *lines])
