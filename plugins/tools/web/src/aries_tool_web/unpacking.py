"""Undoing the compression of an answer, never further than a limit: a small answer may hold a very large one."""

from __future__ import annotations

import zlib

from aries_kernel.errors import ToolFailed

__all__ = ["ACCEPTED", "unpacked"]

ACCEPTED = "gzip, deflate"
"""What is asked for: what the standard library undoes in pieces of a size that is asked for."""

_MOST_LAYERS = 3
_GZIP = b"\x1f\x8b"


def unpacked(data: bytes, encodings: str, most: int) -> tuple[bytes, bool]:
    """The bytes without what the header Content-Encoding says was done to them, and whether some were left out.

    An answer that only claims to be packed is taken as it is, one that breaks off is taken as far as it goes.
    Raises: ToolFailed for a compression that was not asked for.
    """
    layers = [one for name in encodings.lower().split(",") if (one := name.strip()) and one != "identity"]
    if len(layers) > _MOST_LAYERS:
        raise ToolFailed(f"The answer says it is packed {len(layers)} times over; it was not read.")
    is_cut = len(data) > most
    for layer in reversed(layers):
        data, is_more = _without(data, layer, most)
        is_cut = is_cut or is_more
    return data[:most], is_cut


def _without(data: bytes, layer: str, most: int) -> tuple[bytes, bool]:
    if layer in ("gzip", "x-gzip"):
        return _inflated(data, 31, most) if data.startswith(_GZIP) else (data, False)
    if layer == "deflate":
        # Half of the servers that say deflate mean the bare stream, without the head that RFC 9110 asks for.
        for window in (15, -15):
            try:
                return _inflated(data, window, most)
            except zlib.error:
                continue
        return data, False
    if _is_plain(data):
        return data, False
    raise ToolFailed(f"The answer is packed with {layer[:40]!r}, which was not asked for; it cannot be read.")


def _inflated(data: bytes, window: int, most: int) -> tuple[bytes, bool]:
    found, rest = bytearray(), data
    while rest and len(found) <= most:
        machine = zlib.decompressobj(window)
        try:
            while rest and not machine.eof and len(found) <= most:
                found += machine.decompress(rest, most + 1 - len(found))
                rest = machine.unconsumed_tail
        except zlib.error:
            if not found:
                if window == 31:
                    return data, False
                raise
            return bytes(found), True  # It is damaged from here on.
        if window != 31 or not machine.unused_data.startswith(_GZIP):
            break
        rest = machine.unused_data
    return bytes(found), len(found) > most


def _is_plain(data: bytes) -> bool:
    return not data or (b"\0" not in data[:1024] and all(byte >= 32 or byte in b"\t\n\f\r\x1b" for byte in data[:1024]))
