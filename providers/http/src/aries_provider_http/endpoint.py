"""The address of a server: what people write, made into what is asked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit, urlunsplit

from attrs import frozen

from aries_kernel import proxies
from aries_kernel.errors import ConfigError

__all__ = ["AddressRule", "Endpoint", "parse_endpoint", "proxy_for"]

_HOST = re.compile(r"[^\s/?#@\\%<>^`{|}\"]+")


@frozen
class AddressRule:
    """How addresses of one wire format end."""

    version: str = "/v1"
    """What a bare host gets."""
    operations: tuple[str, ...] = ("/chat/completions", "/responses")
    """Ends of full addresses, which people copy out of examples."""
    always_versioned: bool = False
    """Any path without a version gets one, as the vendor's own clients do it."""


@frozen
class Endpoint:
    """A checked base URL."""

    scheme: str
    host: str
    """Lower case, without brackets."""
    port: int | None
    path: str
    query: str = ""

    @property
    def netloc(self) -> str:
        """Host and port as they stand in a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def base_url(self) -> str:
        """Without a slash at its end."""
        return urlunsplit((self.scheme, self.netloc, self.path, self.query, ""))

    def url(self, operation: str) -> str:
        """Where an operation is asked for: a path, perhaps with a query of its own."""
        path, _, query = operation.partition("?")
        queries = "&".join(part for part in (self.query, query) if part)
        return urlunsplit((self.scheme, self.netloc, self.path + path, queries, ""))

    @property
    def origin(self) -> tuple[str, str, int]:
        """What must stay the same for a redirect to be followed."""
        return self.scheme, self.host, self.port or (443 if self.scheme == "https" else 80)

    @property
    def is_loopback(self) -> bool:
        """Whether the server runs on this machine."""
        return proxies.is_this_machine(self.host)


def parse_endpoint(text: str, where: str, rule: AddressRule | None = None) -> Endpoint:
    """Check a base URL; a bare host gets the version of `rule`, a full address of an operation loses its end.

    Raises: ConfigError that starts with `where` and never shows a password.
    """
    rule = rule or AddressRule()
    text = text.strip()
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ConfigError([f"{where}: not a URL: {error}."]) from None
    problem = _problem(text, parts)
    if problem:
        raise ConfigError([f"{where}: {problem} An example: https://api.example.com{rule.version}"])
    path = _path(parts.path, rule)
    return Endpoint(parts.scheme.lower(), (parts.hostname or "").lower(), port, path, parts.query)


def _path(written: str, rule: AddressRule) -> str:
    path = re.sub(r"/{2,}", "/", written).rstrip("/")
    for operation in rule.operations:
        path = path.removesuffix(operation).rstrip("/")
    is_versioned = re.search(r"/v\d[\w.]*$", path)
    if not written.strip("/") or (rule.always_versioned and not is_versioned):
        return path + rule.version
    return path


def _problem(text: str, parts: SplitResult) -> str | None:
    if not text:
        return "it is empty."
    if "@" in parts.netloc:
        return "user and password do not belong into it; use api_key_env, api_key_cmd or headers."
    if parts.scheme.lower() not in ("http", "https"):
        return f"'{text[:200]}' must start with http:// or https://."
    if not parts.hostname:
        return f"'{text[:200]}' has no host."
    if any(ord(char) <= 32 or ord(char) == 127 for char in text):
        return "it holds a space or a control character."
    if parts.fragment or "#" in text:
        return f"'{text[:200]}' has a part after '#', which no server sees."
    return _host_problem(parts)


def _host_problem(parts: SplitResult) -> str | None:
    host = parts.hostname or ""
    if "[" in parts.netloc:
        if not re.fullmatch(r"\[[^\]%]+\](:[0-9]*)?", parts.netloc):
            return f"'{parts.netloc[:200]}' is not an IPv6 address in brackets."
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return f"'[{host}]' is not an IPv6 address."
    elif ":" in host or not _HOST.fullmatch(host):
        return f"'{parts.netloc[:200]}' is not a host; an IPv6 address stands in brackets: http://[::1]:8080/v1."
    if len(host) > 253 or any(not label or len(label) > 63 for label in host.rstrip(".").split(".")):
        return f"'{host[:200]}' is not a host name."
    return "the port 0 cannot be reached." if parts.port == 0 else None


def proxy_for(endpoint: Endpoint, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """The proxy that the environment names for this server: `(variable, URL)`; never one for this machine itself."""
    return proxies.proxy_for(endpoint.scheme, endpoint.host, endpoint.origin[2], environ)
