"""One spelling of an address: what the policy reads is what is connected to."""

from __future__ import annotations

import ipaddress
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aries_kernel.errors import BadArguments
from aries_tool_web.addresses import parse_address

LOOPBACK = ("2130706433", "0177.0.0.1", "0x7f.1", "0x7F000001", "127.1", "127.0.1", "127.0.0.1.", "017700000001")


@pytest.mark.parametrize("host", [*LOOPBACK, "１２７.0.0.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"])
def test_every_spelling_of_an_address_is_the_same_host(host: str) -> None:
    assert parse_address(f"http://{host}:3000/a").url == "http://127.0.0.1:3000/a"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTPS://Example.COM:443", "https://example.com/"),
        ("http://example.com:80/a?b=c#d", "http://example.com/a?b=c"),
        ("http://example.com./", "http://example.com/"),
        ('http://bücher.example/ä b?ü="', "http://xn--bcher-kva.example/%C3%A4%20b?%C3%BC=%22"),
        ("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("http://host/%20%zz", "http://host/%20%zz"),
        ("  http://host/  ", "http://host/"),
    ],
)
def test_an_address_has_one_spelling(text: str, url: str) -> None:
    assert parse_address(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "", "file:///etc/passwd", "ftp://x/", "javascript:alert(1)", "//x/", "http://", "http:///x", "http://:80/",
        "http://x:0/", "http://x:99999/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0x1ffffffff/", "http://a..b/",
        "http://[::1", "http://[fe80::1%25eth0]/", "http://a b/", "http://-\\@x/", "http://\ud800/", "http://x/\ud800",
        "http://" + "a" * 64 + ".example/", "http://x/" + "a" * 5000, "http://0x/x.08/", "http://1.2.3.09/",
    ],
)  # fmt: skip
def test_what_is_no_address_is_told_in_one_line(text: str) -> None:
    if text == "http://0x/x.08/":
        assert parse_address(text).host == "0.0.0.0"  # as browsers read a number without digits
        return
    with pytest.raises(BadArguments) as found:
        parse_address(text)
    assert "\n" not in str(found.value) and str(found.value).startswith("url: ")


def test_a_password_is_refused_and_never_repeated_and_left_out_of_what_a_server_says() -> None:
    for text in (
        "http://me:hunter22@x/",
        "http://hunter22@x/",
        "http://me:hunter22@x:port/",
        "http://a:hunter22@[::1/",
    ):
        with pytest.raises(BadArguments) as found:
            parse_address(text)
        assert "hunter22" not in str(found.value)
    assert parse_address("http://me:hunter22@x/a", drop_user=True).url == "http://x/a"


@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from("dox"), min_size=4, max_size=4), st.integers(1, 4))
def test_every_old_spelling_of_an_ipv4_address_is_found(number: int, forms: list[str], parts: int) -> None:
    whole = ipaddress.IPv4Address(number)
    values = [(number >> shift) & 255 for shift in (24, 16, 8)][: parts - 1]
    values.append(number & (256 ** (5 - parts) - 1))
    spelled = [
        {"d": f"{value}", "o": f"0{value:o}", "x": f"0x{value:x}"}[form]
        for value, form in zip(values, forms, strict=False)
    ]
    assert parse_address(f"http://{'.'.join(spelled)}/").host == str(whole)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(string.printable)), max_size=40))
@example("@")
@example("[::1]")
def test_no_text_raises_anything_else_and_what_passes_passes_unchanged_again(text: str) -> None:
    try:
        found = parse_address(f"http://{text}")
    except BadArguments:
        return
    assert parse_address(found.url) == found
    assert found.url.isascii() and not any(char in found.url for char in ' \r\n\t"<>')
