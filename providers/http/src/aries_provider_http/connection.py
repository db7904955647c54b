"""HTTP to one server: connections, silence, and every error of the library as one of ours."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from aries_kernel.authorities import trusting
from aries_kernel.errors import AriesError, NetworkDown, RequestRefused, StreamCut
from aries_provider_http.endpoint import Endpoint, parse_endpoint, proxy_for
from aries_provider_http.faults import one_line

if TYPE_CHECKING:
    import httpx

__all__ = ["Connection", "Reply"]

_WRITE_SECONDS = 30.0
_POOL_SECONDS = 10.0
_MAX_REDIRECTS = 3
_LARGEST_FAULT = 256 * 1024


class Reply:
    """A response whose body has not been read yet."""

    def __init__(self, response: httpx.Response, connection: Connection) -> None:
        self._response, self._connection = response, connection
        self._chunks: AsyncIterator[bytes] = response.aiter_bytes()
        self.status = response.status_code
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in response.headers.items()}

    async def chunk(self, seconds: float | None) -> bytes | None:
        """The next bytes; None at the end.

        Raises: StreamCut where the connection breaks, NetworkDown after `seconds` of silence (None: waits for ever).
        """
        try:
            async with asyncio.timeout(seconds):
                return await anext(self._chunks, None)
        except TimeoutError as error:
            raise NetworkDown(self._connection.silence(seconds or 0)) from error
        except self._connection.library_errors as error:
            if self._connection.is_silence(error):
                raise NetworkDown(self._connection.silence(seconds or 0)) from error
            raise StreamCut(
                f"The connection to {self._connection.server} broke in the middle of the answer "
                f"({self._connection.shown(error)})."
            ) from error

    async def whole_body(self, seconds: float | None, most: int) -> bytes:
        """The body of a good answer.

        Raises: StreamCut where the connection breaks or there is more than `most`, NetworkDown as `chunk`.
        """
        found = bytearray()
        while (chunk := await self.chunk(seconds)) is not None:
            found += chunk
            if len(found) > most:
                raise StreamCut(
                    f"{self._connection.server} sent an answer of more than {most // 2**20} MiB; it was given up."
                )
        return bytes(found)

    async def short_body(self, seconds: float | None, most: int = _LARGEST_FAULT) -> bytes:
        """The body of a refusal, as far as it is of use; one that breaks off is taken as it came."""
        found = bytearray()
        try:
            while len(found) < most and (chunk := await self.chunk(seconds)) is not None:
                found += chunk
        except (StreamCut, NetworkDown):
            return bytes(found)  # The status is known; that the explanation broke off changes nothing.
        return bytes(found[:most])

    async def close(self) -> None:
        """Give the connection back, or cut it where the body was not read to its end."""
        await self._response.aclose()


class Connection:
    """Requests to one endpoint. Works across event loops: sockets of a loop that ended are forgotten with it."""

    def __init__(
        self, name: str, endpoint: Endpoint, environ: Mapping[str, str], *, connect_seconds: float, idle_seconds: float
    ) -> None:
        self._name, self._endpoint, self._environ = name, endpoint, environ
        self._connect_seconds = connect_seconds
        self._idle_seconds = idle_seconds or None
        self._client: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def server(self) -> str:
        """Name and host, for messages."""
        return f"{self._name} ({self._endpoint.netloc})"

    @property
    def library_errors(self) -> tuple[type[Exception], ...]:
        """What the library raises."""
        import httpx

        return (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError)

    def is_silence(self, error: Exception) -> bool:
        """Whether the library's own timer ran out: it runs beside ours."""
        import httpx

        return isinstance(error, httpx.TimeoutException)

    def silence(self, seconds: float) -> str:
        """The message for a server that says nothing."""
        return (
            f"{self.server} was silent for {seconds:g} s. A slow model may need more: "
            f"providers.{self._name}.idle_seconds (0: no limit)."
        )

    def shown(self, error: BaseException) -> str:
        """An error of the library in a few words."""
        return one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, 200)

    async def post(self, operation: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Send a request and give the response's head; follows redirects that stay on the same origin.

        Raises: NetworkDown with a sentence about what to do, RequestRefused where the address cannot be used.
        """
        return await self._send("POST", operation, body, headers)

    async def get(self, operation: str, headers: Mapping[str, str]) -> Reply:
        """Fetch what is no answer of a model, such as a list of models.

        Raises: what `post` raises.
        """
        return await self._send("GET", operation, None, headers)

    async def _send(self, method: str, operation: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        url = self._endpoint.url(operation)
        for _ in range(_MAX_REDIRECTS + 1):
            try:
                client = self._open_client()
                request = client.build_request(method, url, content=body, headers=dict(headers))
                response = await client.send(request, stream=True)
            except self.library_errors as error:
                raise self._translated(error) from error
            except (ImportError, ValueError, RuntimeError) as error:
                # A proxy of a kind that is not installed, a certificate file that is none.
                raise RequestRefused(f"{self.server} cannot be asked: {self.shown(error)}.") from error
            target = self._same_origin_target(url, response)
            if target is None:
                return Reply(response, self)
            await response.aclose()
            url = target
        raise RequestRefused(f"{self.server} redirects in a circle. Check base_url.")

    async def close(self) -> None:
        """Close idle connections."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    def _open_client(self) -> httpx.AsyncClient:
        import httpx

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            proxy = proxy_for(self._endpoint, self._environ)
            timeout = httpx.Timeout(
                connect=self._connect_seconds, read=self._idle_seconds, write=_WRITE_SECONDS, pool=_POOL_SECONDS
            )
            # The environment is read above, for this one host; the library's own reading would proxy loopback too.
            self._client = httpx.AsyncClient(
                trust_env=False,
                proxy=proxy[1] if proxy else None,
                verify=_tls(self._endpoint, self._environ),
                timeout=timeout,
                follow_redirects=False,
            )
            self._loop = loop
        return self._client

    def _same_origin_target(self, url: str, response: httpx.Response) -> str | None:
        location = response.headers.get("location", "")
        if response.status_code not in (307, 308) or not location:
            return None
        target = urljoin(url, location)
        try:
            origin = parse_endpoint(target, "location").origin
        except AriesError:
            return None  # Not an address; the refusal shows it.
        return target if origin == self._endpoint.origin else None

    def _translated(self, error: Exception) -> AriesError:
        import httpx

        shown = self.shown(error)
        if isinstance(error, httpx.ConnectTimeout):
            return NetworkDown(
                f"{self.server} did not answer within {self._connect_seconds:g} s. Check the network, or raise "
                f"providers.{self._name}.connect_seconds."
            )
        if isinstance(error, httpx.ReadTimeout):
            return NetworkDown(self.silence(self._idle_seconds or 0))
        if isinstance(error, httpx.ProxyError):
            return NetworkDown(f"The proxy for {self.server} failed ({shown}). {self._proxy_hint()}")
        if isinstance(error, httpx.LocalProtocolError | httpx.InvalidURL | httpx.UnsupportedProtocol):
            return RequestRefused(f"{self.server} cannot be asked ({shown}). Check base_url, headers and proxy.")
        return NetworkDown(f"{self.server} cannot be reached ({shown}). {self._advice(error)}")

    def _advice(self, error: Exception) -> str:
        text = " ".join(str(one) for one in _causes(error)).lower()
        if "certificate" in text or "ssl" in text or "tls" in text:
            if "wrong version" in text or "wrong_version" in text or "record layer" in text:
                return "The server does not speak TLS there: http:// instead of https:// in base_url?"
            return "Its certificate is not trusted here; set SSL_CERT_FILE to the file of the authority that signed it."
        if any(
            word in text for word in ("name or service", "getaddrinfo", "nodename", "name resolution", "no address")
        ):
            return "The host name is not known: check base_url and the network."
        if "refused" in text or "all connection attempts failed" in text:
            kind = "Is the server running, and is the port right?" if self._endpoint.is_loopback else "Check base_url."
            return f"{kind} {self._proxy_hint()}".strip()
        return f"Check the network. {self._proxy_hint()}".strip()

    def _proxy_hint(self) -> str:
        proxy = proxy_for(self._endpoint, self._environ)
        return f"The proxy comes from {proxy[0]}; NO_PROXY lists hosts that need none." if proxy else ""


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found


def _tls(endpoint: Endpoint, environ: Mapping[str, str]) -> ssl.SSLContext:
    if endpoint.scheme == "http" and proxy_for(endpoint, environ) is None:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # Never used; loading authorities costs 20 ms.
    import certifi

    try:
        return trusting(environ, certifi.where)
    except ValueError as error:
        raise RequestRefused(str(error)) from error
