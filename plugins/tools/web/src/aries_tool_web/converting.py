"""Converting a page in a process that can be ended: however long it is, and whatever is in it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Mapping

from attrs import frozen

from aries_kernel.errors import ToolFailed

__all__ = ["Page", "convert"]


@frozen
class Page:
    """A page as text."""

    title: str
    text: str
    notes: tuple[str, ...]


async def convert(html: str, url: str, environ: Mapping[str, str], seconds: float) -> Page:
    """The page as markdown.

    Raises: ToolFailed where it takes longer than `seconds`, or more memory than a page may.
    """
    given = f"{json.dumps(url)}\n{html}".encode("utf-8", "replace")
    # -P: what lies in the current folder, a stranger's project perhaps, is not what is imported.
    command = (sys.executable, "-P", "-X", "utf8", "-m", "aries_tool_web.markdown", str(seconds))
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environ),
    )
    try:
        async with asyncio.timeout(seconds):
            answer, errors = await process.communicate(given)
    except TimeoutError as error:
        raise ToolFailed(f"{url} could not be converted to text within {seconds:g} s; it was given up.") from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # It ended by itself just now.
                process.kill()
            await asyncio.shield(process.wait())
    if process.returncode:
        said = errors.decode("utf-8", "replace").strip().rpartition("\n")[2][:200] or f"code {process.returncode}"
        raise ToolFailed(f"{url} could not be converted to text: {said}.")
    found = json.loads(answer)
    return Page(found["title"], found["text"], tuple(found["notes"]))
