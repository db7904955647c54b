"""Which proxy the environment names for a server: for everything that speaks HTTP."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

__all__ = ["is_this_machine", "proxy_for"]


def is_this_machine(host: str) -> bool:
    """Whether a host, lower case and without brackets, is a name or an address of this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def proxy_for(scheme: str, host: str, port: int, environ: Mapping[str, str]) -> tuple[str, str] | None:
    """`(variable, URL)`; never one for this machine itself. None where the server is asked directly."""
    if is_this_machine(host):
        return None
    named = {name.lower(): (name, value.strip()) for name, value in environ.items() if value.strip()}
    # A web server's CGI puts a request's `Proxy:` header into HTTP_PROXY; only then is the name not to be trusted.
    if "request_method" in named:
        named.pop("http_proxy", None)
    bypass = named.get("no_proxy", ("", ""))[1]
    if any(_bypasses(entry.strip().lower(), host, port) for entry in bypass.split(",")):
        return None
    variable, url = named.get(f"{scheme}_proxy") or named.get("all_proxy") or ("", "")
    if not url:
        return None
    return variable, url if "://" in url else f"http://{url}"


def _bypasses(entry: str, host: str, port: int) -> bool:
    """An entry of NO_PROXY: `*`, a host or domain with or without a dot before it, `host:port`, an address range."""
    if entry == "*":
        return True
    named, found, at = entry.rpartition(":")
    if found and at.isdecimal() and (":" not in named or named.startswith("[")):
        if int(at) != port:
            return False
        entry = named
    entry = entry.strip("[]").removeprefix("*").removeprefix(".")
    if not entry:
        return False
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return host == entry or host.endswith(f".{entry}")
