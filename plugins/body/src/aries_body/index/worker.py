"""A process that reads files for another one: requests on standard input, answers on standard output.

It ends when its input does, so a parent that was killed leaves nobody behind.
"""

from __future__ import annotations

import gc
import marshal
import sys
from typing import IO, Any

__all__ = ["main", "receive", "send"]

_LENGTH = 8


def send(stream: IO[bytes], value: Any) -> None:
    """One message: its length, then plain data."""
    data = marshal.dumps(value)
    stream.write(len(data).to_bytes(_LENGTH, "big") + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message; None at the end."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    return None if len(data) < size else marshal.loads(data)


def main() -> None:
    """First the search path and the packs, then a list of paths at a time."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    # Whatever a pack prints must not become part of an answer.
    sys.stdout = sys.stderr
    first = receive(requests)
    if first is None:
        return
    search_path, root, most, places = first
    sys.path[:] = search_path
    # Facts are many small values without cycles; looking through them for garbage would take a fifth of the time.
    gc.set_threshold(100_000, 50, 50)
    from aries_body.index.packs import Packs
    from aries_body.index.reading import Reading, read_file

    packs = Packs(places)
    while (paths := receive(requests)) is not None:
        # Files of one size come together.
        twins: dict[bytes, Reading] = {}
        readings = [read_file(root, path, most, packs, twins) for path in paths]
        send(answers, [(*one[:3], tuple(one.summary), tuple(one.parts), one.broken_pack) for one in readings])


if __name__ == "__main__":
    main()
