"""Fetching what an address leads to: redirects are followed one by one, and each is judged as a request of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urljoin

from attrs import frozen

from aries_kernel.errors import BadArguments, ToolFailed
from aries_tool_web.addresses import Address, parse_address
from aries_tool_web.kinds import kind_of, media_type
from aries_tool_web.network import Network, Reply

__all__ = ["Admit", "Fetched", "fetched"]

Admit = Callable[[Address, Address], Awaitable[None]]
"""`admit(before, after)` returns where a request to `after` may follow one to `before`, and raises otherwise."""

_MOST_REDIRECTS = 8
_REDIRECTS = {301, 302, 303, 307, 308}
_FAULT_BYTES = 16_384
_PROBE_BYTES = 4_096
_HINTS = {
    401: "it wants a login, which this tool has not",
    402: "it wants to be paid",
    403: "it may want a login, or serve no programs",
    407: "the proxy wants a login",
    429: "too many requests",
    451: "it must not show that here",
}


@frozen
class Fetched:
    """A good answer, and where it came from at last."""

    address: Address
    reply: Reply
    media: str
    charset: str | None


async def fetched(network: Network, first: Address, *, seconds: float, most: int, admit: Admit) -> Fetched:
    """Ask for `first` and go where it sends on; `seconds` does not count the time that `admit` takes.

    Raises: ToolFailed, and what `admit` raises.
    """
    loop, address, left = asyncio.get_running_loop(), first, seconds
    for _ in range(_MOST_REDIRECTS + 1):
        started = loop.time()
        try:
            async with asyncio.timeout(max(left, 0.0)):
                reply = await network.ask(address, lambda head: _wanted(head, most))
        except TimeoutError as error:
            raise ToolFailed(
                f"{address.url} did not answer to the end within {seconds:g} s; it was given up."
            ) from error
        left -= loop.time() - started
        target = _target(address, reply)
        if target is None:
            return _good(address, reply)
        network.guard.check_redirect(address, target)
        await admit(address, target)
        address = target
    raise ToolFailed(f"{first.url} redirects more than {_MOST_REDIRECTS} times, the last time to {address.url}.")


def _wanted(head: Reply, most: int) -> int:
    """How much of the body is of use."""
    if head.status in _REDIRECTS and head.headers.get("location"):
        return 0
    if not 200 <= head.status < 300:
        return _FAULT_BYTES
    # The type alone tells what most files are; of the others the beginning does.
    return most if kind_of(media_type(head.headers)[0], b"").form != "binary" else _PROBE_BYTES


def _target(address: Address, reply: Reply) -> Address | None:
    location = reply.headers.get("location", "").strip()
    if reply.status not in _REDIRECTS or not location:
        return None
    try:
        return parse_address(urljoin(address.url, location), drop_user=True)
    except (BadArguments, ValueError) as error:
        raise ToolFailed(f"{address.url} redirects to what is no address of a page: {str(error)[:200]}") from error


def _good(address: Address, reply: Reply) -> Fetched:
    media, charset = media_type(reply.headers)
    if not 200 <= reply.status < 300:
        raise ToolFailed(f"{address.url} answered {_status(reply)}{_said(reply, media, charset)}")
    if reply.status in (204, 205) or not reply.data:
        raise ToolFailed(f"{address.url} answered {_status(reply)}: there is nothing on it.")
    kind = kind_of(media, reply.data, charset)
    if kind.form == "binary":
        raise ToolFailed(f"{address.url} is {kind.words}{_sized(reply, media)}; only text is read.")
    return Fetched(address, reply, media, charset)


def _status(reply: Reply) -> str:
    try:
        return f"{reply.status} {HTTPStatus(reply.status).phrase}"
    except ValueError:
        return str(reply.status)


def _said(reply: Reply, media: str, charset: str | None) -> str:
    """What is to be done, or the server's own words where they are few and plain."""
    hint = _HINTS.get(reply.status, "")
    after = reply.headers.get("retry-after", "").strip()
    if after.isascii() and after.isdigit():
        hint = f"{hint or 'it is busy'}; again in {after[:6]} s"
    if hint:
        return f": {hint}."
    kind = kind_of(media, reply.data, charset)
    text = reply.data.decode("utf-8", "replace") if kind.form == "text" else ""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[:2_000]).split())
    if not line:
        return "."
    return f": {line[:200]}…" if len(line) > 200 else f": {line}" if line.endswith((".", "!", "?")) else f": {line}."


def _sized(reply: Reply, media: str) -> str:
    size = reply.headers.get("content-length", "")
    told = [media] if media else []
    if size.isascii() and size.isdigit():
        told.append(f"{int(size[:15]):,} bytes")
    elif not reply.is_cut:
        told.append(f"{len(reply.data):,} bytes")
    return f" ({', '.join(told)})" if told else ""
