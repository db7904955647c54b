"""Run as a program: four writers at one vault, killed again and again; tells on standard output what was done.

Writers are forked, since importing the library for each would take longer than what they do.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.memory import Memory
from ori_memory.operations.composing import NewNote
from ori_memory.operations.moving import move_note
from ori_memory.operations.promoting import promote_note
from ori_memory.vault.finding import open_vault
from ori_memory.vault.making import init_vault

WRITERS = 4
FILLER = "filler\n" * 200


def main(folder: Path, wanted: int) -> None:
    """Kill and start writers until `wanted` operations were acknowledged."""
    _import_everything()
    chance = random.Random(7)
    reader, writer = os.pipe()
    done = rounds = 0
    while done < wanted:
        rounds += 1
        children = [_start(folder, f"{rounds}-{number}", reader, writer) for number in range(WRITERS)]
        until = done + chance.randint(1, 30)
        while done < until:
            done += _pass_on(reader)
        # The others are anywhere in their work at this moment; a little later so is the one that was just heard.
        select.select([], [], [], chance.uniform(0, 0.03))
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    os.close(writer)
    while _pass_on(reader):
        pass
    sys.stdout.write(f"killed {rounds * WRITERS}\n")


def _import_everything() -> None:
    """What writers would import each for itself."""
    with tempfile.TemporaryDirectory() as scratch, Memory.open(init_vault(Path(scratch)).vault) as memory:
        added = memory.add(NewNote("Warm", "up"))
        memory.read(move_note(memory, added.path, "Warmer").path)


def _pass_on(reader: int) -> int:
    if not select.select([reader], [], [], 60)[0]:
        raise TimeoutError("no writer has done anything for a minute")
    data = os.read(reader, 1 << 16)
    sys.stdout.write(data.decode())
    return data.count(b"\n") - data.count(b"refused")


def _start(folder: Path, name: str, reader: int, writer: int) -> int:
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            _write(folder, name, writer)
        except BaseException:
            _say(writer, f"failed {traceback.format_exc()!r}")
        os._exit(0)
    return child


def _say(writer: int, line: str) -> None:
    os.write(writer, f"{line}\n".encode()[: select.PIPE_BUF])


def _write(folder: Path, name: str, writer: int) -> None:
    chance = random.Random(name)
    with Memory.open(open_vault(folder)) as memory:
        for number in range(1000):
            token = f"{name}-{number}"
            body = "" if chance.random() < 0.3 else f"body of {token} begins\n{FILLER}body of {token} ends"
            added = memory.add(NewNote(f"Note {token}", body))
            _say(writer, f"added {token} {added.id}")
            if added.is_promoted:
                _say(writer, f"promoted {token} {added.id}")
            try:
                if chance.random() < 0.4:
                    move_note(memory, added.path, f"Moved {token}")
                    _say(writer, f"moved {token} {added.id}")
                if not body and chance.random() < 0.5:
                    path = memory.index.note(added.id).path
                    file = folder / path
                    told = f"\nbody of {token} begins, body of {token} ends\n".encode()
                    replace_bytes(file, file.read_bytes() + told)  # As an editor does that loses nothing when killed.
                    memory.refresh()
                    promote_note(memory, path)
                    _say(writer, f"promoted {token} {added.id}")
                if chance.random() < 0.2:
                    memory.read(added.id)
                    _say(writer, f"used {token} {added.id}")
            except UserError as error:
                _say(writer, f"refused {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
