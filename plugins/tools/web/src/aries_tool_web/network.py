"""One request to one machine: resolved, judged and connected to in this order, read within limits."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from aries_kernel import __version__
from aries_kernel.authorities import trusting
from aries_kernel.errors import ToolFailed
from aries_kernel.proxies import proxy_for
from aries_tool_web.addresses import IP, Address
from aries_tool_web.guarding import Guard
from aries_tool_web.unpacking import ACCEPTED, unpacked

if TYPE_CHECKING:
    import ssl

    import httpx

__all__ = ["Network", "Reply", "Resolve", "resolved_here"]

Resolve = Callable[[str, int], Awaitable[Sequence[IP]]]

_CONNECT_SECONDS = 10.0
_MOST_ADDRESSES = 4
_HEADERS = {
    "User-Agent": f"aries/{__version__}",
    "Accept": "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
    "Accept-Encoding": ACCEPTED,
    "Connection": "close",
}


@frozen
class Reply:
    """An answer, read as far as was asked for."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    data: bytes = b""
    is_cut: bool = False
    """Whether there was more."""


async def resolved_here(host: str, port: int) -> Sequence[IP]:
    """The addresses of a host. Raises: OSError where it has none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found))


@frozen
class Network:
    """Requests without cookies, keys or anything else of the person's beside what is given."""

    environ: Mapping[str, str]
    guard: Guard
    resolve: Resolve = field(default=resolved_here)

    async def ask(
        self,
        address: Address,
        most: Callable[[Reply], int],
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Reply:
        """Send a request and read of the answer what `most` says, in bytes, when its head is there.

        Raises: ToolFailed with one sentence for everything that can go wrong.
        """
        import ssl

        import httpx

        proxy = proxy_for(address.scheme, address.host, address.real_port, self.environ)
        sent = {**_HEADERS, **(headers or {}), "Host": address.netloc}
        try:
            if proxy is not None:
                # Who resolves the name then is the proxy; what the address itself says is judged all the same.
                if address.ip is not None:
                    self.guard.usable(address, [address.ip])
                return await self._send(address, address.host, proxy[1], method, sent, body, most)
            return await self._send_direct(address, method, sent, body, most)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ssl.SSLError, OSError) as error:
            raise _told(address, error, proxy[0] if proxy else None) from error
        except (ImportError, ValueError) as error:
            name = proxy[0] if proxy else "SSL_CERT_FILE"
            raise ToolFailed(f"{address.netloc} cannot be asked: {error}. Check {name}.") from error

    async def _send_direct(
        self,
        address: Address,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None,
        most: Callable[[Reply], int],
    ) -> Reply:
        import httpx

        found = [address.ip] if address.ip else await self._resolved(address)
        *others, last = self.guard.usable(address, found)[:_MOST_ADDRESSES]
        for ip in others:
            try:
                return await self._send(address, str(ip), None, method, headers, body, most)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue  # The next one may answer; the failure of the last is told.
        return await self._send(address, str(last), None, method, headers, body, most)

    async def _resolved(self, address: Address) -> Sequence[IP]:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                found = await self.resolve(address.host, address.real_port)
        except TimeoutError as error:
            raise ToolFailed(
                f"The name {address.host} could not be looked up within {_CONNECT_SECONDS:g} s."
            ) from error
        except (OSError, UnicodeError) as error:
            raise ToolFailed(f"There is no host {address.host}, as far as this machine can tell.") from error
        if not found:
            raise ToolFailed(f"The host {address.host} has no address.")
        return found

    async def _send(
        self,
        address: Address,
        place: str,
        proxy: str | None,
        method: str,
        headers: Mapping[str, str],
        body: bytes | None,
        most: Callable[[Reply], int],
    ) -> Reply:
        import httpx

        place = f"[{place}]" if ":" in place else place
        url = f"{address.scheme}://{place}:{address.real_port}{address.path}"
        client = httpx.AsyncClient(
            trust_env=False,
            proxy=proxy,
            verify=_tls(address, proxy, self.environ),
            timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
            follow_redirects=False,
        )
        async with client:
            request = client.build_request(
                method,
                f"{url}?{address.query}" if address.query else url,
                headers=dict(headers),
                content=body,
                # The certificate must be that of the host, not of the number that is connected to.
                extensions={"sni_hostname": address.host},
            )
            response = await client.send(request, stream=True)
            try:
                return await _read(response, most)
            finally:
                await response.aclose()


async def _read(response: httpx.Response, most: Callable[[Reply], int]) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    head = Reply(response.status_code, headers)
    wanted, found, is_cut = most(head), bytearray(), False
    if not wanted:
        return head
    async for chunk in response.aiter_raw():
        found += chunk
        if len(found) > wanted:
            is_cut = True
            break
    data, is_longer = unpacked(bytes(found[:wanted]), headers.get("content-encoding", ""), wanted)
    return Reply(head.status, headers, data, is_cut or is_longer)


def _tls(address: Address, proxy: str | None, environ: Mapping[str, str]) -> ssl.SSLContext:
    import ssl

    if address.scheme == "http" and not (proxy or "").startswith("https:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # Never used; loading authorities costs 20 ms.
    import certifi

    try:
        return trusting(environ, certifi.where)
    except ValueError as error:
        raise ToolFailed(str(error)) from error


def _told(address: Address, error: Exception, proxy: str | None) -> ToolFailed:
    import httpx

    text = f"{error}".strip() or type(error).__name__
    server = address.netloc
    if proxy is not None and isinstance(error, httpx.ProxyError | httpx.ConnectError | httpx.ConnectTimeout):
        return ToolFailed(f"The proxy of {proxy} did not let a request to {server} through: {text}.")
    if "CERTIFICATE_VERIFY_FAILED" in text:
        reason = text.partition("failed: ")[2].partition(" (_ssl")[0] or "it is not trusted here"
        return ToolFailed(
            f"The certificate of {server} was refused: {reason}. SSL_CERT_FILE can name the file of another authority."
        )
    if "WRONG_VERSION_NUMBER" in text or "record layer failure" in text:
        return ToolFailed(f"{server} does not speak TLS on that port; it may be meant with http://.")
    if "SSL" in text or "TLS" in text:
        return ToolFailed(f"No secure connection to {server} could be made: {text}.")
    if isinstance(error, httpx.ConnectTimeout):
        return ToolFailed(f"{server} did not answer within {_CONNECT_SECONDS:g} s.")
    if isinstance(error, httpx.ConnectError):
        reason = "nothing answers there" if text == "All connection attempts failed" else text
        return ToolFailed(f"{server} cannot be reached: {reason}. Is it running, and is the port right?")
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return ToolFailed(f"{server} broke off in the middle, or does not speak HTTP: {text}.")
    return ToolFailed(f"{server} cannot be asked: {text}.")
