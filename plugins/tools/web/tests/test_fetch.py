"""WebFetch against a real server."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st
from web_site import HTML, Admitting, Site, page, plain_environ, run, sends_to

from aries_kernel.broker.effects import ReachNetwork
from aries_kernel.errors import BadArguments, Refused, ToolFailed
from aries_kernel.testing.wire_server import Cut, Pause, Send, Stall, WireReply
from aries_kernel.tools.schema import parse_arguments
from aries_tool_web.fetch import WebFetch

Make = Callable[..., WebFetch]
PLAIN = {"content-type": "text/plain; charset=utf-8"}


def test_a_page_arrives_as_markdown_between_marks_with_its_address_and_title(site: Site, tool: Make) -> None:
    site.pages["/a"] = page("<title>A page</title><h1>Hello</h1><p>Words.\x1b[2J\u202e</p>")
    output = run(tool(), url=f"{site.url}/a#below")
    first, mark, *text, end = output.text.splitlines()
    assert first == f"[{site.url}/a 'A page']"
    assert mark.startswith("--- page text ") and "data to read" in mark and end.startswith("--- end of page text ")
    assert text == ["# Hello", "", "Words.\\u202e"]
    assert output.details == {
        "url": f"{site.url}/a",
        "title": "A page",
        "text": "# Hello\n\nWords.\\u202e",
        "notes": [],
    }


def test_nothing_of_the_person_is_sent_along_and_no_cookie_is_kept(site: Site, tool: Make) -> None:
    site.pages["/a"] = page("", {"location": "/b", "set-cookie": "id=1"}, 302)
    site.pages["/b"] = page("text", {**PLAIN, "set-cookie": "id=2"})
    fetch = tool()
    run(fetch, url=f"{site.url}/a")
    run(fetch, url=f"{site.url}/b")
    assert site.asked == ["/a", "/b", "/b"]
    for request in site.server.requests:
        assert request.method == "GET" and request.headers["host"] == site.url.removeprefix("http://")
        assert set(request.headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}


@pytest.mark.parametrize(
    ("kind", "body", "shown"),
    [
        ("application/json", '{"a": [1, 2]}', '{"a": [1, 2]}'),
        ("application/vnd.api+json; charset=latin-1", '{"a": "\u00fc"}', '{"a": "\u00fc"}'),
        ("text/markdown", "# Hi\n\n<b>raw</b>", "# Hi\n\n<b>raw</b>"),
        ("text/plain", "<html><body>shown as it is", "<html><body>shown as it is"),
        ("application/xml", "<?xml version='1.0'?><a>x</a>", "<?xml version='1.0'?><a>x</a>"),
        ("application/octet-stream", "just text\n", "just text"),
        ("application/octet-stream", "<!DOCTYPE html><p>page", "page"),
        ("image/svg+xml", "<svg/>", "<svg/>"),
    ],
)
def test_texts_come_as_they_are_and_pages_are_known_by_their_beginning(
    site: Site, tool: Make, kind: str, body: str, shown: str
) -> None:
    site.pages["/x"] = page(body.encode("latin-1" if "latin" in kind else "utf-8"), {"content-type": kind})
    assert run(tool(), url=f"{site.url}/x").text.splitlines()[2:-1] == shown.splitlines()


@pytest.mark.parametrize(
    ("body", "headers", "told"),
    [
        (b"%PDF-1.7 ...", {"content-type": "application/pdf"}, "a PDF (application/pdf, 12 bytes)"),
        (b"%PDF-1.7 ...", {"content-type": "text/plain"}, "a PDF"),
        (b"\x89PNG\r\n\x1a\n" + bytes(9000), {"content-type": "image/png"}, "a PNG image (image/png, 9,008 bytes)"),
        (b"PK\x03\x04\0\0", {}, "a zip archive"),
        (b"a\0b", {"content-type": "text/html"}, "no text, though it says it is"),
        (b"RIFF....", {"content-type": "audio/wav"}, "a sound (audio/wav, 8 bytes)"),
    ],
)
def test_what_is_no_text_is_named_with_type_and_size(
    site: Site, tool: Make, body: bytes, headers: dict[str, str], told: str
) -> None:
    site.pages["/x"] = page(body, headers)
    with pytest.raises(ToolFailed) as found:
        run(tool(), url=f"{site.url}/x")
    assert told in str(found.value) and "only text is read" in str(found.value)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (page("gone", PLAIN, 404), "/x answered 404 Not Found: gone."),
        (page("<h1>Oops", HTML, 500), "/x answered 500 Internal Server Error."),
        (page("", PLAIN, 401), "401 Unauthorized: it wants a login, which this tool has not."),
        (page("", PLAIN, 403), "403 Forbidden: it may want a login, or serve no programs."),
        (page("", {"retry-after": "7"}, 429), "429 Too Many Requests: too many requests; again in 7 s."),
        (page("", {"retry-after": "7"}, 503), "503 Service Unavailable: it is busy; again in 7 s."),
        (page("", {}, 204), "204 No Content: there is nothing on it."),
        (page("", PLAIN), "200 OK: there is nothing on it."),
        (page("<p> </p>"), "/x has no text on it."),
        (page("", PLAIN, 302), "302 Found"),
        (page("teapot", PLAIN, 799), "799: teapot."),
        (page("x", {"content-encoding": "br"}), "packed with"),
        (sends_to("http://[bad"), "redirects to what is no address"),
        (sends_to("file:///etc/passwd"), "redirects to what is no address"),
        (sends_to("/x"), "redirects more than 8 times"),
        (WireReply((Send(b"not http at all\r\n\r\n"), Cut()), framing="raw"), "does not speak HTTP"),
        (WireReply((Send(b"half"), Cut()), headers=PLAIN), "broke off in the middle"),
    ],
)
def test_what_goes_wrong_is_one_clear_line(site: Site, tool: Make, reply: WireReply, told: str) -> None:
    if "packed" in told:
        reply = page(b"\x8b\x02\x80hello\x03", {"content-encoding": "br"})
    site.pages["/x"] = reply
    with pytest.raises(ToolFailed) as found:
        run(tool(), url=f"{site.url}/x")
    assert told in str(found.value) and "\n" not in str(found.value)


def test_a_host_that_is_not_there_and_one_that_does_not_listen_are_told_apart(site: Site, tool: Make) -> None:
    with pytest.raises(ToolFailed, match=r"There is no host nowhere\.example"):
        run(tool(), url="http://nowhere.example/")
    with pytest.raises(ToolFailed, match="nothing answers there"):
        run(tool(), url="http://127.0.0.1:9/")


@pytest.mark.parametrize(
    "steps", [(Stall(),), (*(step for _ in range(200) for step in (Send(b"drip "), Pause(0.05))), Stall())]
)
def test_a_server_that_takes_its_time_is_given_up(site: Site, tool: Make, steps: tuple[Any, ...]) -> None:
    site.pages["/x"] = WireReply(steps, headers=PLAIN)
    with pytest.raises(ToolFailed, match="did not answer to the end within 1 s"):
        run(tool(seconds=1), url=f"{site.url}/x")


def test_a_page_is_read_up_to_the_limit_packed_or_not(site: Site, tool: Make) -> None:
    words = b"words\n" * 300_000
    site.pages["/plain"] = page(words, PLAIN, framing="chunked")
    site.pages["/bomb"] = page(
        gzip.compress(bytes(65 for _ in range(1)) * 40_000_000), {**PLAIN, "content-encoding": "gzip"}
    )
    for path, size in (("/plain", 1_000_000), ("/bomb", 1_000_000)):
        output = run(tool(megabytes=1), url=f"{site.url}{path}")
        assert len(str(output.details["text"])) == size
        assert "longer than 1 MB; the rest was not read (web.megabytes)" in output.text.splitlines()[0]


def test_a_long_page_is_read_on_without_asking_again(site: Site, tool: Make) -> None:
    site.pages["/x"] = page("".join(f"line {number}\n" for number in range(9_000)), PLAIN)
    fetch, text, offset = tool(), "", 1
    while offset:
        output = run(fetch, url=f"{site.url}/x", offset=offset)
        head, _, *lines, _ = output.text.splitlines()
        text += "\n".join(lines) + "\n"
        assert len(output.text.encode()) <= 30_000 and len(output.text.splitlines()) <= 800
        assert f"of {len(str(output.details['text'])):,}" in head
        _, found, rest = head.partition("go on with offset=")
        offset = int(rest.rstrip("]")) if found else 0
    assert text == "".join(f"line {number}\n" for number in range(9_000)) and site.asked == ["/x"]
    with pytest.raises(ToolFailed, match="past its end"):
        run(fetch, url=f"{site.url}/x", offset=10_000_000)


def test_reading_on_touches_no_network_and_needs_what_was_read(site: Site, tool: Make) -> None:
    site.pages["/x"] = page("text", PLAIN)
    fetch = tool()
    arguments = parse_arguments(fetch.arguments, f'{{"url": "{site.url}/x", "offset": 2}}')
    assert fetch.effects(arguments) == ()
    with pytest.raises(ToolFailed, match="fetch it from its beginning"):
        asyncio.run(fetch.run(arguments))
    assert site.asked == []
    run(fetch, url=f"{site.url}/x")
    assert "ext" in asyncio.run(fetch.run(arguments)).text


def test_a_page_that_changed_is_read_anew_from_its_beginning(site: Site, tool: Make) -> None:
    fetch = tool()
    for words in ("before", "after"):
        site.pages["/x"] = page(words, PLAIN)
        assert words in run(fetch, url=f"{site.url}/x").text


def test_words_find_their_passages(site: Site, tool: Make) -> None:
    body = "".join(f"<h2>Part {n}</h2><p>{'Nothing of use here. ' * 30}</p>" for n in range(50))
    site.pages["/x"] = page(body + "<h2>Retries</h2><p>A request is retried three times.</p>" + body)
    fetch = tool()
    output = run(fetch, url=f"{site.url}/x", find="how often is a request retried?")
    place = output.text.splitlines()[2]
    assert "retried three times" in output.text.split("[characters", 2)[1] and len(output.text.encode()) <= 30_000
    offset = int(place.removeprefix("[characters ").partition("-")[0].replace(",", ""))
    assert "## Retries" in run(fetch, url=f"{site.url}/x", offset=offset).text.splitlines()[2]
    assert "none of its" in run(fetch, url=f"{site.url}/x", find="zebra").text


def test_the_effect_names_the_host_that_is_connected_to(tool: Make) -> None:
    fetch = tool()
    for written in ("http://0x7f.1:3000/a#b", "http://[::ffff:127.0.0.1]:3000/a", "http://2130706433:3000/a"):
        arguments = parse_arguments(fetch.arguments, f'{{"url": "{written}"}}')
        assert fetch.effects(arguments) == (ReachNetwork("http://127.0.0.1:3000/a"),)


@pytest.mark.parametrize("bad", [{"url": "x"}, {"url": "http://a/", "offset": 0}, {"url": "http://a/", "find": "?!"}])
def test_arguments_that_cannot_be_meant_are_refused_before_anybody_is_asked(tool: Make, bad: dict[str, Any]) -> None:
    with pytest.raises(BadArguments):
        run(tool(), **bad)


class TestRedirects:
    def test_the_session_is_asked_about_each(self, site: Site, tool: Make) -> None:
        site.pages |= {
            "/a": sends_to("/b", 301),
            "/b": sends_to(f"{site.named('localhost')}/c", 307),
            "/c": page("end", PLAIN),
        }
        session = Admitting()
        output = run(tool(session), url=f"{site.url}/a")
        there = f"{site.named('localhost')}/c"
        assert session.asked == [(f"{site.url}/a", f"{site.url}/b"), (f"{site.url}/b", there)]
        assert output.text.startswith(f"[{there}]") and "end" in output.text

    def test_what_it_refuses_is_not_asked_for(self, site: Site, tool: Make) -> None:
        site.pages |= {"/a": sends_to("/b"), "/b": page("secret", PLAIN)}
        with pytest.raises(Refused, match=r"/a redirects to .*/b\. not that one"):
            run(tool(Admitting(Refused("not that one"))), url=f"{site.url}/a")
        assert site.asked == ["/a"]

    def test_without_a_session_only_the_same_server_is_followed(self, site: Site, tool: Make) -> None:
        site.pages |= {"/a": sends_to("/b"), "/b": sends_to(f"{site.named('localhost')}/c"), "/c": page("x", PLAIN)}
        with pytest.raises(ToolFailed, match="fetch that address itself"):
            run(tool(), url=f"{site.url}/a")
        assert site.asked == ["/a", "/b"]

    def test_one_from_the_public_net_does_not_lead_into_this_network(self, site: Site, tool: Make) -> None:
        public = site.named("public.example")
        for target in (site.url, site.named("localhost"), site.named("2130706433"), "http://169.254.169.254/latest"):
            site.pages |= {"/a": sends_to(f"{target}/b"), "/b": page("secret", PLAIN)}
            fetch = tool(Admitting(), names=["public.example"], private_hosts=["public.example"])
            with pytest.raises(ToolFailed, match="not of the public net"):
                run(fetch, url=f"{public}/a")
        assert set(site.asked) == {"/a"}

    def test_a_name_that_turns_out_to_be_near_is_not_connected_to(self, site: Site, tool: Make) -> None:
        site.pages |= {"/a": sends_to(f"{site.named('rebound.example')}/b"), "/b": page("secret", PLAIN)}
        names = ["public.example", "rebound.example"]
        fetch = tool(Admitting(), names=names, private_hosts=["public.example"])
        for url in (f"{site.named('public.example')}/a", f"{site.named('rebound.example')}/b"):
            with pytest.raises(ToolFailed, match=r"rebound\.example is at 127\.0\.0\.1"):
                run(fetch, url=url)
        assert site.asked == ["/a"]

    def test_a_password_in_one_is_left_out(self, site: Site, tool: Make) -> None:
        site.pages |= {"/a": sends_to(site.url.replace("//", "//me:hunter22@") + "/b"), "/b": page("end", PLAIN)}
        output = run(tool(Admitting()), url=f"{site.url}/a")
        assert "hunter22" not in output.text and "authorization" not in site.server.requests[-1].headers

    def test_a_question_takes_no_time_from_the_page(self, site: Site, tool: Make) -> None:
        class Slow(Admitting):
            async def admit(self, name: str, arguments: Any, *, after: Any = None) -> None:
                thought = asyncio.Event()
                asyncio.get_running_loop().call_later(1.2, thought.set)
                await thought.wait()

        site.pages |= {"/a": sends_to("/b"), "/b": page("end", PLAIN)}
        assert "end" in run(tool(Slow(), seconds=1), url=f"{site.url}/a").text


class TestTls:
    @pytest.fixture
    def authority(self) -> trustme.CA:
        return trustme.CA()

    @pytest.fixture
    def secure(self, authority: trustme.CA) -> Iterator[Site]:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(tls)
        with Site(tls) as made:
            made.pages["/x"] = page("secure", PLAIN)
            yield made

    @pytest.fixture
    def trusting(self, authority: trustme.CA, tmp_path: Path) -> dict[str, str]:
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        return {"SSL_CERT_FILE": str(tmp_path / "ca.pem")}

    def test_a_certificate_is_held_against_the_name_that_was_asked_for(
        self, secure: Site, tool: Make, trusting: dict[str, str]
    ) -> None:
        fetch = tool(environ=trusting, names=["other.test"])
        for url in (secure.url, secure.named("localhost")):
            assert "secure" in run(fetch, url=f"{url}/x").text
        with pytest.raises(ToolFailed, match=r"certificate of other\.test:\d+ was refused: Hostname mismatch"):
            run(fetch, url=f"{secure.named('other.test')}/x")

    def test_one_of_an_unknown_authority_is_refused_with_what_to_do(self, secure: Site, tool: Make) -> None:
        with pytest.raises(ToolFailed, match=r"was refused: .*certificate\. SSL_CERT_FILE"):
            run(tool(), url=f"{secure.named('localhost')}/x")

    def test_a_server_without_tls_and_a_missing_file_are_told(self, site: Site, tool: Make) -> None:
        with socket.create_server(("127.0.0.1", 0)) as plain, ThreadPoolExecutor(1) as pool:
            answered = pool.submit(_answer_in_the_open, plain)
            with pytest.raises(ToolFailed, match=r"does not speak TLS on that port; it may be meant with http://"):
                run(tool(), url=f"https://127.0.0.1:{plain.getsockname()[1]}/x")
            answered.result(10)
        with pytest.raises(ToolFailed, match="SSL_CERT_FILE or SSL_CERT_DIR cannot be used"):
            run(tool(environ={"SSL_CERT_FILE": "/no/such"}), url=f"{site.url.replace('http:', 'https:')}/x")


def _answer_in_the_open(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(1_000)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")


class TestProxies:
    def test_the_proxy_of_the_environment_gets_requests_to_others_by_name(self, site: Site, tool: Make) -> None:
        site.pages["http://far.example/x"] = page("by proxy", PLAIN)
        fetch = tool(environ={"http_proxy": site.url})
        assert "by proxy" in run(fetch, url="http://far.example/x").text
        assert site.server.requests[0].headers["host"] == "far.example"

    def test_this_machine_and_what_no_proxy_names_are_asked_directly(self, site: Site, tool: Make) -> None:
        site.pages["/x"] = page("direct", PLAIN)
        environ = {"HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": ".test"}
        fetch = tool(environ=environ, names=["app.test"])
        for url in (site.url, site.named("app.test")):
            assert "direct" in run(fetch, url=f"{url}/x").text

    def test_a_proxy_that_fails_is_named_by_its_variable(self, tool: Make) -> None:
        with pytest.raises(ToolFailed, match=r"The proxy of ALL_PROXY did not let a request to far\.example"):
            run(tool(environ={"ALL_PROXY": "http://127.0.0.1:9"}), url="http://far.example/x")
        with pytest.raises(ToolFailed, match="Check http_proxy"):
            run(tool(environ={"http_proxy": "gopher://127.0.0.1:9"}), url="http://far.example/x")

    def test_an_address_of_this_network_is_judged_all_the_same(self, site: Site, tool: Make) -> None:
        with pytest.raises(ToolFailed, match="nothing was sent"):
            run(tool(environ={"http_proxy": site.url}), url="http://169.254.169.254/")


def test_calls_side_by_side_get_their_own_pages(site: Site, tool: Make) -> None:
    site.pages |= {f"/{number}": page(f"<h1>page {number}</h1>") for number in range(5)}
    fetch = tool()

    async def together() -> list[str]:
        made = [parse_arguments(fetch.arguments, f'{{"url": "{site.url}/{number}"}}') for number in range(5)]
        return [output.text for output in await asyncio.gather(*map(fetch.run, made))]

    assert all(f"# page {number}\n" in text for number, text in enumerate(asyncio.run(together())))


def test_a_page_that_cannot_be_converted_in_time_ends_with_its_process(site: Site, tool: Make) -> None:
    site.pages["/x"] = page("<table>" * 200_000 + "<b>" * 300_000)
    with pytest.raises(ToolFailed, match="could not be converted to text"):
        run(tool(seconds=1), url=f"{site.url}/x")


@settings(max_examples=30)  # each starts a server, and for a page a process
@given(st.binary(max_size=300), st.sampled_from(["text/html", "", "text/plain", "application/json", "a/b", "x" * 300]))
def test_no_answer_raises_anything_but_what_a_tool_may(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: str
) -> None:
    from aries_kernel.testing.workspaces import make_context

    context = make_context(tmp_path_factory.mktemp("any"), environ=plain_environ())
    with Site() as site:
        site.pages["/x"] = page(data, {"content-type": kind})
        try:
            output = run(WebFetch(attrs.evolve(context)), url=f"{site.url}/x")
        except ToolFailed:
            return
        assert output.text.startswith(f"[{site.url}/x")
