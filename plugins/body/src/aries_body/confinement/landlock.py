"""Landlock: a process gives up access to files, network and other processes for itself and what it starts."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

__all__ = ["READ", "WRITE", "restrict", "version"]

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
READ = _EXECUTE | _READ_FILE | _READ_FOLDER
WRITE = READ | (1 << 16) - 1 - _IOCTL_DEVICE - _EXECUTE
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
"""The rights that make sense for something that is not a folder."""
_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights about files a version knows."""


def version() -> int:
    """The version that this kernel offers; 0 where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    ask_version = 1
    return int(max(ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), ask_version), 0))


def restrict(allowed: Iterable[tuple[str, int]]) -> None:
    """Give up everything but the rights named for each path and what is below it; paths that are missing do not matter.

    Also gives up TCP from version 4 on, and signals and abstract sockets of other processes from 6 on.
    Raises: OSError where the system does not take it.
    """
    found = version()
    handled = (1 << _BITS[min(found, 5)]) - 1
    attributes = struct.pack("=QQQ", handled, 3 if found >= 4 else 0, 3 if found >= 6 else 0)
    size = 8 if found < 4 else 16 if found < 6 else 24
    rules = _call(_CREATE, ctypes.create_string_buffer(attributes), ctypes.c_size_t(size), 0)
    try:
        for path, rights in allowed:
            _allow(rules, path, rights & handled)
        set_no_new_privileges = 38
        ctypes.CDLL(None).prctl(set_no_new_privileges, 1, 0, 0, 0)
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        is_folder = os.path.isdir(path)  # noqa: PTH112 - pathlib is not imported yet in a body that starts
        rule = struct.pack("=Qi", rights if is_folder else rights & _OF_FILES, descriptor)
        _call(_ADD_RULE, rules, _PATH_BENEATH, ctypes.create_string_buffer(rule), 0)
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    found = library.syscall(ctypes.c_long(number), *arguments)
    if found < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return int(found)
