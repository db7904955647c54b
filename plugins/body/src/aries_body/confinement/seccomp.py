"""A filter of system calls on Linux: no sockets, no programs, nothing that reaches into other processes or the kernel.

Applies to the thread that calls it and what that starts, and cannot be taken back.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

__all__ = ["forbid_calls", "is_available"]

_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_X32 = 0x40000000
_NEW_NAMESPACES = 0x7E020080
"""Every CLONE_NEW flag of clone."""
_PUSH_INPUT, _LINUX_CONSOLE = 0x5412, 0x541C
"""Requests of ioctl that type into a terminal."""

_X86_64 = {
    "socket": 41, "execve": 59, "ptrace": 101, "syslog": 103, "personality": 135, "pivot_root": 155, "chroot": 161,
    "acct": 163, "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "init_module": 175,
    "delete_module": 176, "quotactl": 179, "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272,
    "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
    "kcmp": 312, "finit_module": 313, "kexec_load": 246, "kexec_file_load": 320, "bpf": 321, "execveat": 322,
    "userfaultfd": 323,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
}  # fmt: skip
_AARCH64 = {
    "socket": 198, "execve": 221, "ptrace": 117, "syslog": 116, "personality": 92, "pivot_root": 41, "chroot": 51,
    "acct": 89, "mount": 40, "umount2": 39, "swapon": 224, "swapoff": 225, "reboot": 142, "init_module": 105,
    "delete_module": 106, "quotactl": 60, "add_key": 217, "request_key": 218, "keyctl": 219, "unshare": 97,
    "perf_event_open": 241, "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
    "kcmp": 272, "finit_module": 273, "kexec_load": 104, "kexec_file_load": 294, "bpf": 280, "execveat": 281,
    "userfaultfd": 282,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442,
}  # fmt: skip
_ABOUT_FILES = {
    "x86_64": (90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199, 235, 260, 261, 268, 280, 452, 463, 466, 469),
    "aarch64": (5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 88, 452, 463, 466, 469),
}
"""Calls that change the mode, owner, times and attributes of files, which Landlock leaves open."""
_MACHINES = {"x86_64": (0xC000003E, _X86_64, 56, 16), "aarch64": (0xC00000B7, _AARCH64, 220, 29)}
"""Machine: its number in the kernel, its calls, and those of clone and ioctl, of which only some uses are forbidden."""
_CLONE3 = 435


def is_available() -> bool:
    """Whether this machine has such filters and this module knows its system calls."""
    get_seccomp = 21
    return (
        sys.platform.startswith("linux")
        and platform.machine() in _MACHINES
        and sys.maxsize > 2**32
        and ctypes.CDLL(None).prctl(get_seccomp, 0, 0, 0, 0) >= 0
    )


def forbid_calls(*, about_files: bool = False) -> None:
    """Apply the filter; a forbidden call fails with EPERM from now on.

    `about_files`: changes of modes, owners, times and attributes are forbidden too.
    Raises: OSError where the system does not take it.
    """
    program = _program(about_files)
    block = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a count, padding, a pointer.
    head = ctypes.create_string_buffer(struct.pack("@HxxxxxxQ", len(program) // 8, ctypes.addressof(block)))
    library = ctypes.CDLL(None, use_errno=True)
    set_no_new_privileges, set_seccomp, mode_filter = 38, 22, 2
    if library.prctl(set_no_new_privileges, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs cannot be set")
    if library.prctl(set_seccomp, mode_filter, head, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system-call filter was not taken")


def _program(about_files: bool) -> bytes:
    machine, calls, clone, ioctl = _MACHINES[platform.machine()]
    refuse, missing = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_JUMP_EQUAL, machine, 1, 0),
        _line(_RETURN, _KILL),  # another architecture has other numbers for the same calls
        _line(_LOAD, _NUMBER),
        _line(_JUMP_ABOVE, _X32 - 1, 0, 1),
        _line(_RETURN, refuse),
    ]
    more = _ABOUT_FILES[platform.machine()] if about_files else ()
    for number in sorted({*calls.values(), *more}):
        lines += [_line(_JUMP_EQUAL, number, 0, 1), _line(_RETURN, refuse)]
    # Its flags are in memory, where no filter can look: the C library takes clone instead.
    lines += [_line(_JUMP_EQUAL, _CLONE3, 0, 1), _line(_RETURN, missing)]
    lines += [
        _line(_JUMP_EQUAL, clone, 0, 4),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_JUMP_SET, _NEW_NAMESPACES, 0, 1),
        _line(_RETURN, refuse),
        _line(_RETURN, _ALLOW),
        _line(_JUMP_EQUAL, ioctl, 0, 4),
        _line(_LOAD, _SECOND_ARGUMENT),
        _line(_JUMP_EQUAL, _PUSH_INPUT, 1, 0),
        _line(_JUMP_EQUAL, _LINUX_CONSOLE, 0, 1),
        _line(_RETURN, refuse),
        _line(_RETURN, _ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
