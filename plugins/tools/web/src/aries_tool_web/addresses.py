"""Addresses of pages in one spelling, so that policy, person and connection speak of the same host."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from urllib.parse import quote, urlsplit, urlunsplit

from attrs import frozen

from aries_kernel.errors import BadArguments

__all__ = ["IP", "Address", "parse_address"]

IP = ipaddress.IPv4Address | ipaddress.IPv6Address

_LONGEST = 4_000
_HOST = re.compile(r"[a-z0-9_.-]+")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_UNSENT = re.compile(r"[\s\x00-\x1f\x7f\"<>\\^`{|}]|[^\x00-\x7f]")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_LOCAL_ENDINGS = ("localhost", "local", "internal", "home.arpa", "test", "lan")
"""Last parts of names that no public name has (RFC 6761, 6762, 8375, and what ICANN keeps out of the root)."""


@frozen
class Address:
    """A checked address, without user, password and fragment."""

    scheme: str
    host: str
    """Lower case and ASCII; an IP address in its usual form, without brackets."""
    port: int | None
    path: str
    query: str

    @property
    def netloc(self) -> str:
        """Host and port as they stand in an address; the usual port of the scheme is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole of it."""
        return urlunsplit((self.scheme, self.netloc, self.path, self.query, ""))

    @property
    def real_port(self) -> int:
        """The port that is connected to."""
        return self.port or (443 if self.scheme == "https" else 80)

    @property
    def ip(self) -> IP | None:
        """The host where it is an IP address, None where it is a name."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None

    @property
    def is_local_name(self) -> bool:
        """Whether the host is a name that cannot be of the public net, which whoever reads it can see."""
        if self.ip is not None:
            return False
        return "." not in self.host or self.host.endswith(tuple(f".{end}" for end in _LOCAL_ENDINGS))


def parse_address(text: str, *, drop_user: bool = False) -> Address:
    """Check an address and bring it into one spelling.

    `drop_user`: a user and a password in it, which are never sent, are left out instead of refused.
    Raises: BadArguments, which never shows a password.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise BadArguments(f"url: {len(text):,} characters are too many; {_LONGEST:,} are the most.")
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        raise BadArguments(f"url: not an address: {str(error).partition(':')[0]}.") from None
    if parts.scheme not in ("http", "https"):
        raise BadArguments("url: it must start with http:// or https://; files are for Read.")
    if "@" in parts.netloc and not drop_user:
        raise BadArguments("url: it holds a user or a password, which are never sent; leave out what is before the @.")
    if port == 0 or not host:
        raise BadArguments("url: the port 0 cannot be reached." if host else "url: it has no host.")
    usual = 443 if parts.scheme == "https" else 80
    host = _host(host, is_bracketed="[" in parts.netloc)
    return Address(parts.scheme, host, None if port == usual else port, _sent(parts.path) or "/", _sent(parts.query))


def _sent(text: str) -> str:
    """The text as it can stand in a request line; what is quoted already stays so."""
    try:
        return _UNSENT.sub(lambda found: quote(found[0], safe=_SAFE), text)
    except UnicodeEncodeError:
        raise BadArguments("url: it holds half a surrogate pair, which is no character.") from None


def _host(written: str, *, is_bracketed: bool) -> str:
    if is_bracketed:
        try:
            if "%" in written:
                raise ValueError("a zone names a cable of one machine")
            return _plain(ipaddress.IPv6Address(written))
        except ValueError:
            raise BadArguments(f"url: [{written[:100]}] is not an IPv6 address.") from None
    host = _ascii(written).removesuffix(".")
    if not _HOST.fullmatch(host) or any(not part or len(part) > 63 for part in host.split(".")) or len(host) > 253:
        raise BadArguments(f"url: {_shown(written)!r} is not a host name.")
    numbers = host.split(".")
    # A host whose last part is a number is an IPv4 address in one of its old spellings, or nothing (WHATWG URL 3.5).
    return str(_ipv4(numbers)) if _NUMBER.fullmatch(numbers[-1]) else host


def _ascii(written: str) -> str:
    if written.isascii():
        return written.lower()
    import idna

    try:
        return idna.encode(unicodedata.normalize("NFKC", written).lower(), uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise BadArguments(f"url: {_shown(written)!r} is not a host name.") from None


def _ipv4(parts: list[str]) -> ipaddress.IPv4Address:
    """Decimal, octal and hexadecimal parts, the last one filling what the others leave: `127.1`, `0x7f000001`."""
    values = [_value(part) for part in parts]
    if len(values) <= 4 and all(value is not None for value in values):
        *first, last = (value or 0 for value in values)
        room = 256 ** (4 - len(first))
        if last < room and all(value < 256 for value in first):
            return ipaddress.IPv4Address(sum(v << (8 * (3 - i)) for i, v in enumerate(first)) + last)
    raise BadArguments(f"url: {'.'.join(parts)[:100]!r} is not an IPv4 address.")


def _value(part: str) -> int | None:
    if not _NUMBER.fullmatch(part):
        return None
    try:
        if part[:2] in ("0x", "0X"):
            return int(part[2:] or "0", 16)
        return int(part, 8) if part.startswith("0") else int(part[:20])
    except ValueError:
        return None


def _plain(ip: ipaddress.IPv6Address) -> str:
    return str(ip.ipv4_mapped or ip)


def _shown(text: str) -> str:
    return text[:100]
