"""Base URLs as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aries_kernel.errors import ConfigError
from aries_provider_http.endpoint import parse_endpoint, proxy_for


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        (" https://API.openai.com/v1// ", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/", "https://api.openai.com/v1/chat/completions"),
        ("http://localhost:8080", "http://localhost:8080/v1/chat/completions"),
        ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1/chat/completions"),
        ("https://host//a//v1", "https://host/a/v1/chat/completions"),
        ("https://host/v1/chat/completions/", "https://host/v1/chat/completions"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"),
        ("http://[2001:DB8::1]", "http://[2001:db8::1]/v1/chat/completions"),
        ("https://host/v1?api-version=2", "https://host/v1/chat/completions?api-version=2"),
        ("HTTPS://bücher.example/v1", "https://bücher.example/v1/chat/completions"),
    ],
)
def test_an_address_is_understood(text: str, wanted: str) -> None:
    assert parse_endpoint(text, "here").url("/chat/completions") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "", "api.openai.com/v1", "localhost:8080", "ftp://host/v1", "http://", "http:///v1", "http://::1:8080/v1",
        "http://[::1/v1", "http://[::z]/v1", "http://host:99999/v1", "http://host:0/v1", "http://host:port/v1",
        "http://user:secret@host/v1", "http://a b/v1", "http://host/v1\nx", "http://host/v1#x", "http://.host/",
        "http://" + "a" * 64 + ".example/", "http://ho<st/", "https://[fe80::1%25eth0]x/",
    ],
)  # fmt: skip
def test_a_wrong_address_is_named_with_its_setting(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_endpoint(text, "providers.openai.base_url")
    assert str(caught.value).startswith("providers.openai.base_url: ")
    assert "secret" not in str(caught.value)


@given(st.text() | st.text().map(lambda text: f"http://{text}"))
def test_any_text_is_an_address_or_a_config_error(text: str) -> None:
    try:
        assert parse_endpoint(text, "here").url("/chat/completions").startswith("http")
    except ConfigError as error:
        assert error.problems


@pytest.mark.parametrize("host", ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0"])
def test_loopback_is_recognised_and_never_proxied(host: str) -> None:
    endpoint = parse_endpoint(f"http://{host}:1234/v1", "here")
    assert endpoint.is_loopback
    assert proxy_for(endpoint, {"http_proxy": "http://proxy:1"}) is None


@pytest.mark.parametrize("host", ["127.0.0.1.example", "localhost.example", "192.168.1.2", "mylocalhost"])
def test_other_hosts_are_not_loopback(host: str) -> None:
    assert not parse_endpoint(f"http://{host}/v1", "here").is_loopback


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://proxy:1"}, ("HTTPS_PROXY", "http://proxy:1")),
        ({"https_proxy": "proxy:1"}, ("https_proxy", "http://proxy:1")),
        ({"HTTP_PROXY": "http://proxy:1"}, None),
        ({"ALL_PROXY": "http://proxy:1"}, ("ALL_PROXY", "http://proxy:1")),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "example.com"}, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": ".example.com, x"}, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "api.example.com:443"}, None),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "api.example.com:80"}, ("HTTPS_PROXY", "http://p:1")),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": "ample.com"}, ("HTTPS_PROXY", "http://p:1")),
        ({"HTTPS_PROXY": "http://p:1", "NO_PROXY": " , 10.0.0.0/8"}, ("HTTPS_PROXY", "http://p:1")),
        ({"HTTPS_PROXY": " "}, None),
    ],
)
def test_the_proxy_comes_from_the_environment(environ: dict[str, str], wanted: tuple[str, str] | None) -> None:
    assert proxy_for(parse_endpoint("https://api.example.com/v1", "here"), environ) == wanted


def test_an_address_range_needs_no_proxy() -> None:
    endpoint = parse_endpoint("http://10.1.2.3/v1", "here")
    assert proxy_for(endpoint, {"http_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"}) is None


def test_a_header_of_a_web_request_is_no_proxy() -> None:
    endpoint = parse_endpoint("http://host.example/v1", "here")
    assert proxy_for(endpoint, {"HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"}) is None
