"""Which machines a request may go to: decided on the very address that is connected to."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from enum import IntEnum
from fnmatch import fnmatchcase

from attrs import frozen

from aries_kernel.errors import ToolFailed
from aries_tool_web.addresses import IP, Address

__all__ = ["Guard", "Reach", "reach_of"]

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_SITE_LOCAL = ipaddress.IPv6Network("fec0::/10")
_SELF_DESCRIBING: frozenset[IP] = frozenset(
    ipaddress.ip_address(one) for one in ("100.100.100.200", "168.63.129.16", "fd00:ec2::254")
)
"""Where machines of clouds get their own keys from, outside of the link-local range."""


class Reach(IntEnum):
    """How far away a machine is."""

    PUBLIC = 0
    PRIVATE = 1
    """This machine, or one of its own network."""
    CLOSED = 2
    """An address of the link, of a cloud's own services, or of no machine at all."""


def reach_of(ip: IP) -> Reach:
    """Where an address leads; one that holds another address in itself leads as far as that does."""
    inner = _inner(ip)
    if inner:
        return max(reach_of(one) for one in inner)
    if ip in _SELF_DESCRIBING or ip.is_link_local or ip.is_multicast:
        return Reach.CLOSED
    if ip.is_loopback or ip.is_unspecified:
        return Reach.PRIVATE
    if isinstance(ip, ipaddress.IPv6Address) and ip in _SITE_LOCAL:
        return Reach.PRIVATE
    if ip.is_private:
        return Reach.PRIVATE
    if ip.is_reserved:
        return Reach.CLOSED
    return Reach.PUBLIC if ip.is_global else Reach.PRIVATE


def _inner(ip: IP) -> Sequence[IP]:
    if isinstance(ip, ipaddress.IPv4Address):
        return ()
    if ip in _NAT64:
        return (ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF),)
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if int(ip) >> 32 == 0 and int(ip) > 1:  # IPv4-compatible, as old as IPv6 itself
        found.append(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF))
    return [one for one in found if one is not None]


@frozen
class Guard:
    """Judges the machines of one request and of where its redirects lead."""

    private_hosts: Sequence[str] = ()
    """Patterns of hosts that the settings open."""

    def is_local(self, address: Address) -> bool:
        """Whether the address itself says that it is not of the public net."""
        ip = address.ip
        return address.is_local_name if ip is None else reach_of(ip) is not Reach.PUBLIC

    def is_opened(self, address: Address) -> bool:
        """Whether the settings name the host."""
        return any(fnmatchcase(address.host, pattern.lower().strip("[]")) for pattern in self.private_hosts)

    def check_redirect(self, before: Address, after: Address) -> None:
        """A page of the public net must not send a request into this network. Raises: ToolFailed."""
        if self.is_local(after) and not self.is_local(before) and not self.is_opened(after):
            raise ToolFailed(
                f"{before.url} redirects to {after.url}, which is not of the public net; that is not followed. "
                "If it is meant, fetch that address itself."
            )

    def usable(self, address: Address, found: Sequence[IP]) -> list[IP]:
        """Those of the addresses of a host that may be connected to. Raises: ToolFailed where there is none."""
        if self.is_opened(address):
            return list(found)
        furthest = Reach.PRIVATE if self.is_local(address) else Reach.PUBLIC
        kept = [ip for ip in found if reach_of(ip) <= furthest]
        if kept:
            return kept
        what = "is" if address.ip else f"is at {', '.join(map(str, found[:3]))}, which is"
        where = "not a public address" if furthest is Reach.PUBLIC else "an address that only machines ask"
        raise ToolFailed(
            f"{address.host} {what} {where}; nothing was sent. If it is meant, the person can name it under "
            "web.private_hosts in their settings."
        )
